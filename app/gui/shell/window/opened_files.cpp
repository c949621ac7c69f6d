#include "gui/shell/window/opened_files.h"

#include "gui/shell/workspace_menu.h"
#include "gui/workspace/workspace_session.h"
#include "study/domain.h"

#include <algorithm>

namespace sparsight {

OpenedFiles::OpenedFiles(WorkspaceSession& session, WorkspaceRequests& requests, QObject* parent)
    : QObject(parent)
    , session_(session)
    , requests_(requests) {}

void OpenedFiles::set_import(const std::string& domain, Import import) {
    imports_.emplace_back(domain, std::move(import));
}

void OpenedFiles::open(const QStringList& files) {
    QStringList others;
    QString workspace;
    for (const QString& file : files) {
        if (WorkspaceMenu::is_workspace_name(file))
            workspace = file;
        else
            others << file;
    }
    if (workspace.isEmpty())
        return import_files(others);
    if (!others.isEmpty())
        requests_.after_opening({.meet = [this, others] { import_files(others); }});
    session_.open(workspace);
}

void OpenedFiles::import_files(const QStringList& files) {
    if (imports_.empty() || files.isEmpty())
        return;
    const auto own =
        std::ranges::find(imports_, session_.domain().name(), [](const auto& known) { return known.first; });
    (own == imports_.end() ? imports_.front() : *own).second(files);
}

} // namespace sparsight
