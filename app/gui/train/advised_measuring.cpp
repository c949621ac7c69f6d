#include "gui/train/advised_measuring.h"

#include "base/parallel.h"
#include "gui/icons/icon.h"
#include "gui/jobs/job_service.h"
#include "gui/jobs/job_texts.h"
#include "gui/jobs/views/job_progress_line.h"
#include "gui/jobs/views/job_start.h"
#include "gui/jobs/worker_process.h"
#include "gui/page/domain_words.h"
#include "gui/workspace/workspace_session.h"
#include "widgets/look/number_text.h"
#include "widgets/look/theme.h"

#include <QFormLayout>
#include <QHBoxLayout>
#include <QJsonArray>
#include <QJsonObject>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QVBoxLayout>

namespace sparsight {

namespace {

constexpr int most_workloads = 100;
constexpr int most_configurations = 100'000;
constexpr int usual_configurations = 100; ///< as the command measures
constexpr int most_minutes = 24 * 60;
constexpr int shown_rows = 5;

} // namespace

const JobKind& advise_kind() {
    static const JobKind kind{.name = QStringLiteral("advise"), .is_short = true};
    return kind;
}

JobDescription describe(const AdviseJob& job) {
    QStringList words{QStringLiteral("advise")};
    add_common(words, job.workspace);
    words << option("model", job.model) << option("machine", job.machine) << option("count", job.count);
    return {advise_kind(), JobTexts::tr("Ask %1 what to measure").arg(job.model), job.workspace, words};
}

std::optional<QString> launch_refusal(const AdviseJob& job, const LaunchConditions& conditions) {
    if (auto refusal = surroundings_refusal(job.workspace, conditions))
        return refusal;
    if (job.model.isEmpty())
        return JobTexts::tr("No model is chosen: train one first");
    return std::nullopt;
}

QStringList ReadAdvice::names() const {
    QStringList names;
    for (const Workload& workload : workloads)
        names << workload.name;
    return names;
}

std::optional<ReadAdvice> read_advice(const QJsonObject& end, const DomainWords& words) {
    const QJsonValue listed = end.value(QString::fromStdString(words.workload.many));
    if (!listed.isArray() || !end.contains(QStringLiteral("known")))
        return std::nullopt;
    ReadAdvice advice;
    advice.setting = end.value(QStringLiteral("setting")).toString();
    for (const QJsonValue& each : listed.toArray())
        advice.workloads.push_back(
            {each[QString::fromStdString(words.workload.one)].toString(), each[u"doubt_left"].toDouble(1)});
    return advice;
}

AdvisedMeasuring::AdvisedMeasuring(Services services, const Domain& domain, QWidget* parent)
    : QWidget(parent)
    , services_(services)
    , domain_(domain)
    , ask_(new QPushButton(icon(QStringLiteral("search")), tr("&Choose what to measure"), this))
    , count_(new QSpinBox(this))
    , progress_(new JobProgressLine(services.jobs, this))
    , advised_(new QWidget(this))
    , found_(new QLabel(advised_))
    , list_(new QListWidget(advised_))
    , configurations_(new QSpinBox(advised_))
    , minutes_(new QSpinBox(advised_))
    , measure_(new QPushButton(icon(QStringLiteral("play")), {}, advised_))
    , estimate_(new JobEstimateLabel(services.jobs, advised_)) {
    services_.jobs.add_kind(advise_kind());
    build();
    for (const auto signal : {&JobService::job_added, &JobService::job_changed, &JobService::job_finished,
                              &JobService::job_removed})
        connect(&services_.jobs, signal, this, &AdvisedMeasuring::show_state);
    connect(&services_.session, &WorkspaceSession::contents_changed, this, &AdvisedMeasuring::show_state);
    connect(ask_, &QPushButton::clicked, this, &AdvisedMeasuring::ask);
    connect(measure_, &QPushButton::clicked, this, &AdvisedMeasuring::measure);
    for (QSpinBox* const field : {count_, configurations_, minutes_})
        connect(field, &QSpinBox::valueChanged, this, &AdvisedMeasuring::show_state);
    show_state();
}

void AdvisedMeasuring::build() {
    const DomainWords& words = domain_.words();
    ask_->setObjectName(QStringLiteral("ask-what-to-measure"));
    count_->setObjectName(QStringLiteral("advised-count"));
    count_->setRange(1, most_workloads);
    count_->setValue(AdviseJob{}.count);
    count_->setAccessibleName(tr("How many %1").arg(many(words.workload)));
    count_->setToolTip(count_->accessibleName());
    list_->setObjectName(QStringLiteral("advised-workloads"));
    list_->setAccessibleName(tr("What to measure"));
    list_->setSelectionMode(QAbstractItemView::NoSelection);
    found_->setObjectName(QStringLiteral("advised-sentence"));
    configurations_->setObjectName(QStringLiteral("advised-configurations"));
    configurations_->setRange(1, most_configurations);
    configurations_->setValue(usual_configurations);
    minutes_->setObjectName(QStringLiteral("advised-minutes"));
    minutes_->setRange(0, most_minutes);
    minutes_->setSpecialValueText(tr("none"));
    minutes_->setSuffix(tr(" min"));
    measure_->setObjectName(QStringLiteral("measure-advised"));
    for (QLabel* const label : {found_, static_cast<QLabel*>(estimate_)}) {
        label->setWordWrap(true);
        keep_font(*label, caption_font);
        label->setForegroundRole(QPalette::PlaceholderText);
    }

    auto* const fields = new QFormLayout;
    fields->addRow(tr("%1 each").arg(title_of_many(words.configuration)), configurations_);
    fields->addRow(tr("Time limit"), minutes_);
    auto* const inside = new QVBoxLayout(advised_);
    inside->setContentsMargins(0, 0, 0, 0);
    inside->setSpacing(grid_step / 2);
    inside->addWidget(found_);
    inside->addWidget(list_);
    inside->addLayout(fields);
    inside->addWidget(measure_);
    inside->addWidget(estimate_);
    auto* const line = new QHBoxLayout;
    line->addWidget(ask_, 1);
    line->addWidget(count_);
    auto* const column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(grid_step / 2);
    column->addLayout(line);
    column->addWidget(progress_);
    column->addWidget(advised_);
}

void AdvisedMeasuring::show_target(const KnownModel* model, const QString& machine,
                                   std::int64_t measured_workloads) {
    model_ = model == nullptr ? QString() : model->name;
    is_gray_box_ = model != nullptr && model->is_gray_box();
    machine_ = machine;
    measured_workloads_ = measured_workloads;
    show_state();
}

QString AdvisedMeasuring::refusal() const {
    if (model_.isEmpty())
        return tr("Choose a gray box first.");
    if (!is_gray_box_)
        return tr("%1 is no gray box. Only a gray box knows what it is not sure of.").arg(model_);
    if (machine_.isEmpty() || machine_ != services_.session.this_machine())
        return tr("Only this computer can be measured. Choose it as the target machine.");
    LaunchConditions conditions =
        launch_conditions(services_.jobs.worker_program(), services_.session.path());
    conditions.workspace_is_writable = !services_.session.is_read_only();
    if (const auto refusal = launch_refusal(question(), conditions))
        return *refusal;
    return services_.jobs.is_under_way(describe(question())) ? tr("Already running.") : QString();
}

QString AdvisedMeasuring::refusal_of(const CollectJob& job) const {
    LaunchConditions conditions =
        launch_conditions(services_.jobs.worker_program(), services_.session.path());
    conditions.workspace_is_writable = !services_.session.is_read_only();
    if (const auto refusal = launch_refusal(job, conditions))
        return *refusal;
    return services_.jobs.is_under_way(describe(job)) ? tr("Already running.") : QString();
}

AdviseJob AdvisedMeasuring::question() const {
    return {services_.session.path(), model_, machine_, count_->value()};
}

std::optional<ReadAdvice> AdvisedMeasuring::advice() const {
    if (!is_gray_box_ || machine_ != services_.session.this_machine())
        return std::nullopt;
    return read_advice(end_of_newest(services_.jobs, describe(question())), domain_.words());
}

CollectJob AdvisedMeasuring::request(const ReadAdvice& advice) const {
    CollectJob job;
    job.workspace = services_.session.path();
    job.workloads = advice.names();
    if (const auto setting = domain_.parse_setting(advice.setting.toStdString())) {
        job.setting = job_setting(domain_, *setting);
        job.setting_text = QString::fromStdString(domain_.describe(*setting));
    }
    job.configurations = configurations_->value();
    job.threads = available_threads();
    if (minutes_->value() > 0)
        job.budget = std::chrono::minutes(minutes_->value());
    return job;
}

bool AdvisedMeasuring::is_measured(const ReadAdvice& advice) const {
    // One whose time ran out has finished, too, and goes on when it is started again.
    return end_of_newest(services_.jobs, describe(request(advice))).value(u"complete").toBool();
}

std::optional<AdvisedWorkloads> AdvisedMeasuring::offer() const {
    if (!is_gray_box_)
        return std::nullopt;
    const DomainWords& words = domain_.words();
    const auto found = advice();
    if (!found)
        return AdvisedWorkloads{.why_not = machine_ == services_.session.this_machine()
                                               ? tr("Choose what to measure first.")
                                               : tr("Only this computer can be measured.")};
    AdvisedWorkloads offer{.names = found->names()};
    if (offer.names.isEmpty())
        offer.why_not = tr("Every %1 is measured on this computer.").arg(one(words.workload));
    else if (!is_measured(*found))
        offer.why_not = tr("Measure them first.");
    else if (measured_workloads_ <= offer.names.size())
        offer.why_not =
            tr("No other %1 is measured here that could test the model.").arg(one(words.workload));
    return offer;
}

void AdvisedMeasuring::show_state() {
    const QString why_not = refusal();
    ask_->setEnabled(why_not.isEmpty());
    ask_->setToolTip(why_not.isEmpty() ? tr("Asks %1 which %2 would tell it most about this computer")
                                             .arg(model_, many(domain_.words().workload))
                                       : why_not);
    count_->setEnabled(why_not.isEmpty());
    const auto found = advice();
    auto running = newest_job(services_.jobs, describe(question()), false);
    if (!running && found)
        running = newest_job(services_.jobs, describe(request(*found)), false);
    progress_->show_job(is_gray_box_ ? running : std::nullopt);
    show_advice(found);
    if (auto now = offer(); now != std::exchange(offered_, now))
        Q_EMIT changed();
}

void AdvisedMeasuring::show_advice(const std::optional<ReadAdvice>& advice) {
    advised_->setVisible(advice.has_value());
    list_->clear();
    if (!advice)
        return;
    const DomainWords& words = domain_.words();
    const auto count = static_cast<qint64>(advice->workloads.size());
    const bool is_empty = advice->workloads.empty();
    found_->setText(is_empty ? tr("Every %1 is measured on this computer.").arg(one(words.workload))
                             : tr("These tell %1 most about the order of %2, in this order:")
                                   .arg(model_, many(words.configuration)));
    for (const ReadAdvice::Workload& each : advice->workloads) {
        auto* const row = new QListWidgetItem(
            tr("%1  ·  leaves %2 of the doubt").arg(each.name, share_text(each.doubt_left)), list_);
        row->setToolTip(tr("The share of its doubt that the model keeps when this one and those above are "
                           "measured"));
    }
    const int rows = std::min(shown_rows, list_->count());
    list_->setFixedHeight(rows * list_->sizeHintForRow(0) + 2 * list_->frameWidth());
    for (QWidget* const part : std::initializer_list<QWidget*>{list_, configurations_, minutes_, measure_})
        part->setVisible(!is_empty);
    const CollectJob job = request(*advice);
    const QString why_not = is_empty ? QString() : refusal_of(job);
    const bool is_done = !is_empty && is_measured(*advice);
    measure_->setText(tr("&Measure %1").arg(counted(count, words.workload)));
    measure_->setEnabled(why_not.isEmpty() && !is_done);
    measure_->setToolTip(is_done ? tr("They are measured.") : why_not);
    estimate_->show_estimate(why_not.isEmpty() && !is_empty && !is_done ? std::optional(describe(job))
                                                                        : std::nullopt);
}

void AdvisedMeasuring::ask() {
    if (!refusal().isEmpty())
        return;
    const auto job = services_.jobs.start(question());
    Q_EMIT notice(job ? QString() : job.error(), !job, QStringLiteral("advise"));
    show_state();
}

void AdvisedMeasuring::measure() {
    const auto found = advice();
    if (!found || !refusal_of(request(*found)).isEmpty())
        return;
    start_job(*this, services_.jobs, request(*found), [this](const std::expected<JobId, QString>& job) {
        Q_EMIT notice(job ? QString() : job.error(), !job, QStringLiteral("measure"));
        show_state();
    });
}

} // namespace sparsight
