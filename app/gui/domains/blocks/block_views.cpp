#include "gui/domains/blocks/block_views.h"

#include "domains/blocks/block_domain.h"
#include "gui/domains/blocks/analysis/blocks_page.h"
#include "gui/domains/blocks/analysis/code_source.h"
#include "gui/domains/blocks/block_training.h"
#include "gui/domains/blocks/import_blocks_dialog.h"
#include "gui/icons/icon.h"
#include "gui/jobs/job_texts.h"
#include "gui/shell/application.h"
#include "gui/shell/start_pages.h"
#include "gui/shell/window/main_window.h"
#include "gui/shell/window/notices.h"
#include "gui/train/train_page.h"
#include "gui/workspace/workspace_session.h"

#include <QAction>
#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>

namespace sparsight {

namespace {

struct BlockTexts {
    Q_DECLARE_TR_FUNCTIONS(sparsight::BlockViews)
};

QStringList code_patterns() {
    return {QStringLiteral("*.o"), QStringLiteral("*.so"), QStringLiteral("*.s"), QStringLiteral("*.asm"),
            QStringLiteral("*.hex")};
}

void start_import(Application& application, ImportBlocksJob job) {
    job.workspace = application.session().path();
    const auto started = application.jobs().start(job);
    tell_start(application.jobs(), started, describe(job).title, application.window().notices(),
               QStringLiteral("import-blocks"));
}

void ask(Application& application, const QStringList& tables) {
    auto* const dialog = new ImportBlocksDialog(application.settings(), &application.window());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->add_tables(tables);
    QObject::connect(dialog, &ImportBlocksDialog::chosen, &application.window(),
                     [&application](const ImportBlocksJob& job) {
                         application.window().when_open(
                             [&application, job] { start_import(application, job); });
                     });
    dialog->open();
}

/// As soon as the domain that it belongs to is the chosen one.
void show_page(Application& application, BlocksPage& page) {
    WorkspaceSession& session = application.session();
    const auto show = [&application, &page] { application.window().show_page(page.id()); };
    if (session.domain().name() == blocks_domain) {
        show();
        return;
    }
    QObject::connect(&session, &WorkspaceSession::domain_changed, &page, show, Qt::SingleShotConnection);
    if (const Domain* const domain = session.domains().find(blocks_domain))
        session.choose_domain(*domain);
}

/// Code is looked at; tables are imported.
void open_files(Application& application, BlocksPage& page, const QStringList& files) {
    QStringList tables;
    for (const QString& file : files)
        if (QDir::match(code_patterns(), QFileInfo(file).fileName())) {
            page.source().open_file(file);
            show_page(application, page);
        } else {
            tables << file;
        }
    if (!tables.isEmpty())
        ask(application, tables);
}

/// What was imported is shown, and what could not be is told.
void tell(Application& application, const JobId& id) {
    const auto job = application.jobs().job(id);
    if (!job || job->kind != import_blocks_kind() || !is_over(job->state))
        return;
    const QString open = application.session().path();
    const bool has_failed = job->state == JobState::Failed;
    const bool has_problem = has_failed || job->summary.contains(u'\n');
    if (job->workspace != open && !has_problem)
        return;
    const QString what = has_failed ? job->error : job->summary;
    application.window().notices().tell(
        told_of_job(QStringLiteral("%1: %2").arg(job->title, what), *job, open), has_problem,
        QStringLiteral("import-blocks"));
    if (job->workspace != open || has_failed)
        return;
    if (const Domain* const domain = application.session().domains().find(blocks_domain))
        application.session().choose_domain(*domain);
}

} // namespace

void add_block_views(Application& application) {
    MainWindow& window = application.window();
    window.set_domain_title(std::string(blocks_domain), BlockTexts::tr("Basic blocks"));
    auto* const page = new BlocksPage(application.services(), &window);
    window.add_page(page, std::string(blocks_domain));
    if (const Domain* const domain = application.session().domains().find(blocks_domain))
        window.add_page(
            new TrainPage(application.services(), application.runs(), *domain, blocks_training(), &window),
            std::string(blocks_domain));
    window.add_lessons(std::string(blocks_domain), {});
    auto* const import =
        new QAction(icon(QStringLiteral("import")), BlockTexts::tr("Import &Basic Blocks…"), &window);
    import->setObjectName(QStringLiteral("import-blocks"));
    import->setToolTip(
        BlockTexts::tr("Add measured blocks of machine code from tables to the workspace, or to a new one"));
    QObject::connect(import, &QAction::triggered, &window, [&application] { ask(application, {}); });
    window.add_import_command({import, BlockTexts::tr("Import &basic blocks…"), QStringLiteral("import")},
                              std::string(blocks_domain));
    window.set_file_import(
        std::string(blocks_domain),
        [&application, page](const QStringList& files) { open_files(application, *page, files); },
        code_patterns() + QStringList{QStringLiteral("*.csv"), QStringLiteral("*.csv.*")});
    application.jobs().add_kind(import_blocks_kind());
    QObject::connect(&application.jobs(), &JobService::job_finished, &window,
                     [&application](const JobId& id) { tell(application, id); });
}

} // namespace sparsight
