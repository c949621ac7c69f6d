#include "gui/failures/model_question.h"

#include "gui/icons/icon.h"
#include "gui/jobs/job_service.h"
#include "gui/jobs/job_texts.h"
#include "gui/jobs/views/job_progress_line.h"
#include "gui/jobs/worker_process.h"
#include "gui/workspace/workspace_session.h"
#include "widgets/look/number_text.h"
#include "widgets/look/theme.h"

#include <QHBoxLayout>
#include <QJsonDocument>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <nlohmann/json.hpp>
#include <utility>

namespace sparsight {

const JobKind& reasons_kind() {
    static const JobKind kind{.name = QStringLiteral("reasons"), .is_short = true};
    return kind;
}

JobDescription describe(const ReasonsJob& job) {
    QStringList words{QStringLiteral("reasons")};
    add_common(words, job.workspace);
    words << option("model", job.model) << option("workload", job.workload)
          << option("configuration", job.configuration) << option("against", job.against);
    words << job.setting.others;
    if (!job.machine.isEmpty())
        words << option("machine", job.machine);
    return {reasons_kind(), JobTexts::tr("Ask %1 why it chose as it did for %2").arg(job.model, job.workload),
            job.workspace, words};
}

std::optional<QString> launch_refusal(const ReasonsJob& job, const LaunchConditions& conditions) {
    if (auto refusal = surroundings_refusal(job.workspace, conditions))
        return refusal;
    if (job.model.isEmpty())
        return JobTexts::tr("No model is chosen: train one first");
    return std::nullopt;
}

namespace {

using Texts = ModelQuestion;

QString in_qt(const std::string& text) {
    return QString::fromStdString(text);
}

} // namespace

QString rule_sentence(const AnchorReason& anchors, const QString& preferred, RuleWords words) {
    for (const auto& [word, text] :
         {std::pair(&words.both, Texts::tr("both")), std::pair(&words.is, Texts::tr("%1 stays %2")),
          std::pair(&words.at_most, Texts::tr("%1 stays at most %2")),
          std::pair(&words.at_least, Texts::tr("%1 stays at least %2")),
          std::pair(&words.above, Texts::tr("%1 stays above %2")),
          std::pair(&words.with_unit, Texts::tr("%1 %2")),
          std::pair(&words.in_subject, Texts::tr("%1 in %2")),
          std::pair(&words.between_predicates, Texts::tr(" and ")),
          std::pair(&words.between_subjects, Texts::tr(", and "))})
        *word = text.toStdString();
    const auto rule = [&](const Anchor& anchor) { return in_qt(rule_phrase(anchor, words)); };
    if (anchors.anchor && anchors.anchor->predicates.empty())
        return Texts::tr("It prefers %1 whatever is changed (true in %2 of %3 variants tested).")
            .arg(preferred, share_text(anchors.anchor->precision.value),
                 count_text(anchors.anchor->precision.draws));
    if (anchors.anchor)
        return Texts::tr("It prefers %1 as long as %2 (true in %3 of the variants tested). The rule covers "
                         "%4 of all variants.")
            .arg(preferred, rule(*anchors.anchor), share_text(anchors.anchor->precision.value),
                 share_text(anchors.anchor->coverage.value));
    if (anchors.nearest && !anchors.nearest->predicates.empty())
        return Texts::tr("No short rule explains this. The closest is: %1 (true in %2 of the variants "
                         "tested).")
            .arg(rule(*anchors.nearest), share_text(anchors.nearest->precision.value));
    return Texts::tr("No short rule explains this.");
}

QStringList reason_sentences(const ChoiceReasons& reasons, const QString& against) {
    const QString model = in_qt(reasons.model);
    if (reasons.margin() == 0)
        return {Texts::tr("%1 scores its choice and %2 alike.").arg(model, against)};
    const QString preferred = reasons.margin() > 0 ? Texts::tr("its choice") : against;
    const auto right = reasons.is_right();
    QStringList sentences{!right   ? Texts::tr("%1 prefers %2.").arg(model, preferred)
                          : *right ? Texts::tr("%1 prefers %2, which is faster.").arg(model, preferred)
                                   : Texts::tr("%1 prefers %2, which is slower.").arg(model, preferred)};
    if (reasons.anchors)
        sentences << rule_sentence(
            *reasons.anchors, preferred,
            {.configuration = Texts::tr("its choice").toStdString(), .against = against.toStdString()});
    else
        sentences << Texts::tr("There is no rule: %1.").arg(in_qt(reasons.missing));
    if (reasons.anchors && !reasons.unchanged.empty())
        sentences << Texts::tr("One-sided: %1.").arg(in_qt(reasons.unchanged));
    return sentences;
}

ModelQuestion::ModelQuestion(Services services, QWidget* parent)
    : QWidget(parent)
    , services_(services)
    , ask_(new QPushButton(icon(QStringLiteral("train")), tr("As&k the model"), this))
    , progress_(new JobProgressLine(services.jobs, this))
    , told_(new QLabel(this)) {
    services_.jobs.add_kind(reasons_kind());
    ask_->setObjectName(QStringLiteral("ask-model"));
    told_->setObjectName(QStringLiteral("model-reasons"));
    told_->setWordWrap(true);
    told_->setTextFormat(Qt::PlainText);
    told_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* const line = new QHBoxLayout;
    line->setSpacing(grid_step);
    line->addWidget(ask_);
    line->addWidget(progress_, 1);
    line->addStretch(0);
    auto* const column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(grid_step / 2);
    column->addLayout(line);
    column->addWidget(told_);
    connect(ask_, &QPushButton::clicked, this, &ModelQuestion::ask);
    for (const auto signal : {&JobService::job_added, &JobService::job_changed, &JobService::job_finished,
                              &JobService::job_removed})
        connect(&services_.jobs, signal, this, [this](const JobId& id) {
            const auto job = services_.jobs.job(id);
            if (is_shown_ && (!job || job->kind == reasons_kind()))
                show_state();
        });
    show_state();
}

void ModelQuestion::show_case(const FailureCase& failure, const Setting& setting, const QString& machine,
                              const Domain& domain, const FailureWords& words) {
    const FailureSign& sign = failure.main();
    job_ = {.workspace = services_.session.path(),
            .model = in_qt(failure.model_name),
            .workload = in_qt(failure.workload),
            .configuration = in_qt(sign.chosen.configuration),
            .against = in_qt(sign.against.configuration),
            .setting = job_setting(domain, setting),
            .machine = machine};
    words_ = domain.words();
    against_ = words.against(sign.held_against);
    is_shown_ = true;
    show_state();
}

QString ModelQuestion::refusal() const {
    if (!is_shown_)
        return tr("Choose a case first.");
    if (newest_job(services_.jobs, describe(job_), false))
        return tr("The model is being asked.");
    LaunchConditions conditions;
    conditions.worker_program = services_.jobs.worker_program();
    conditions.workspace_is_writable = !services_.session.is_read_only();
    return launch_refusal(job_, conditions).value_or(QString());
}

QStringList ModelQuestion::answer() const {
    const auto job = newest_job(services_.jobs, describe(job_), true);
    if (job && job->state == JobState::Failed)
        return {tr("The model gave no reasons: %1").arg(job->error)};
    const QJsonObject told = end_of_newest(services_.jobs, describe(job_));
    if (told.isEmpty())
        return {};
    const std::string text = QJsonDocument(told).toJson(QJsonDocument::Compact).toStdString();
    const auto reasons = parse_choice_reasons(nlohmann::ordered_json::parse(text, nullptr, false), words_);
    return reasons ? reason_sentences(*reasons, against_)
                   : QStringList{tr("The answer of the model can't be read: %1. Ask it again.")
                                     .arg(in_qt(reasons.error().message))};
}

void ModelQuestion::show_state() {
    const QString why_not = refusal();
    ask_->setEnabled(why_not.isEmpty());
    ask_->setToolTip(why_not.isEmpty() ? tr("Tells the rule by which it preferred its choice") : why_not);
    progress_->show_job(is_shown_ ? newest_job(services_.jobs, describe(job_), false) : std::nullopt);
    const QStringList lines = is_shown_ ? answer() : QStringList();
    told_->setText(lines.join(u'\n'));
    told_->setVisible(!lines.isEmpty());
}

void ModelQuestion::ask() {
    if (!refusal().isEmpty())
        return;
    const auto job = services_.jobs.start(job_);
    Q_EMIT notice(job ? QString() : job.error(), !job, QStringLiteral("ask"));
    show_state();
}

} // namespace sparsight
