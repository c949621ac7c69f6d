#include "gui/domains/records/record_views.h"

#include "domains/records/record_source.h"
#include "gui/domains/records/import_records_dialog.h"
#include "gui/domains/records/record_lessons.h"
#include "gui/icons/icon.h"
#include "gui/jobs/job_texts.h"
#include "gui/shell/application.h"
#include "gui/shell/start_pages.h"
#include "gui/shell/window/main_window.h"
#include "gui/shell/window/notices.h"

#include <QAction>
#include <QCoreApplication>

namespace sparsight {

namespace {

struct RecordTexts {
    Q_DECLARE_TR_FUNCTIONS(sparsight::RecordViews)
};

void start_import(Application& application, ImportRecordsJob job) {
    job.workspace = application.session().path();
    const auto started = application.jobs().start(job);
    tell_start(application.jobs(), started, describe(job).title, application.window().notices(),
               QStringLiteral("import-records"));
}

void ask(Application& application, const QStringList& tables) {
    auto* const dialog = new ImportRecordsDialog(application.settings(), &application.window());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->add_tables(tables);
    QObject::connect(dialog, &ImportRecordsDialog::chosen, &application.window(),
                     [&application](const ImportRecordsJob& job) {
                         application.window().when_open(
                             [&application, job] { start_import(application, job); });
                     });
    dialog->open();
}

/// What was imported is shown, and what could not be is told.
void tell(Application& application, const JobId& id) {
    const auto job = application.jobs().job(id);
    if (!job || job->kind != import_records_kind() || !is_over(job->state))
        return;
    const QString open = application.session().path();
    const bool has_failed = job->state == JobState::Failed;
    const bool has_problem = has_failed || job->summary.contains(u'\n');
    if (job->workspace != open && !has_problem)
        return;
    const QString what = has_failed ? job->error : job->summary;
    application.window().notices().tell(
        told_of_job(QStringLiteral("%1: %2").arg(job->title, what), *job, open), has_problem,
        QStringLiteral("import-records"));
    if (job->workspace != open || has_failed)
        return;
    if (const Domain* const domain = application.session().domains().find(records_domain))
        application.session().choose_domain(*domain);
}

} // namespace

void add_record_views(Application& application) {
    MainWindow& window = application.window();
    window.set_domain_title(std::string(records_domain), RecordTexts::tr("Tuning records"));
    auto* const import =
        new QAction(icon(QStringLiteral("import")), RecordTexts::tr("Import &Tuning Records…"), &window);
    import->setObjectName(QStringLiteral("import-records"));
    import->setToolTip(RecordTexts::tr(
        "Add measured times of configurations from tables to the workspace, or to a new one"));
    QObject::connect(import, &QAction::triggered, &window, [&application] { ask(application, {}); });
    window.add_import_command({import, RecordTexts::tr("Import &tuning records…"), QStringLiteral("import")},
                              std::string(records_domain));
    window.set_file_import(
        std::string(records_domain), [&application](const QStringList& files) { ask(application, files); },
        record_file_patterns());
    window.add_lessons(std::string(records_domain), record_lesson_data());
    application.jobs().add_kind(import_records_kind());
    QObject::connect(&application.jobs(), &JobService::job_finished, &window,
                     [&application](const JobId& id) { tell(application, id); });
}

} // namespace sparsight
