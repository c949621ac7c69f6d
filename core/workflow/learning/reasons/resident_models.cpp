#include "workflow/learning/reasons/resident_models.h"

#include "base/process.h"
#include "store/workspace_changes.h"

#include <algorithm>
#include <iterator>
#include <sys/stat.h>
#include <utility>

namespace sparsight {
namespace {

struct FileIdentity {
    std::uint64_t device = 0;
    std::uint64_t inode = 0;
};

/// Zeros: there is no such file.
FileIdentity identity_of(const std::filesystem::path& path) {
    struct stat facts{};
    if (::stat(path.c_str(), &facts) != 0)
        return {};
    return {static_cast<std::uint64_t>(facts.st_dev), static_cast<std::uint64_t>(facts.st_ino)};
}

/// The machine does not matter: a loaded model is asked about any.
bool is_for(const ModelQuery& query, const ModelQuery& other) {
    return query.model == other.model && query.threads == other.threads &&
           query.setting.domain == other.setting.domain && query.setting.text == other.setting.text &&
           query.setting.options == other.setting.options;
}

bool is_same(const ModelRecord& one, const ModelRecord& other) {
    return one.id == other.id && one.name == other.name && one.created == other.created &&
           one.bytes == other.bytes && one.description == other.description;
}

} // namespace

Result<void> ResidentModels::open(const std::filesystem::path& path) {
    const FileIdentity file = identity_of(path);
    if (open_ && open_->path == path && open_->device == file.device && open_->inode == file.inode)
        return {};
    models_.clear();
    open_.reset();
    auto workspace = Workspace::open(path, {.access = WorkspaceAccess::Read});
    if (!workspace)
        return std::unexpected(std::move(workspace).error());
    const auto version = seen_version(*workspace);
    if (!version)
        return std::unexpected(version.error());
    open_.emplace(OpenFile{*std::move(workspace), path, file.device, file.inode, *version});
    return {};
}

Result<void> ResidentModels::take_changes() {
    const auto version = seen_version(open_->workspace);
    if (!version)
        return std::unexpected(version.error());
    if (*version == open_->version)
        return {};
    const auto records = list_models(open_->workspace);
    if (!records)
        return std::unexpected(records.error());
    std::erase_if(models_, [&](const Loaded& loaded) {
        return std::ranges::none_of(
            *records, [&](const ModelRecord& record) { return is_same(record, loaded.record); });
    });
    for (Loaded& loaded : models_)
        loaded.model.reread_workspace();
    open_->version = *version;
    return {};
}

Result<const QueriedModel*> ResidentModels::find(const ModelQuery& query) {
    if (!open_)
        return fail(Fault::Input, "no workspace is open");
    if (auto taken = take_changes(); !taken)
        return std::unexpected(std::move(taken).error());
    const auto known =
        std::ranges::find_if(models_, [&](const Loaded& loaded) { return is_for(query, loaded.query); });
    if (known != models_.end()) {
        std::rotate(models_.begin(), known, std::next(known));
        return &models_.front().model;
    }
    auto record = require_model(open_->workspace, query.model);
    if (!record)
        return std::unexpected(std::move(record).error());
    auto model = QueriedModel::load(open_->workspace, domains_, query);
    if (!model)
        return std::unexpected(std::move(model).error());
    model->keep_looks(limits_.workloads);
    models_.push_front({query, *std::move(record), *std::move(model)});
    while (models_.size() > limits_.models)
        models_.pop_back();
    return &models_.front().model;
}

bool ResidentModels::keep_within_limit() {
    if (models_.empty() || occupied_memory() <= limits_.bytes)
        return false;
    models_.clear();
    return true;
}

} // namespace sparsight
