#include "gui/selection/selection_panel.h"

#include "gui/jobs/job_texts.h"
#include "gui/runs/model_verdicts.h"
#include "gui/runs/training_runs.h"
#include "gui/selection/selection.h"
#include "gui/settings/settings.h"
#include "gui/workspace/thumbnails.h"
#include "gui/workspace/workspace_session.h"
#include "machine/machine_json.h"
#include "widgets/look/card.h"
#include "widgets/look/number_text.h"
#include "widgets/look/theme.h"

#include <QEvent>
#include <QLabel>
#include <QLocale>
#include <QScrollArea>
#include <QStyle>
#include <QVBoxLayout>
#include <algorithm>

namespace sparsight {

void FactTable::add(const QString& name, QString value) {
    if (value.isEmpty())
        return;
    if (value.front().isDigit()) // keeps a number in one piece with its unit
        for (QChar& letter : value)
            letter = letter.isSpace() ? QChar(QChar::Nbsp) : letter;
    rows_ += QStringLiteral("<tr><td style='color:%1; padding-right:8px'>%2</td><td>%3</td></tr>")
                 .arg(current_theme().dim_text.name(), name.toHtmlEscaped(), value.toHtmlEscaped());
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
    label->setTextInteractionFlags(Qt::TextBrowserInteraction);
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
    if (architecture == QLatin1String("waconet"))
        return ModelCard::tr("WACONet");
    if (architecture == QLatin1String("trees"))
        return ModelCard::tr("boosted trees");
    return architecture;
}

} // namespace

ModelCard::ModelCard(Services services, const TrainingRuns& runs, QWidget* parent)
    : Card(tr("Model"), parent)
    , services_(services)
    , runs_(runs)
    , facts_(facts_label(this)) {
    facts_->setObjectName(QStringLiteral("model-facts"));
    set_content(facts_);
    connect(facts_, &QLabel::linkActivated, this, &ModelCard::page_requested);
    connect(&runs_, &TrainingRuns::stored_changed, this, &ModelCard::show_model);
    connect(&services_.selection, &Selection::changed, this, &ModelCard::show_model);
    connect(&services_.settings, &UserSettings::changed, this, &ModelCard::show_model);
    show_model();
}

void ModelCard::show_model() {
    const QString name = services_.selection.current().model;
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
    facts.add(tr("operator"), operator_text(model->op));
    facts.add(tr("method"), model->method);
    const auto parent = std::ranges::find_if(runs_.stored().models, [&](const KnownModel& other) {
        return model->parent && other.id == *model->parent;
    });
    if (parent != runs_.stored().models.end())
        facts.add(tr("from"), parent->name);
    facts.add(tr("learned on"), model->machines.join(QStringLiteral("; ")));
    if (!model->matrices.isEmpty())
        facts.add(tr("with"), matrices_text(model->matrices.size()));
    if (model->blend)
        facts.add(tr("score"),
                  tr("network %1, simulator %2")
                      .arg(significant(model->blend->network), significant(model->blend->simulator)));
    // From its validation.
    facts.add(tr("pairs in order"), percent_of(model->metrics, "ordered_pair_accuracy"));
    if (const TrainingRun* run = model->run ? runs_.run(*model->run) : nullptr;
        run != nullptr && run->baseline_accuracy)
        facts.add(tr("of trees"), share_text(*run->baseline_accuracy));
    facts.add(tr("Kendall’s τ"), number_of(model->metrics, "kendall_tau"));
    facts.add(tr("regret of 20"), percent_of(model->metrics, "regret_at_20"));
    facts.add(tr("size"), bytes_text(static_cast<double>(model->bytes)));
    facts_->setText(facts.html());
    QString tip = tr("Made %1.").arg(QLocale().toString(model->created.toLocalTime(), QLocale::ShortFormat));
    if (!model->metrics.isEmpty())
        tip +=
            u'\n' + tr("Pairs in order, τ and regret are of its validation: matrices that it was not trained "
                       "on, which chose when to stop.");
    if (const TrainingRun* run = model->run ? runs_.run(*model->run) : nullptr)
        if (const QString verdict = baseline_sentence(*run); !verdict.isEmpty())
            tip += u'\n' + verdict;
    if (model->blend)
        tip += u'\n' + tr("Network and calibrated simulator: %1.").arg(blend_formula(*model->blend));
    if (!model->matrices.isEmpty())
        tip += u'\n' + tr("Trained on %1").arg(model->matrices.join(QStringLiteral(", ")));
    facts_->setToolTip(
        QStringLiteral("<p>%1</p>").arg(tip.toHtmlEscaped().replace(u'\n', QStringLiteral("<br>"))));
}

