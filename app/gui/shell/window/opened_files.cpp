#include "gui/shell/window/opened_files.h"

#include "gui/shell/workspace_menu.h"
#include "gui/workspace/workspace_session.h"
#include "study/domain.h"

#include <QDir>
#include <QFileInfo>
#include <algorithm>
#include <utility>

namespace sparsight {

OpenedFiles::OpenedFiles(WorkspaceSession& session, WorkspaceRequests& requests, QObject* parent)
    : QObject(parent)
    , session_(session)
    , requests_(requests) {}

void OpenedFiles::set_import(const std::string& domain, Import import, QStringList patterns) {
    imports_.push_back({domain, std::move(import), std::move(patterns)});
}

void OpenedFiles::open(const QStringList& files, const std::string& domain) {
    QStringList others;
    QString workspace;
    for (const QString& file : files) {
        if (WorkspaceMenu::is_workspace_name(file))
            workspace = file;
        else
            others << file;
    }
    if (workspace.isEmpty())
        return import_files(others, domain);
    if (!others.isEmpty())
        requests_.after_opening({.meet = [this, others, domain] { import_files(others, domain); }});
    session_.open(workspace);
}

void OpenedFiles::import_files(const QStringList& files, const std::string& domain) {
    if (imports_.empty() || files.isEmpty())
        return;
    if (!domain.empty())
        return imports_[place_of(domain)].import(files);
    const std::size_t looked_at = place_of(std::string(session_.domain().name()));
    std::vector<QStringList> parts(imports_.size());
    for (const QString& file : files)
        parts[place_for(file, looked_at)] << file;
    for (std::size_t place = 0; place < parts.size(); ++place)
        if (!parts[place].isEmpty())
            imports_[place].import(parts[place]);
}

std::size_t OpenedFiles::place_of(const std::string& domain) const {
    const auto own = std::ranges::find(imports_, domain, &DomainImport::domain);
    return own == imports_.end() ? 0 : static_cast<std::size_t>(own - imports_.begin());
}

std::size_t OpenedFiles::place_for(const QString& file, std::size_t looked_at) const {
    const auto matches = [name = QFileInfo(file).fileName()](const DomainImport& each) {
        return QDir::match(each.patterns, name);
    };
    if (matches(imports_[looked_at]))
        return looked_at;
    const auto other = std::ranges::find_if(imports_, matches);
    return other == imports_.end() ? looked_at : static_cast<std::size_t>(other - imports_.begin());
}

} // namespace sparsight
