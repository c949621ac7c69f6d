#include "gui/schedules/measure_panel.h"

#include "base/parallel.h"
#include "gui/icons/icon.h"
#include "gui/jobs/job_service.h"
#include "gui/schedules/matrix_choice.h"
#include "gui/schedules/measure_progress.h"
#include "gui/selection/selection.h"
#include "gui/settings/settings.h"
#include "gui/workspace/workspace_session.h"
#include "schedule/text.h"
#include "widgets/look/flow_layout.h"
#include "widgets/look/kept_font.h"
#include "widgets/look/number_text.h"
#include "widgets/look/theme.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>

namespace sparsight {

namespace {

/// Fields side by side, each with its caption above it.
class FieldRow {
public:
    explicit FieldRow(QVBoxLayout& column) { column.addLayout(flow_); }

    QLabel* add(const QString& caption, QWidget* field, const QString& tip) {
        auto* label = new QLabel(caption);
        keep_font(*label, caption_font);
        label->setBuddy(field);
        label->setToolTip(tip);
        field->setToolTip(tip);
        if (field->accessibleName().isEmpty())
            field->setAccessibleName(QString(caption).remove(QLatin1Char('&')));
        auto* both = new QWidget;
        auto* lines = new QVBoxLayout(both);
        lines->setContentsMargins(0, 0, 0, 0);
        lines->setSpacing(2);
        lines->addWidget(label);
        lines->addWidget(field);
        flow_->addWidget(both);
        return label;
    }
    void add(QWidget* field) { flow_->addWidget(field); }
    /// What follows stands at the right.
    void begin_end() { flow_->begin_end(); }

private:
    FlowLayout* flow_ = new FlowLayout;
};

} // namespace

MeasurePanel::MeasurePanel(Services services, QWidget* parent)
    : QWidget(parent)
    , services_(services)
    , matrices_(new MatrixChoice(this))
    , operator_(new QComboBox(this))
    , dense_(new QSpinBox(this))
    , dense_label_(nullptr)
    , schedules_(new QSpinBox(this))
    , threads_(new QSpinBox(this))
    , measure_(new QPushButton(icon_on_accent(QStringLiteral("measure")), tr("&Measure"), this))
    , more_(new QToolButton(this))
    , advanced_(new QWidget(this))
    , sampler_(new QComboBox(this))
    , protocol_(new QComboBox(this))
    , seed_(new QSpinBox(this))
    , minutes_(new QSpinBox(this))
    , again_(new QCheckBox(tr("measure &again what is stored"), this))
    , all_stored_(
          new QLabel(tr("All of these were measured before. <a href='again'>Measure them again</a>"), this))
    , progress_(new MeasureProgress(services.jobs, this)) {
    setObjectName(QStringLiteral("measure-panel"));
    build();
    build_advanced();
    level_fields();
    connect(&services_.session, &WorkspaceSession::contents_changed, this, &MeasurePanel::follow_contents);
    connect(&services_.session, &WorkspaceSession::gone_changed, this, &MeasurePanel::show_state);
    connect(&services_.selection, &Selection::changed, this, &MeasurePanel::follow_contents);
    connect(&services_.jobs, &JobService::job_added, this, &MeasurePanel::show_state);
    connect(&services_.jobs, &JobService::job_changed, this, &MeasurePanel::show_state);
    connect(&services_.jobs, &JobService::job_finished, this, &MeasurePanel::show_state);
    connect(&services_.jobs, &JobService::job_removed, this, &MeasurePanel::show_state);
    connect(&services_.jobs, &JobService::event_received, this, &MeasurePanel::take_end);
    follow_contents();
}

/// All fields are as high as the highest kind, so that they stand in one line.
void MeasurePanel::level_fields() {
    const int height = std::max({threads_->sizeHint().height(), measure_->sizeHint().height(),
                                 operator_->sizeHint().height(), matrices_->sizeHint().height()});
    for (QWidget* field :
         std::initializer_list<QWidget*>{matrices_, operator_, dense_, schedules_, threads_, more_, measure_,
                                         sampler_, protocol_, seed_, minutes_, again_})
        field->setMinimumHeight(height);
}

void MeasurePanel::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        level_fields();
}