namespace {

constexpr int most_times = 3; ///< times of one schedule with other dense extents

} // namespace

SelectionPanel::SelectionPanel(Services services, Thumbnails& thumbnails, const TrainingRuns& runs,
                               QWidget* parent)
    : QWidget(parent)
    , services_(services)
    , thumbnails_(thumbnails)
    , results_(services.session)
    , matrix_(new Card(tr("Matrix"), this))
    , picture_(new QLabel(this))
    , matrix_facts_(facts_label(this))
    , machine_(new Card(tr("Machine"), this))
    , machine_facts_(facts_label(this))
    , schedule_(new Card(tr("Schedule"), this))
    , schedule_facts_(facts_label(this))
    , model_(new ModelCard(services, runs, this))
    , content_(new QWidget(this)) {
    auto* matrix_content = new QWidget(this);
    auto* row = new QHBoxLayout(matrix_content);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(picture_, 0, Qt::AlignTop);
    row->addWidget(matrix_facts_, 1);
    matrix_->set_content(matrix_content);
    machine_->set_content(machine_facts_);
    schedule_->set_content(schedule_facts_);

    auto* column = new QVBoxLayout(content_);
    column->setContentsMargins(grid_step, grid_step, grid_step, grid_step);
    column->setSpacing(grid_step);
    for (QWidget* card : std::initializer_list<QWidget*>{matrix_, machine_, schedule_, model_})
        column->addWidget(card);
    column->addStretch(1);
    auto* scroll = new QScrollArea(this);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidget(content_);
    content_->installEventFilter(this);
    fit_width();
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(scroll);

    connect(&services_.selection, &Selection::changed, this, &SelectionPanel::follow);
    connect(&services_.session, &WorkspaceSession::contents_changed, this,
            [this] { follow(services_.selection.current()); });
    connect(&services_.settings, &UserSettings::changed, this,
            [this] { follow(services_.selection.current()); });
    connect(&thumbnails_, &Thumbnails::ready, this, [this](const QString& name) {
        if (name == services_.selection.current().matrix)
            show_matrix();
    });
    connect(&results_, &ResultsReader::results_changed, this, &SelectionPanel::show_schedule);
    connect(model_, &ModelCard::page_requested, this, &SelectionPanel::page_requested);
    for (QLabel* label : {matrix_facts_, machine_facts_, schedule_facts_})
        connect(label, &QLabel::linkActivated, this, &SelectionPanel::page_requested);
    follow(services_.selection.current());
}

/// Makes the panel as wide as its facts, also in large type and beside the scroll bar that large type needs.
void SelectionPanel::fit_width() {
    const int bar = style()->pixelMetric(QStyle::PM_ScrollBarExtent, nullptr, this);
    setMinimumWidth(
        std::max(fontMetrics().averageCharWidth() * 28, content_->minimumSizeHint().width() + bar));
}

QSize SelectionPanel::sizeHint() const {
    return {fontMetrics().averageCharWidth() * 38, QWidget::sizeHint().height()};
}

void SelectionPanel::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        fit_width();
}

bool SelectionPanel::eventFilter(QObject* watched, QEvent* event) {
    if (watched == content_ && event->type() == QEvent::LayoutRequest)
        fit_width();
    return QWidget::eventFilter(watched, event);
}

