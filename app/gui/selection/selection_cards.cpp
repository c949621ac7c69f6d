#include "gui/selection/selection_cards.h"

#include "gui/jobs/job_texts.h"
#include "gui/page/domain_words.h"
#include "gui/runs/model_verdicts.h"
#include "gui/runs/training_runs.h"
#include "gui/selection/selection.h"
#include "gui/settings/settings.h"
#include "gui/workspace/workspace_session.h"
#include "machine/machine_description.h"
#include "widgets/look/link_label.h"
#include "widgets/look/number_text.h"
#include "widgets/look/runtime_text.h"
#include "widgets/look/theme.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QLocale>
#include <algorithm>
#include <limits>
#include <utility>

namespace sparsight {

namespace {

/// Names and values of sheets are long, and must not make the window wider: long words may break after signs,
/// and otherwise anywhere.
QString breakable(const QString& text) {
    constexpr qsizetype longest_piece = 16;
    constexpr QChar zero_width_space(0x200B);
    QString broken;
    qsizetype piece = 0;
    bool is_after_sign = false;
    bool is_after_number = false;
    for (const QChar letter : text) {
        const bool is_in_number = is_after_number && letter.isDigit();
        if (!letter.isSpace() && piece > 0 && !is_in_number && (is_after_sign || piece >= longest_piece)) {
            broken += zero_width_space;
            piece = 0;
        }
        broken += letter;
        piece = letter.isSpace() ? 0 : piece + 1;
        is_after_number = letter.isDigit() || (is_after_number && QStringLiteral(".,").contains(letter));
        is_after_sign = QStringLiteral("_=+*/,;:").contains(letter);
    }
    return broken;
}

} // namespace

void FactTable::add(const QString& name, QString value) {
    if (value.isEmpty())
        return;
    constexpr qsizetype longest_number = 24; // longer is a text that begins with one
    if (value.front().isDigit() &&
        value.size() <= longest_number) // keeps a number in one piece with its unit
        for (QChar& letter : value)
            letter = letter.isSpace() ? QChar(QChar::Nbsp) : letter;
    else
        value = breakable(with_whole_numbers(value));
    // A short name is easier to find in one line: "entries per row", "regret of 20".
    constexpr qsizetype longest_line = 16;
    QString title = name.size() <= longest_line ? name : breakable(with_whole_numbers(name));
    if (name.size() <= longest_line)
        title.replace(u' ', QChar(QChar::Nbsp));
    rows_ += QStringLiteral("<tr><td style='color:%1; padding-right:8px'>%2</td><td>%3</td></tr>")
                 .arg(current_theme().dim_text.name(), title.toHtmlEscaped(), value.toHtmlEscaped());
}

QString FactTable::html() const {
    return QStringLiteral("<table cellspacing='0' cellpadding='1'>%1</table>").arg(rows_);
}

QString dimmed(const QString& text) {
    return QStringLiteral("<span style='color:%1'>%2</span>").arg(current_theme().dim_text.name(), text);
}

QLabel* facts_label(QWidget* parent) {
    auto* label = new QLabel(parent);
    label->setWordWrap(true);
    label->setTextFormat(Qt::RichText);
    reach_links_by_keyboard(*label, true);
    label->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    return label;
}

namespace {

QString percent_of(const QJsonObject& metrics, const char* name) {
    const QJsonValue value = metrics.value(QLatin1String(name));
    return value.isDouble() ? share_text(value.toDouble()) : QString();
}

QString number_of(const QJsonObject& metrics, const char* name) {
    const QJsonValue value = metrics.value(QLatin1String(name));
    return value.isDouble() ? significant(value.toDouble(), 2) : QString();
}

QString architecture_text(const QString& architecture) {
    if (architecture == QLatin1String("statistics"))
        return ModelCard::tr("StatisticsNet");
    if (architecture == QLatin1String("perceptron"))
        return ModelCard::tr("perceptron");
    if (architecture == QLatin1String("waconet"))
        return ModelCard::tr("WACONet");
    if (architecture == QLatin1String("gray-box"))
        return ModelCard::tr("gray box");
    if (is_of_trees(architecture))
        return architecture == QLatin1String("gray-trees") ? ModelCard::tr("boosted trees on the bound")
                                                           : ModelCard::tr("boosted trees");
    if (architecture == QLatin1String("attention"))
        return ModelCard::tr("LSTM with attention");
    return architecture;
}

} // namespace

SelectionCard::SelectionCard(Services services, const QString& title, QWidget* parent)
    : Card(title, parent)
    , services_(services) {}

void SelectionCard::begin() {
    connect(&services_.selection, &Selection::changed, this, [this] { show_selected(); });
    connect(&services_.session, &WorkspaceSession::contents_changed, this, [this] { show_selected(); });
    connect(&services_.settings, &UserSettings::changed, this, [this] { show_selected(); });
    show_selected();
}

QLabel* SelectionCard::add_facts_label() {
    QLabel* const label = facts_label(this);
    connect(label, &QLabel::linkActivated, this, &SelectionCard::page_requested);
    return label;
}

namespace {

/// A number as its unit asks for it, or a text as it is.
QString fact_text(const QJsonValue& value, const QString& unit) {
    constexpr qint64 none = std::numeric_limits<qint64>::min();
    const qint64 whole = value.toInteger(none);
    const QString text = whole != none      ? count_text(whole)
                         : value.isDouble() ? significant(value.toDouble())
                                            : value.toVariant().toString();
    return unit.isEmpty() || text.isEmpty() ? text : with_unit(text, unit);
}

} // namespace

WorkloadCard::WorkloadCard(Services services, QWidget* parent)
    : SelectionCard(services, {}, parent)
    , facts_(add_facts_label()) {
    set_content(facts_);
    begin();
}

void WorkloadCard::show_selected() {
    const Domain& domain = services().session.domain();
    const QString name = services().selection.current().workload;
    const WorkloadRecord* const record = services().session.workload(name);
    set_title(title_of_one(domain.words().workload));
    set_subtitle(name);
    if (record == nullptr) {
        facts_->setText(dimmed(tr("None is selected. <a href='workloads'>Choose one</a>")));
        facts_->setToolTip({});
        return;
    }
    QJsonObject known = QJsonDocument::fromJson(QByteArray::fromStdString(record->known.facts)).object();
    FactTable facts;
    for (const StatisticDescription& statistic : domain.statistics()) {
        const QString key = QString::fromStdString(statistic.name);
        facts.add(QString::fromStdString(statistic.title),
                  fact_text(known.take(key), QString::fromStdString(statistic.unit)));
    }
    for (auto fact = known.begin(); fact != known.end(); ++fact)
        facts.add(fact.key(), fact_text(*fact, {}));
    facts_->setText(known.isEmpty() && domain.statistics().empty()
                        ? dimmed(tr("Nothing is known of it but its name and its times."))
                        : facts.html());
    facts_->setToolTip(QString::fromStdString(record->known.source));
}

MachineCard::MachineCard(Services services, QWidget* parent)
    : SelectionCard(services, tr("Machine"), parent)
    , facts_(add_facts_label()) {
    facts_->setObjectName(QStringLiteral("machine-facts"));
    set_content(facts_);
    begin();
}

void MachineCard::show_selected() {
    QString fingerprint = services().selection.current().machine;
    if (fingerprint.isEmpty())
        fingerprint = services().session.this_machine();
    const MachineRecord* record = services().session.machine(fingerprint);
    if (record == nullptr) {
        set_subtitle({});
        facts_->setText(dimmed(tr("This computer, not probed yet. <a href='machines'>Probe it</a>")));
        return;
    }
    set_subtitle(fingerprint == services().session.this_machine() ? tr("this computer")
                 : is_recording(fingerprint.toStdString())        ? tr("recorded")
                                                                  : QString());
    FactTable facts;
    facts.add(tr("name"), QString::fromStdString(record->name));
    if (const auto machine = machine_from_text(record->description)) {
        if (machine->cores)
            facts.add(tr("cores"), count_text(*machine->cores));
        if (const auto last = machine->last_cache_bytes())
            facts.add(tr("last cache"), bytes_text(static_cast<double>(*last)));
        if (const auto rate = machine->copy_bandwidth.all_threads)
            facts.add(tr("bandwidth"), si_text(rate->value * 1e9, QStringLiteral("B/s")));
    }
    // Of a data sheet a few numbers: the Machines page has the rest.
    constexpr int most_facts = 5;
    const QJsonObject sheet =
        QJsonDocument::fromJson(services().session.facts_of_machine(fingerprint)).object();
    int shown = 0;
    for (auto fact = sheet.begin(); fact != sheet.end() && shown < most_facts; ++fact)
        if (const QVariant value = fact_value(*fact); value.typeId() == QMetaType::Double) {
            facts.add(fact.key(), sparsight::fact_text(value));
            ++shown;
        }
    const auto others = static_cast<qint64>(sheet.size()) - shown;
    const QString more = others == 1 ? tr("<a href='machines'>1 more fact</a>")
                                     : tr("<a href='machines'>%1 more facts</a>").arg(count_text(others));
    facts_->setText(others > 0 ? facts.html() + more : facts.html());
}

namespace {

constexpr int most_times = 3; ///< times of one configuration under several conditions

} // namespace

ConfigurationCard::ConfigurationCard(Services services, QWidget* parent)
    : SelectionCard(services, {}, parent)
    , facts_(add_facts_label()) {
    set_content(facts_);
    connect(&services.session, &WorkspaceSession::measurements_changed, this, [this] { show_selected(); });
    begin();
}

void ConfigurationCard::show_selected() {
    const Selected now = services().selection.current();
    const Domain& domain = services().session.domain();
    set_title(title_of_one(domain.words().configuration));
    if (now.configuration.isEmpty()) {
        times_.cancel();
        facts_->setText(dimmed(tr("None is selected. <a href='configurations'>Choose one</a>")));
        return;
    }
    ResultQuery query;
    query.domain = domain.name();
    query.workload = now.workload.toStdString();
    query.machine = now.machine.toStdString();
    query.family = now.family.toStdString();
    if (isHidden() || query.workload.empty() || query.machine.empty()) {
        show_times({});
        return;
    }
    times_.ask(
        [file = services().session.path().toStdString(),
         query](const std::stop_token&) -> Result<std::vector<ResultRecord>> {
            auto workspace = Workspace::open(
                file, {.access = WorkspaceAccess::Read, .busy_timeout = std::chrono::seconds(2)});
            if (!workspace)
                return std::unexpected(workspace.error());
            return list_results(*workspace, query);
        },
        [this](const Result<std::vector<ResultRecord>>& results, bool is_newest) {
            if (results && is_newest)
                show_times(*results);
        });
}

void ConfigurationCard::show_times(const std::vector<ResultRecord>& results) {
    const Selected now = services().selection.current();
    const Domain& domain = services().session.domain();
    QString html =
        QStringLiteral("<p style='font-family:monospace'>%1</p>").arg(now.configuration.toHtmlEscaped());
    FactTable facts;
    int shown = 0;
    for (const ResultRecord& result : results) {
        if (result.configuration != now.configuration.toStdString() || shown == most_times)
            continue;
        ++shown;
        const QString condition = QString::fromStdString(result.condition);
        facts.add(condition.isEmpty() ? tr("time") : condition,
                  result.median_ms ? runtime_with_spread(*result.median_ms, result.spread_ms.value_or(0))
                                   : status_text(result.status));
        if (!result.median_ms)
            html += dimmed(QString::fromStdString(result.reason).toHtmlEscaped());
        if (result.speedup && domain.words().baseline)
            facts.add(tr("raw speedup over %1").arg(one(*domain.words().baseline)),
                      speedup_text(*result.speedup));
    }
    facts_->setText(shown > 0 ? html + facts.html() : html + dimmed(tr("No time of it is known here.")));
}

namespace {

constexpr qsizetype most_named_machines = 3; ///< of a model: the tooltip has more

} // namespace

ModelCard::ModelCard(Services services, const TrainingRuns& runs, QWidget* parent)
    : SelectionCard(services, tr("Model"), parent)
    , runs_(runs)
    , facts_(add_facts_label()) {
    facts_->setObjectName(QStringLiteral("model-facts"));
    set_content(facts_);
    connect(&runs_, &TrainingRuns::stored_changed, this, [this] { show_selected(); });
    begin();
}

void ModelCard::show_selected() {
    const QString name = services().selection.current().model;
    const KnownModel* model = runs_.model(name);
    set_subtitle(name);
    if (model == nullptr) {
        facts_->setText(dimmed(runs_.stored().models.empty()
                                   ? tr("There is none. <a href='train'>Train one</a>")
                                   : tr("None is selected. <a href='search'>Let one search</a>")));
        facts_->setToolTip({});
        return;
    }
    FactTable facts;
    facts.add(tr("kind"), architecture_text(model->architecture));
    facts.add(tr("made for"), model->purpose_text);
    facts.add(tr("method"), model->method);
    const auto parent = std::ranges::find_if(runs_.stored().models, [&](const KnownModel& other) {
        return model->parent && other.id == *model->parent;
    });
    if (parent != runs_.stored().models.end())
        facts.add(tr("from"), parent->name);
    const bool are_many = model->machines.size() > most_named_machines;
    const QString machines = model->machines.join(QStringLiteral("; "));
    facts.add(tr("machines"), are_many ? count_text(model->machines.size()) : machines);
    if (!model->workloads.isEmpty())
        facts.add(tr("learned from"), counted(model->workloads.size(), runs_.words().workload));
    if (model->blend)
        facts.add(tr("score"),
                  tr("network %1, simulator %2")
                      .arg(significant(model->blend->network), significant(model->blend->simulator)));
    // From its validation.
    facts.add(tr("pairs in the right order"), percent_of(model->metrics, "ordered_pair_accuracy"));
    if (const TrainingRun* run = model->run ? runs_.run(*model->run) : nullptr;
        run != nullptr && run->baseline_accuracy)
        facts.add(tr("boosted trees"), share_text(*run->baseline_accuracy));
    else if (run != nullptr && run->simulator_alone)
        facts.add(tr("simulator alone"), share_text(*run->simulator_alone));
    facts.add(tr("Kendall’s τ"), number_of(model->metrics, "kendall_tau"));
    facts.add(tr("regret of 20"), percent_of(model->metrics, "regret_at_20"));
    facts.add(tr("size"), bytes_text(static_cast<double>(model->bytes)));
    facts_->setText(facts.html());
    QString tip = tr("Made %1.").arg(QLocale().toString(model->created.toLocalTime(), QLocale::ShortFormat));
    if (!model->metrics.isEmpty())
        tip +=
            u'\n' + tr("Pairs in the right order, τ and regret are of its validation %1. It was not trained "
                       "on these; they chose when to stop.")
                        .arg(many(runs_.words().workload));
    if (const TrainingRun* run = model->run ? runs_.run(*model->run) : nullptr)
        if (const QString verdict = baseline_sentence(*run, runs_.words().workload); !verdict.isEmpty())
            tip += u'\n' + verdict;
    if (model->blend)
        tip += u'\n' + tr("Network and calibrated simulator: %1.").arg(blend_formula(*model->blend));
    if (!model->computed_with.isEmpty()) {
        QStringList parts;
        for (auto part = model->computed_with.begin(); part != model->computed_with.end(); ++part)
            parts << QStringLiteral("%1 %2").arg(part.key(), part.value().toString());
        if (model->seed)
            parts.prepend(tr("seed %1").arg(*model->seed));
        tip += u'\n' + tr("Computed with: %1.").arg(parts.join(QStringLiteral(", ")));
    }
    if (are_many)
        tip += u'\n' + tr("Machines: %1").arg(machines);
    if (!model->workloads.isEmpty())
        tip += u'\n' + tr("Trained on %1").arg(model->workloads.join(QStringLiteral(", ")));
    facts_->setToolTip(
        QStringLiteral("<p>%1</p>").arg(tip.toHtmlEscaped().replace(u'\n', QStringLiteral("<br>"))));
}

} // namespace sparsight