void MeasurePanel::build() {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    FieldRow row(*column);

    operator_->addItem(QStringLiteral("SpMM"), static_cast<int>(Operator::SpMM));
    operator_->addItem(QStringLiteral("SpMV"), static_cast<int>(Operator::SpMV));
    operator_->addItem(QStringLiteral("SDDMM"), static_cast<int>(Operator::SDDMM));
    dense_->setRange(1, 1 << 16);
    dense_->setValue(services_.settings.dense_extent.get());
    schedules_->setRange(0, 100'000);
    schedules_->setValue(services_.settings.schedules.get());
    threads_->setRange(1, 1024);
    threads_->setValue(services_.settings.thread_count());
    connect(threads_, &QSpinBox::valueChanged, this, &MeasurePanel::setting_changed);

    row.add(tr("Mat&rices"), matrices_, {});
    row.add(tr("&Operator"), operator_,
            tr("SpMM: C = A·B with a dense B. SpMV: y = A·x. SDDMM: C = A ∘ (B·D)."));
    dense_label_ =
        row.add(tr("&Dense extent"), dense_, tr("Columns of B and C for SpMM, the summed extent for SDDMM"));
    row.add(tr("S&chedules"), schedules_,
            tr("How many are drawn for each matrix; fixed CSR is always measured besides"));
    row.add(tr("Thre&ads"), threads_,
            tr("That kernels run on. This computer has %1.").arg(available_threads()));
    row.begin_end();
    more_->setText(tr("More"));
    more_->setCheckable(true);
    more_->setToolTip(tr("Sampler, protocol, seed, budget"));
    connect(more_, &QToolButton::toggled, advanced_, &QWidget::setVisible);
    row.add(more_);
    measure_->setObjectName(QStringLiteral("measure"));
    measure_->setDefault(true);
    row.add(measure_);
    column->addWidget(advanced_);
    column->addWidget(all_stored_);
    column->addWidget(progress_);
    all_stored_->setObjectName(QStringLiteral("all-stored"));
    all_stored_->hide();
    connect(all_stored_, &QLabel::linkActivated, this, [this] { measure(true); });

    connect(measure_, &QPushButton::clicked, this, [this] { measure(again_->isChecked()); });
    connect(matrices_, &MatrixChoice::changed, this, &MeasurePanel::show_state);
    connect(schedules_, &QSpinBox::valueChanged, this, &MeasurePanel::show_state);
    connect(operator_, &QComboBox::currentIndexChanged, this, [this] {
        const bool has_dense = op() != Operator::SpMV;
        dense_->setEnabled(has_dense);
        dense_label_->setEnabled(has_dense);
        dense_->setToolTip(has_dense ? dense_label_->toolTip() : tr("SpMV has no dense extent."));
        Q_EMIT setting_changed();
        show_state();
    });
    connect(dense_, &QSpinBox::valueChanged, this, &MeasurePanel::setting_changed);
    // The settings say where one begins; what is chosen here is for this job and changes none of them.
    connect(&services_.settings, &UserSettings::changed, this, [this](const QString& key) {
        const UserSettings& settings = services_.settings;
        if (key == settings.threads.key())
            threads_->setValue(settings.thread_count());
        else if (key == settings.dense_extent.key())
            dense_->setValue(settings.dense_extent.get());
        else if (key == settings.schedules.key())
            schedules_->setValue(settings.schedules.get());
    });
}

void MeasurePanel::build_advanced() {
    auto* column = new QVBoxLayout(advanced_);
    column->setContentsMargins(0, 0, 0, 0);
    FieldRow row(*column);
    sampler_->addItem(tr("as WACO draws"), static_cast<int>(Sampler::Waco));
    sampler_->addItem(tr("uniform"), static_cast<int>(Sampler::Uniform));
    protocol_->addItem(tr("adaptive"), static_cast<int>(Protocol::Adaptive));
    protocol_->addItem(tr("WACO’s"), static_cast<int>(Protocol::Waco));
    seed_->setRange(0, 1'000'000'000);
    seed_->setValue(1);
    minutes_->setRange(0, 24 * 60);
    minutes_->setSpecialValueText(tr("none"));
    minutes_->setSuffix(tr(" min"));
    row.add(tr("Sampler"), sampler_, tr("How schedules are drawn from the space"));
    row.add(tr("Protocol"), protocol_,
            tr("Adaptive: as many runs as the noise asks for. WACO’s: 5 warm-ups and 30 runs."));
    row.add(tr("Seed"), seed_, tr("The same seed draws the same schedules"));
    row.add(tr("Time budget"), minutes_, tr("Stop after this time; measuring again goes on from there"));
    row.add(again_);
    advanced_->setVisible(false);
    connect(protocol_, &QComboBox::currentIndexChanged, this, &MeasurePanel::setting_changed);
}

Operator MeasurePanel::op() const {
    return static_cast<Operator>(operator_->currentData().toInt());
}

std::int64_t MeasurePanel::dense() const {
    return op() == Operator::SpMV ? 1 : dense_->value();
}

void MeasurePanel::set_operator(Operator op) {
    operator_->setCurrentIndex(operator_->findData(static_cast<int>(op)));
}

CollectJob MeasurePanel::request() const {
    CollectJob job;
    job.workspace = services_.session.path();
    job.matrices = matrices_->chosen();
    job.op = op();
    job.dense = dense();
    job.schedules = schedules_->value();
    job.sampler = static_cast<Sampler>(sampler_->currentData().toInt());
    job.seed = static_cast<std::uint64_t>(seed_->value());
    job.threads = threads_->value();
    job.protocol = static_cast<Protocol>(protocol_->currentData().toInt());
    if (minutes_->value() > 0)
        job.budget = std::chrono::minutes(minutes_->value());
    job.again = again_->isChecked();
    return job;
}

void MeasurePanel::measure_schedule(const QString& schedule) {
    // Its threads become those of the page: its time compares with those of the same number only.
    if (const auto parsed = parse_schedule(op(), schedule.toStdString()))
        threads_->setValue(parsed->threads);
    CollectJob job = request();
    job.matrices = {services_.selection.current().matrix};
    job.listed = {schedule};
    job.again = true;
    start(job);
}

void MeasurePanel::measure(bool again) {
    CollectJob job = request();
    job.again = again;
    start(job);
}

void MeasurePanel::take_end(const JobId& id, const QJsonObject& event) {
    if (id != job_ || event[QStringLiteral("event")].toString() != QStringLiteral("end"))
        return;
    const auto count = [&](const char* key) { return event[QLatin1String(key)].toInteger(); };
    all_stored_->setVisible(count("measured") + count("failed") == 0 && count("skipped") > 0);
}

void MeasurePanel::start(const CollectJob& job) {
    all_stored_->hide();
    const auto started = services_.jobs.start(job);
    if (!started) {
        Q_EMIT notice(started.error(), true);
        return;
    }
    job_ = *started;
    show_state();
}

QString MeasurePanel::refusal_of(const CollectJob& job) const {
    if (!services_.session.is_open())
        return tr("No workspace is open.");
    LaunchConditions conditions;
    conditions.worker_program = services_.jobs.worker_program();
    conditions.workspace_is_there = !services_.session.is_gone();
    conditions.workspace_is_writable = !services_.session.is_read_only();
    return collect_refusal(job, conditions).value_or(QString());
}

QString MeasurePanel::refusal() const {
    const CollectJob job = request();
    if (const QString reason = refusal_of(job); !reason.isEmpty())
        return reason;
    const auto under_way = running();
    if (under_way && under_way->arguments == describe(job).arguments)
        return tr("These are being measured already.");
    return {};
}

QString MeasurePanel::refusal_of_one() const {
    CollectJob job = request();
    const MatrixRecord* record = services_.session.matrix(services_.selection.current().matrix);
    if (record == nullptr || record->pattern == PatternPlace::Unknown)
        return tr("Select a matrix whose pattern is known.");
    job.matrices = {QString::fromStdString(record->name)};
    job.listed = {QString::fromStdString(to_text(fixed_csr(op(), job.threads)))}; // any that is valid
    return refusal_of(job);
}

void MeasurePanel::follow_contents() {
    QStringList names;
    for (const MatrixRecord& record : services_.session.contents().matrices)
        if (record.pattern != PatternPlace::Unknown)
            names << QString::fromStdString(record.name);
    matrices_->set_matrices(names, services_.selection.current().matrix);
    show_state();
}

/// The one that was started here, else any that measures in this workspace.
std::optional<Job> MeasurePanel::running() const {
    const auto is_under_way = [this](const Job& job) {
        return job.kind == JobKind::Collect && job.workspace == services_.session.path() &&
               !is_over(job.state);
    };
    if (const auto own = services_.jobs.job(job_); own && is_under_way(*own))
        return own;
    for (const Job& job : services_.jobs.jobs())
        if (is_under_way(job))
            return job;
    return std::nullopt;
}

/// A button that is disabled would hand the focus on to the next field.
void MeasurePanel::set_measuring_enabled(const QString& reason_against) {
    const bool is_enabled = reason_against.isEmpty();
    if (!is_enabled && measure_->hasFocus()) {
        setFocus();
        awaits_focus_ = true;
    }
    measure_->setEnabled(is_enabled);
    measure_->setToolTip(is_enabled ? tr("Measure these schedules on this computer") : reason_against);
    if (is_enabled && std::exchange(awaits_focus_, false) && hasFocus())
        measure_->setFocus();
}

void MeasurePanel::show_state() {
    set_measuring_enabled(refusal());
    progress_->show_job(running());
}

} // namespace sparsight