void SelectionPanel::follow(const Selected& now) {
    show_matrix();
    show_machine();
    ResultFilter filter;
    filter.matrix = now.matrix.toStdString();
    filter.op = parse_operator(now.op.toStdString());
    filter.machine = (now.machine.isEmpty() ? services_.session.this_machine() : now.machine).toStdString();
    const bool is_known = services_.session.machine(QString::fromStdString(filter.machine)) != nullptr;
    if (!now.schedule.isEmpty() && filter.op && is_known && filter != results_.filter())
        results_.set_filter(filter);
    else
        show_schedule();
}

void SelectionPanel::show_matrix() {
    const QString name = services_.selection.current().matrix;
    const MatrixRecord* record = services_.session.matrix(name);
    matrix_->set_subtitle(name);
    picture_->setVisible(record != nullptr && record->pattern != PayloadPlace::Unknown);
    if (record == nullptr) {
        matrix_facts_->setText(dimmed(tr("None is selected. <a href='matrices'>Choose one</a>")));
        return;
    }
    picture_->setPixmap(thumbnails_.find(*record));
    if (record->pattern == PayloadPlace::Unknown) {
        matrix_facts_->setText(
            dimmed(tr("Only its name and runtimes of it are known. <a href='matrices'>Import the file</a> to "
                      "see its entries.")));
        return;
    }
    FactTable facts;
    facts.add(tr("rows"), count_text(record->rows));
    facts.add(tr("columns"), count_text(record->cols));
    facts.add(tr("entries"), count_text(record->nnz));
    if (record->rows > 0)
        facts.add(tr("a row"),
                  significant(static_cast<double>(record->nnz) / static_cast<double>(record->rows)));
    matrix_facts_->setText(facts.html());
    matrix_facts_->setToolTip(QString::fromStdString(record->source));
}

void SelectionPanel::show_machine() {
    QString fingerprint = services_.selection.current().machine;
    if (fingerprint.isEmpty())
        fingerprint = services_.session.this_machine();
    const MachineRecord* record = services_.session.machine(fingerprint);
    if (record == nullptr) {
        machine_->set_subtitle({});
        machine_facts_->setText(dimmed(tr("This computer, not probed yet. <a href='machines'>Probe it</a>")));
        return;
    }
    machine_->set_subtitle(fingerprint == services_.session.this_machine() ? tr("this computer") : QString());
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
    machine_facts_->setText(facts.html());
}

void SelectionPanel::show_schedule() {
    const Selected& now = services_.selection.current();
    schedule_->set_subtitle(now.schedule.isEmpty() ? QString() : now.op);
    if (now.schedule.isEmpty()) {
        schedule_facts_->setText(dimmed(tr("None is selected. <a href='schedules'>Measure some</a>")));
        return;
    }
    QString html =
        QStringLiteral("<p style='font-family:monospace'>%1</p>").arg(now.schedule.toHtmlEscaped());
    FactTable facts;
    int shown = 0;
    for (const RankedResult& result : results_.results()) {
        if (result.row.schedule != now.schedule.toStdString() || shown == most_times)
            continue;
        ++shown;
        if (result.rank == 0) { // it was measured, but has no time
            const std::string_view status = name(result.row.status);
            facts.add(tr("dense %1").arg(result.row.dense),
                      QString::fromUtf8(status.data(), std::ssize(status)));
            html += dimmed(QString::fromStdString(result.row.reason).toHtmlEscaped());
            continue;
        }
        facts.add(tr("dense %1").arg(result.row.dense),
                  duration_with_spread(result.row.median_ms.value_or(0), result.row.spread_ms.value_or(0)));
        if (result.row.speedup_over_fixed_csr)
            facts.add(tr("speedup"), speedup_text(result));
        facts.add(tr("storage"), bytes_text(static_cast<double>(result.row.bytes)));
    }
    schedule_facts_->setToolTip(shown == 0
                                    ? QString()
                                    : tr("Times as they were collected. Evaluations time schedules again, "
                                         "in turns with others, and may tell other times."));
    if (shown == 0 || results_.filter().matrix != now.matrix.toStdString()) {
        schedule_facts_->setText(html + dimmed(tr("Not measured on this matrix.")));
        return;
    }
    schedule_facts_->setText(html + facts.html());
}

} // namespace sparsight
