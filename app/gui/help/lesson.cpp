#include "gui/help/lesson.h"

#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace sparsight {

namespace {

using Verb = LessonCommand::Verb;
using Kind = LessonCondition::Kind;
using Relation = LessonCondition::Relation;

const QString block_begin = QStringLiteral("```step");
const QString block_end = QStringLiteral("```");

/// The first word, and what follows it.
std::pair<QString, QString> split_word(const QString& line) {
    const qsizetype space = line.indexOf(u' ');
    return space < 0 ? std::pair(line, QString())
                     : std::pair(line.left(space), line.mid(space + 1).trimmed());
}

struct CommandForm {
    const char* word;
    Verb verb;
    bool has_object;
    bool has_value;
};

constexpr std::array command_forms{
    CommandForm{"workload", Verb::Workload, false, true},
    CommandForm{"configuration", Verb::Configuration, false, true},
    CommandForm{"model", Verb::Model, false, true},
    CommandForm{"set", Verb::Set, true, true},
    CommandForm{"choose", Verb::Choose, true, true},
    CommandForm{"press", Verb::Press, true, false},
    CommandForm{"configurations", Verb::Configurations, false, false},
    CommandForm{"data", Verb::Data, false, true},
    CommandForm{"run", Verb::Run, false, true},
};

/// Nothing where the word names no command, or something is missing behind it.
std::optional<LessonCommand> parse_command(const QString& line) {
    auto [word, rest] = split_word(line);
    const auto form = std::ranges::find(command_forms, word,
                                        [](const CommandForm& known) { return QLatin1String(known.word); });
    if (form == command_forms.end())
        return std::nullopt;
    LessonCommand command{.verb = form->verb, .object = {}, .value = {}};
    if (form->has_object)
        std::tie(command.object, rest) = split_word(rest);
    command.value = rest;
    if ((form->has_object && command.object.isEmpty()) || (form->has_value && command.value.isEmpty()))
        return std::nullopt;
    return command;
}

/// ">= 20"
bool parse_comparison(const QString& text, LessonCondition& condition) {
    auto [relation, value] = split_word(text);
    if (relation == QStringLiteral("<="))
        condition.relation = Relation::AtMost;
    else if (relation == QStringLiteral(">="))
        condition.relation = Relation::AtLeast;
    else if (relation != QStringLiteral("="))
        return false;
    condition.value = value;
    return !value.isEmpty();
}

/// "workload demo-mesh", "page results", "idle", "here", "measurements >= 6000", "rows candidates >= 1",
/// "model first", "split lessons", "evaluation shows first on Laptop", "what-if-cores <= 4"
std::optional<LessonCondition> parse_condition(const QString& line) {
    const auto [word, rest] = split_word(line);
    LessonCondition condition;
    const auto named = [&](Kind kind) -> std::optional<LessonCondition> {
        condition.kind = kind;
        condition.value = rest;
        return rest.isEmpty() ? std::nullopt : std::optional(condition);
    };
    const auto compared = [&](Kind kind, const QString& text) -> std::optional<LessonCondition> {
        condition.kind = kind;
        return parse_comparison(text, condition) ? std::optional(condition) : std::nullopt;
    };
    if (word == QStringLiteral("idle") || word == QStringLiteral("here")) {
        condition.kind = word == QStringLiteral("here") ? Kind::Here : Kind::Idle;
        return rest.isEmpty() ? std::optional(condition) : std::nullopt;
    }
    if (word == QStringLiteral("page"))
        return named(Kind::Page);
    if (word == QStringLiteral("workload"))
        return named(Kind::Workload);
    if (word == QStringLiteral("configuration"))
        return named(Kind::Configuration);
    if (word == QStringLiteral("model"))
        return named(Kind::Model);
    if (word == QStringLiteral("split"))
        return named(Kind::Split);
    if (word == QStringLiteral("measurements"))
        return compared(Kind::Measurements, rest);
    if (word == QStringLiteral("rows")) {
        const auto [object, comparison] = split_word(rest);
        condition.object = object;
        return compared(Kind::Rows, comparison);
    }
    condition.object = word;
    if (const auto [verb, text] = split_word(rest); verb == QStringLiteral("shows")) {
        condition.kind = Kind::Shows;
        condition.value = text;
        return text.isEmpty() ? std::nullopt : std::optional(condition);
    }
    return compared(Kind::Value, rest);
}

/// What fulfils a condition that says so itself.
std::optional<LessonCommand> help_of(const LessonCondition& condition) {
    if (condition.kind == Kind::Workload)
        return LessonCommand{Verb::Workload, {}, condition.value};
    if (condition.kind == Kind::Configuration)
        return LessonCommand{Verb::Configuration, {}, condition.value};
    if (condition.kind == Kind::Value)
        return LessonCommand{Verb::Set, condition.object, condition.value};
    return std::nullopt;
}

class LessonParser {
public:
    LessonParser(const QString& id, const QString& markdown)
        : lines_(markdown.endsWith(u'\n') ? markdown.chopped(1).split(u'\n') : markdown.split(u'\n')) {
        lesson_.id = id;
    }

