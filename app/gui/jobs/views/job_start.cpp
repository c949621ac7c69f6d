#include "gui/jobs/views/job_start.h"

#include "gui/jobs/job_service.h"
#include "gui/jobs/job_texts.h"
#include "widgets/look/theme.h"

#include <QMessageBox>
#include <QPointer>
#include <QPushButton>

namespace sparsight {

JobEstimateLabel::JobEstimateLabel(const JobService& jobs, QWidget* parent)
    : QLabel(parent)
    , jobs_(jobs) {
    setObjectName(QStringLiteral("job-estimate"));
    keep_font(*this, caption_font);
    setWordWrap(true);
    setForegroundRole(QPalette::PlaceholderText);
    hide();
}

void JobEstimateLabel::show_estimate(const std::optional<JobDescription>& job) {
    const auto estimate = job ? estimate_of(*job, jobs_.jobs()) : std::nullopt;
    setText(estimate ? estimate_text(*estimate) : QString());
    setVisible(estimate.has_value());
}

void start_job(QWidget& asker, JobService& jobs, const JobRequest& request, const WhenStarted& when_started,
               std::optional<JobEstimate> expected) {
    if (!expected)
        expected = estimate_of(request.description(), jobs.jobs());
    if (!expected || !asks_first(*expected)) {
        when_started(jobs.start(request));
        return;
    }
    auto* const question =
        new QMessageBox(QMessageBox::Question, JobTexts::tr("Start a long job?"),
                        JobTexts::tr("%1 It runs in the background, and you can pause or stop it.")
                            .arg(estimate_text(*expected)),
                        QMessageBox::Cancel, asker.window());
    question->setObjectName(QStringLiteral("long-job-question"));
    question->setAttribute(Qt::WA_DeleteOnClose);
    auto* const start = question->addButton(JobTexts::tr("&Start"), QMessageBox::AcceptRole);
    start->setObjectName(QStringLiteral("start-long-job"));
    question->setDefaultButton(start);
    QObject::connect(start, &QPushButton::clicked, &asker,
                     [&jobs, request, when_started] { when_started(jobs.start(request)); });
    question->open();
}

} // namespace sparsight
