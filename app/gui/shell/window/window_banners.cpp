#include "gui/shell/window/window_banners.h"

#include "gui/jobs/views/import_report.h"
#include "gui/page/page.h"
#include "gui/workspace/workspace_session.h"
#include "widgets/look/page_states.h"
#include "widgets/look/theme.h"

#include <QVBoxLayout>

namespace sparsight {

WindowBanners::WindowBanners(const Services& services, QWidget* parent)
    : QWidget(parent)
    , import_place_(new QWidget(this))
    , imported_(new ImportReport(services.jobs, import_place_))
    , demo_(new Banner(this)) {
    demo_->setObjectName(QStringLiteral("newer-demo"));
    for (QWidget* const place : {static_cast<QWidget*>(this), import_place_}) {
        auto* const column = new QVBoxLayout(place);
        column->setContentsMargins(0, 0, 0, 0);
        column->setSpacing(0);
    }
    layout()->setContentsMargins(grid_step, 0, grid_step, 0); // as wide as the pages below
    layout()->setSpacing(grid_step / 2);
    import_place_->layout()->addWidget(imported_);
    layout()->addWidget(import_place_);
    layout()->addWidget(demo_);
    const WorkspaceSession& session = services.session;
    connect(&session, &WorkspaceSession::opened, this, [this](const QString& path) {
        imported_->set_workspace(path);
        demo_->hide(); // it belonged to another workspace
    });
    connect(&session, &WorkspaceSession::closed, this, [this] {
        imported_->set_workspace({});
        demo_->hide();
    });
    connect(demo_, &Banner::action_triggered, this, &WindowBanners::newer_demo_accepted);
}

void WindowBanners::show_page(const Page* page) {
    import_place_->setVisible(page != nullptr && page->findChild<ImportReport*>() == nullptr);
}

void WindowBanners::offer_newer_demo() {
    demo_->show_message(Severity::Information,
                        tr("A newer recording of the demo workspace is there. This one is kept under another "
                           "name."),
                        tr("&Open the newer one"));
}

} // namespace sparsight
