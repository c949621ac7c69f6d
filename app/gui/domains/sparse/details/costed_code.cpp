#include "gui/domains/sparse/details/costed_code.h"

#include "domains/sparse/schedule/text.h"
#include "gui/domains/sparse/comparison/time_terms.h"
#include "gui/page/machine_words.h"
#include "widgets/look/number_text.h"
#include "widgets/look/theme.h"

#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QJsonDocument>
#include <QLabel>
#include <QProcess>
#include <QPushButton>
#include <QRegularExpression>
#include <QResizeEvent>
#include <QSplitter>
#include <QStringList>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <utility>

namespace sparsight {

namespace {

struct CostTexts {
    Q_DECLARE_TR_FUNCTIONS(sparsight::CostedCode)
};

constexpr int narrowest_beside = 900; ///< pixels: less and the assembly stands below the loop nest

QString terms_line(const SimulatedTime& time) {
    constexpr double noticeable = 0.005;
    QStringList parts;
    for (const TimeTerm term : all_time_terms())
        if (time[term] > noticeable * time.total())
            parts << QStringLiteral("%1 %2").arg(time_term_words(term).name, duration_text(time[term]));
    return parts.join(QStringLiteral(", "));
}

QString instructions_line(const CostedLine& costed) {
    QStringList kinds;
    for (const LineInstructions& kind : costed.instructions)
        kinds << QStringLiteral("%1 × %2").arg(significant(kind.count, 4),
                                               parameter_words(kind.cycles).name.toHtmlEscaped());
    return CostTexts::tr("Instructions: %1 cycles (%2)")
        .arg(significant(costed.cycles, 4), kinds.join(QStringLiteral(", ")));
}

QString bytes_line(const CostedLine& costed) {
    QStringList levels;
    const auto add = [&](const QString& level, double bytes) {
        if (bytes >= 1)
            levels << CostTexts::tr("%1 from %2").arg(bytes_text(bytes), level);
    };
    add(CostTexts::tr("L2"), costed.l2_bytes);
    add(CostTexts::tr("L3"), costed.l3_bytes);
    add(CostTexts::tr("memory"), costed.memory_bytes);
    return levels.isEmpty() ? QString() : CostTexts::tr("Loads: %1").arg(levels.join(QStringLiteral(", ")));
}

QString meaning_of(const CostedLine& costed, double total) {
    const double milliseconds = costed.time.total();
    if (milliseconds <= 0)
        return {};
    QStringList lines{CostTexts::tr("<b>%1, %2</b> of the simulated time")
                          .arg(duration_text(milliseconds), share_text(milliseconds / total)),
                      terms_line(costed.time)};
    if (costed.runs > 0)
        lines << CostTexts::tr("Iterations: %1").arg(significant(costed.runs, 4));
    if (!costed.instructions.empty())
        lines << instructions_line(costed);
    lines << bytes_line(costed);
    lines.removeAll(QString());
    return lines.join(QStringLiteral("<br>"));
}

/// The same of all lines, so that their points stand below each other; four digits of the total.
int decimals_for(double total) {
    constexpr int most = 9;
    return total > 0 ? std::clamp(3 - static_cast<int>(std::floor(std::log10(total))), 0, most) : 3;
}

/// Without the lines that only say which loop of the assembly is inside which.
QString readable(const std::string& assembly) {
    static const QRegularExpression comment_line(QStringLiteral("^[ \\t]+#.*\\n"),
                                                 QRegularExpression::MultilineOption);
    static const QRegularExpression far_comment(QStringLiteral(" {3,}#"));
    return QString::fromStdString(assembly).remove(comment_line).replace(far_comment, QStringLiteral("  #"));
}

/// Of the lines that are shown, one that takes most.
const CostedLine* dearest(const LineCosts& costs) {
    const auto most = std::ranges::max_element(costs.lines, {},
                                               [](const CostedLine& costed) { return costed.time.total(); });
    return most == costs.lines.end() ? nullptr : &*most;
}

} // namespace

std::vector<LineCostMark> cost_marks(const CodeCosts& code) {
    constexpr double shown = 5e-4; // less is "0.0 %"
    const double total = code.costs.total.total();
    std::vector<LineCostMark> marks;
    for (const CostedLine& costed : code.costs.lines) {
        const double milliseconds = costed.time.total();
        LineCostMark mark;
        if (total > 0 && milliseconds > shown * total) {
            mark.share = milliseconds / total;
            mark.text = fixed_text(milliseconds, decimals_for(total));
        }
        mark.meaning = meaning_of(costed, total);
        marks.push_back(std::move(mark));
    }
    if (!marks.empty() && marks.front().text.isEmpty()) // the first line includes a header
        marks.front().text = CostTexts::tr("ms");
    if (code.hot) {
        LineCostMark& hot = marks[code.hot->line];
        hot.note = CostTexts::tr("%1 cycles (LLVM)").arg(fixed_text(code.hot->cost.cycles, 2));
        hot.meaning += (hot.meaning.isEmpty() ? QString() : QStringLiteral("<br>")) +
                       CostTexts::tr("LLVM’s analyser for %1: %2 cycles per iteration, with all data in L1")
                           .arg(QString::fromStdString(code.cpu), fixed_text(code.hot->cost.cycles, 2));
    }
    return marks;
}

QString counted_text(const QJsonObject& shown) {
    const QJsonObject counted = shown.value(u"counted").toObject();
    QStringList counts;
    const auto add = [&](const char* key, const QString& what) {
        if (const QJsonValue count = counted.value(QLatin1String(key)); count.isDouble())
            counts << what.arg(significant(count.toDouble(), 4));
    };
    add("cycles", CostTexts::tr("%1 cycles"));
    add("instructions", CostTexts::tr("%1 instructions"));
    add("cache_misses", CostTexts::tr("%1 cache misses"));
    if (!counts.isEmpty())
        return CostTexts::tr("Counted in one run: %1").arg(counts.join(QStringLiteral(", ")));
    return CostTexts::tr("Hardware counters: %1").arg(shown.value(u"no_counters").toString());
}

CostedCode::CostedCode(QWidget* parent, CounterAccess counters)
    : QWidget(parent)
    , splitter_(new QSplitter(Qt::Vertical, this))
    , code_(new CodeView(splitter_))
    , beside_(new QWidget(splitter_))
    , hot_(new QLabel(beside_))
    , part_(new QComboBox(beside_))
    , assembly_(new CodeView(beside_))
    , total_(new QLabel(this))
    , counters_(new QLabel(this))
    , copy_(new QPushButton(tr("Copy with costs"), this))
    , count_(new QPushButton(tr("Count events"), this)) {
    if (const auto opened = HardwareCounters::open(std::move(counters)); !opened)
        no_counters_ = QString::fromStdString(opened.error().message);
    build();
    refresh();
}

void CostedCode::build() {
    setObjectName(QStringLiteral("loop-nest"));
    code_->setObjectName(QStringLiteral("nest-code"));
    assembly_->setObjectName(QStringLiteral("assembly"));
    assembly_->setAccessibleName(tr("Assembly of the kernel"));
    hot_->setObjectName(QStringLiteral("hot-loop"));
    hot_->setWordWrap(true);
    part_->setObjectName(QStringLiteral("assembly-part"));
    part_->setAccessibleName(tr("Shown assembly"));
    part_->addItems({tr("Hot loop"), tr("Whole function")});
    total_->setObjectName(QStringLiteral("total-cost"));
    total_->setWordWrap(true);
    total_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    counters_->setObjectName(QStringLiteral("hardware-counters"));
    counters_->setWordWrap(true);
    counters_->setForegroundRole(QPalette::PlaceholderText);
    keep_font(*counters_, caption_font);
    copy_->setObjectName(QStringLiteral("copy-with-costs"));
    copy_->setToolTip(tr("Copies the loop nest with the milliseconds of each line, as text"));
    count_->setObjectName(QStringLiteral("count-events"));
    count_->setToolTip(tr("Runs the kernel on this computer and reads the processor’s counters"));

    auto* head = new QHBoxLayout;
    head->addWidget(hot_, 1);
    head->addWidget(part_, 0, Qt::AlignTop);
    auto* column = new QVBoxLayout(beside_);
    column->setContentsMargins(grid_step / 2, grid_step / 2, 0, 0);
    column->addLayout(head);
    column->addWidget(assembly_, 1);
    splitter_->setStretchFactor(0, 3);
    splitter_->setStretchFactor(1, 2);
    splitter_->setChildrenCollapsible(false);

    auto* foot = new QHBoxLayout;
    foot->setContentsMargins(grid_step / 2, 0, grid_step / 2, 0);
    auto* texts = new QVBoxLayout;
    texts->setSpacing(0);
    texts->addWidget(total_);
    texts->addWidget(counters_);
    foot->addLayout(texts, 1);
    foot->addWidget(count_);
    foot->addWidget(copy_);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, grid_step / 2);
    all->setSpacing(grid_step / 2);
    all->addWidget(splitter_, 1);
    all->addLayout(foot);