    Result<Lesson> parse() {
        for (const QString& line : std::as_const(lines_)) {
            ++number_;
            if (auto taken = take(line); !taken)
                return std::unexpected(std::move(taken).error());
        }
        if (in_block_)
            return wrong(QStringLiteral("the block of the step does not end: expected ```"));
        if (auto finished = finish_step(); !finished)
            return std::unexpected(std::move(finished).error());
        for (const auto& [value, what] : {std::pair(lesson_.title, "a title, # …"),
                                          std::pair(lesson_.summary, "a summary below the title"),
                                          std::pair(lesson_.domain, "a line “domain: …”")})
            if (value.isEmpty())
                return wrong(QStringLiteral("the lesson lacks %1").arg(QLatin1String(what)));
        if (lesson_.minutes < 1 || lesson_.steps.empty())
            return wrong(QStringLiteral("expected a line “minutes: …” and at least one step, ## …"));
        return std::move(lesson_);
    }

private:
    std::unexpected<Error> wrong(const QString& message) const {
        return fail_in_file(Fault::Input, (lesson_.id + QStringLiteral(".md")).toStdString(), number_,
                            message.toStdString());
    }

    Result<void> take(const QString& line) {
        if (in_block_)
            return take_block_line(line.trimmed());
        if (line.startsWith(QStringLiteral("# "))) {
            lesson_.title = line.mid(2).trimmed();
        } else if (line.startsWith(QStringLiteral("## "))) {
            if (auto finished = finish_step(); !finished)
                return finished;
            step_ = LessonStep{.title = line.mid(3).trimmed(),
                               .text = {},
                               .page = lesson_.steps.empty() ? QString() : lesson_.steps.back().page,
                               .point = {},
                               .commands = {},
                               .request = {},
                               .conditions = {},
                               .help = {},
                               .claims = {}};
        } else if (line.trimmed() == block_begin) {
            if (!step_)
                return wrong(QStringLiteral("a block of a step stands before the first step, ## …"));
            in_block_ = true;
        } else if (step_) {
            step_->text += line + u'\n';
        } else {
            take_head_line(line.trimmed());
        }
        return {};
    }

    void take_head_line(const QString& line) {
        static const QRegularExpression fact(QStringLiteral(R"(^(domain|minutes|place): (\S+)$)"));
        const QRegularExpressionMatch found = fact.match(line);
        if (!found.hasMatch())
            lesson_.summary = (lesson_.summary + u' ' + line).trimmed();
        else if (found.captured(1) == QStringLiteral("domain"))
            lesson_.domain = found.captured(2);
        else
            (found.captured(1) == QStringLiteral("place") ? lesson_.place : lesson_.minutes) =
                found.captured(2).toInt();
    }

    Result<void> take_block_line(const QString& line) {
        if (line == block_end) {
            in_block_ = false;
            return {};
        }
        const auto [word, rest] = split_word(line);
        if (line.isEmpty() || rest.isEmpty()) {
            if (const auto command = parse_command(line))
                step_->commands.push_back(*command);
            else
                return wrong(QStringLiteral("“%1”: expected a command and what it is about").arg(line));
        } else if (word == QStringLiteral("page")) {
            step_->page = rest;
        } else if (word == QStringLiteral("point")) {
            step_->point = rest;
        } else if (word == QStringLiteral("ask")) {
            step_->request = rest;
        } else if (word == QStringLiteral("claim")) {
            step_->claims << rest;
        } else if (word == QStringLiteral("wait")) {
            const auto condition = parse_condition(rest);
            if (!condition)
                return wrong(QStringLiteral("“%1” is nothing to wait for").arg(rest));
            step_->conditions.push_back(*condition);
        } else if (const auto command = parse_command(word == QStringLiteral("do") ? rest : line)) {
            (word == QStringLiteral("do") ? step_->help : step_->commands).push_back(*command);
        } else {
            return wrong(QStringLiteral("“%1” is no command of a lesson").arg(line));
        }
        return {};
    }

    Result<void> finish_step() {
        if (!step_)
            return {};
        LessonStep step = *std::exchange(step_, std::nullopt);
        step.text = step.text.trimmed();
        if (step.page.isEmpty())
            return wrong(QStringLiteral("the step “%1” names no page").arg(step.title));
        if (step.text.isEmpty())
            return wrong(QStringLiteral("the step “%1” says nothing").arg(step.title));
        if (step.request.isEmpty() != step.conditions.empty())
            return wrong(QStringLiteral("the step “%1” needs both or none of: ask, wait").arg(step.title));
        if (step.help.empty())
            for (const LessonCondition& condition : step.conditions)
                if (const auto help = help_of(condition))
                    step.help.push_back(*help);
        lesson_.steps.push_back(std::move(step));
        return {};
    }

    QStringList lines_;
    Lesson lesson_;
    std::optional<LessonStep> step_;
    bool in_block_ = false;
    int number_ = 0;
};

const QString folder = QStringLiteral(":/help/lessons");

} // namespace

Result<Lesson> parse_lesson(const QString& id, const QString& markdown) {
    return LessonParser(id, markdown).parse();
}

QStringList lesson_ids() {
    QStringList ids;
    for (const QString& file : QDir(folder).entryList({QStringLiteral("*.md")}, QDir::Files, QDir::Name))
        ids << file.chopped(3);
    return ids;
}

QString lesson_markdown(const QString& id) {
    QFile file(QStringLiteral("%1/%2.md").arg(folder, id));
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

std::vector<Lesson> lessons_of(const QString& domain) {
    std::vector<Lesson> lessons;
    for (const QString& id : lesson_ids())
        if (auto lesson = parse_lesson(id, lesson_markdown(id)); lesson && lesson->domain == domain)
            lessons.push_back(std::move(*lesson));
    std::ranges::sort(lessons, {}, &Lesson::place);
    return lessons;
}

} // namespace sparsight