    connect(part_, &QComboBox::currentIndexChanged, this, &CostedCode::refresh_assembly);
    connect(copy_, &QPushButton::clicked, this, &CostedCode::copy_with_costs);
    connect(count_, &QPushButton::clicked, this, &CostedCode::count);
}

void CostedCode::set_empty_text(const QString& text) {
    code_->set_empty_text(text);
}

/// A process that ends with the widget must not call it any more.
CostedCode::~CostedCode() {
    if (counting_ == nullptr)
        return;
    counting_->disconnect(this);
    counting_->kill();
    counting_->waitForFinished(2000);
}

void CostedCode::set_setting(CostSetting setting) {
    const bool is_same = setting.machine_key == setting_.machine_key && setting.threads == setting_.threads &&
                         setting.is_here == setting_.is_here && setting_.machine.has_value();
    setting_ = std::move(setting);
    if (!is_same)
        compute();
}

void CostedCode::show(const std::optional<SuperSchedule>& schedule, std::shared_ptr<const CsrPattern> pattern,
                      const QString& matrix, std::int64_t dense) {
    schedule_ = schedule;
    pattern_ = std::move(pattern);
    matrix_ = matrix;
    dense_ = dense;
    compute();
}

void CostedCode::set_plain_code(const QString& code) {
    plain_code_ = code;
    refresh();
}

void CostedCode::compute() {
    costs_.reset();
    problem_.clear();
    counters_->setText(no_counters_.isEmpty() ? QString() : tr("Hardware counters: %1").arg(no_counters_));
    is_outdated_ = counting_ != nullptr;
    if (is_outdated_)
        counting_->kill();
    const bool can_be_had = schedule_ && pattern_ && setting_.machine;
    is_due_ = can_be_had && !isVisible(); // unseen, it would only disturb what is being measured
    if (!can_be_had || is_due_) {
        answers_.cancel();
        return refresh();
    }
    answers_.ask(
        [schedule = *schedule_, pattern = pattern_, dense = dense_,
         setting = setting_](const std::stop_token& stop) {
            SimulatedMachine machine = setting.machine->resolve();
            machine.machine.name = machine.name.toStdString();
            return code_costs(*pattern,
                              {.schedule = schedule,
                               .dense = dense,
                               .machine = machine.machine,
                               .threads = setting.threads,
                               .cpu = setting.is_here ? "native" : ""},
                              stop);
        },
        [this](Result<CodeCosts> answer, bool is_newest) {
            if (!is_newest)
                return;
            if (answer)
                costs_ = std::move(*answer);
            else
                problem_ = QString::fromStdString(answer.error().text());
            refresh();
            is_scrolled_ = false;
            show_dearest();
        });
    refresh();
}

void CostedCode::refresh() {
    if (costs_) {
        QString code;
        for (const CostedLine& costed : costs_->costs.lines)
            code += QString::fromStdString(costed.line.text) + u'\n';
        code_->set_code(code);
        code_->set_line_costs(cost_marks(*costs_));
    } else {
        code_->set_code(plain_code_);
        code_->set_line_costs({});
    }
    copy_->setVisible(costs_.has_value());
    count_->setVisible(costs_.has_value() && setting_.is_here && no_counters_.isEmpty());
    counters_->setVisible(costs_.has_value() && setting_.is_here && !counters_->text().isEmpty());
    beside_->setVisible(costs_.has_value());
    refresh_total();
    refresh_assembly();
}

void CostedCode::refresh_total() {
    total_->setVisible(costs_.has_value() || !problem_.isEmpty());
    if (!costs_) {
        total_->setText(problem_.isEmpty() ? QString() : tr("No costs: %1").arg(problem_));
        return;
    }
    const double total = costs_->costs.total.total();
    const CostedLine* const most = dearest(costs_->costs);
    total_->setText(tr("<b>Total: %1</b>, simulated on %2. Line %3 takes %4.")
                        .arg(duration_text(total), QString::fromStdString(costs_->machine).toHtmlEscaped())
                        .arg(most - costs_->costs.lines.data() + 1)
                        .arg(share_text(total > 0 ? most->time.total() / total : 0)));
    total_->setToolTip(tr("Milliseconds of all lines together. Instructions count at the line that executes "
                          "them, cache lines at the line that loads them"));
}

void CostedCode::refresh_assembly() {
    if (!costs_)
        return;
    const bool is_hot = part_->currentIndex() == 0;
    part_->setVisible(costs_->hot.has_value());
    assembly_->setVisible(costs_->hot.has_value());
    if (!costs_->hot) {
        hot_->setText(setting_.is_here
                          ? tr("No hot loop: %1").arg(QString::fromStdString(costs_->not_analysed))
                          : tr("Select this computer to see the assembly of its hot loop."));
        return;
    }
    const InstructionCost& cost = costs_->hot->cost;
    hot_->setText(tr("<b>%1 cycles per iteration</b> (LLVM, %2)")
                      .arg(fixed_text(cost.cycles, 2), QString::fromStdString(costs_->cpu)));
    hot_->setToolTip(tr("%1 instructions and %2 multiply-adds in one iteration. Bound by: %3. All data are "
                        "taken to be in L1.")
                         .arg(cost.instructions)
                         .arg(cost.multiply_adds)
                         .arg(QString::fromStdString(cost.bottleneck)));
    assembly_->set_code(readable(is_hot ? cost.assembly : costs_->assembly));
}

void CostedCode::copy_with_costs() {
    if (!costs_)
        return;
    QString text = QString::fromStdString(to_text(*costs_));
    if (costs_->hot)
        text += u'\n' + readable(costs_->hot->cost.assembly);
    QGuiApplication::clipboard()->setText(text);
}

/// In a process of its own, which a kernel may take down, and alone among this user's measurements.
void CostedCode::count() {
    if (counting_ != nullptr || !schedule_)
        return;
    QStringList words{QStringLiteral("schedules"),
                      QStringLiteral("show"),
                      QString::fromStdString(to_text(*schedule_)),
                      QStringLiteral("--operator"),
                      QString::fromStdString(std::string(name(schedule_->op))),
                      QStringLiteral("--matrix"),
                      matrix_,
                      QStringLiteral("--workspace"),
                      setting_.workspace,
                      QStringLiteral("--costs"),
                      QStringLiteral("--count"),
                      QStringLiteral("--json")};
    if (dense_index(schedule_->op))
        words << QStringLiteral("--dense") << QString::number(dense_);
    if (setting_.threads > 0)
        words << QStringLiteral("--threads") << QString::number(setting_.threads);
    counting_ = new QProcess(this);
    connect(counting_, &QProcess::finished, this, [this] {
        take_counts(counting_->readAllStandardOutput(), QString::fromUtf8(counting_->readAllStandardError()));
    });
    connect(counting_, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            take_counts({}, counting_->errorString());
    });
    is_outdated_ = false;
    count_->setEnabled(false);
    counters_->setText(tr("Counting …"));
    counters_->setVisible(true);
    counting_->start(setting_.worker, words);
}

void CostedCode::take_counts(const QByteArray& output, const QString& problem) {
    const bool has_crashed = counting_->exitStatus() == QProcess::CrashExit;
    counting_->deleteLater();
    counting_ = nullptr;
    count_->setEnabled(true);
    if (std::exchange(is_outdated_, false))
        return;
    const QJsonObject shown = QJsonDocument::fromJson(output).object();
    if (!shown.isEmpty())
        counters_->setText(counted_text(shown));
    else
        counters_->setText(
            tr("Hardware counters: %1").arg(has_crashed ? tr("the kernel crashed") : problem.trimmed()));
}

/// Once for each answer: then the user scrolls. A hidden view does not know its size yet.
void CostedCode::show_dearest() {
    if (is_scrolled_ || !costs_ || !isVisible())
        return;
    is_scrolled_ = true;
    code_->show_line(static_cast<int>(dearest(costs_->costs) - costs_->costs.lines.data()));
}

void CostedCode::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (is_due_)
        compute();
    QTimer::singleShot(0, this, &CostedCode::show_dearest);
}

void CostedCode::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    splitter_->setOrientation(event->size().width() < narrowest_beside ? Qt::Vertical : Qt::Horizontal);
}

} // namespace sparsight
