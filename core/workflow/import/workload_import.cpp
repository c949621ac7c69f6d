#include "workflow/import/workload_import.h"

#include "base/digest.h"
#include "store/workloads.h"
#include "workflow/chosen_setting.h"

#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace sparsight {

namespace {

std::string absolute_path(const std::string& file) {
    std::error_code error;
    const auto absolute = std::filesystem::absolute(file, error);
    return error ? file : absolute.lexically_normal().string();
}

std::string digest_of(const std::string& text) {
    Digest digest;
    digest.add(text);
    return fmt::format("{:016x}", digest.value());
}

/// Error (Input): the workspace knows another workload of this name.
Result<ImportedWorkload> import_one(Workspace& workspace, const Domain& domain,
                                    const DescribedWorkload& described, const std::string& source) {
    const auto known = find_workload(workspace, domain.name(), described.name);
    if (!known)
        return std::unexpected(known.error());
    Json facts = Json::object();
    for (const auto& [name, value] : described.facts)
        facts[name] = value;
    ImportedWorkload imported{described.name, source, facts.dump(), false};
    const WorkloadFacts stored{imported.facts, source, digest_of(imported.facts)};
    if (*known && !(*known)->known.content_hash.empty()) {
        if ((*known)->known.content_hash != stored.content_hash)
            return fail(Fault::Input, fmt::format("the workspace has another {} of the name {}: expected the "
                                                  "same one or a new name",
                                                  domain.words().workload.one, described.name));
        imported.already_there = true;
        return imported;
    }
    const auto id = add_workload_name(workspace, domain.name(), described.name, source);
    if (!id)
        return std::unexpected(id.error());
    if (auto done = describe_workload(workspace, *id, stored); !done)
        return std::unexpected(std::move(done).error());
    return imported;
}

Result<std::vector<ImportedWorkload>> import_file(Workspace& workspace, const Domain& domain,
                                                  const std::string& file) {
    const auto described = domain.read_workloads(file);
    if (!described)
        return std::unexpected(described.error());
    std::vector<ImportedWorkload> imported;
    const auto done = in_one_transaction(workspace, [&]() -> Result<void> {
        for (const DescribedWorkload& each : *described) {
            auto one = import_one(workspace, domain, each, absolute_path(file));
            if (!one) {
                if (one.error().file.empty())
                    one.error().file = file;
                return std::unexpected(std::move(one).error());
            }
            imported.push_back(*std::move(one));
        }
        return {};
    });
    if (!done)
        return std::unexpected(done.error());
    return imported;
}

} // namespace

Json imported_json(const ImportedWorkload& workload) {
    return {{"name", workload.name},
            {"source", workload.source},
            {"facts", Json::parse(workload.facts)},
            {"already_there", workload.already_there}};
}

Result<WorkloadImport> import_workloads(Workspace& workspace, const Domain& domain,
                                        const std::vector<std::string>& files, Observer& observer,
                                        const std::stop_token& stop) {
    const auto before = workload_names(workspace);
    if (!before)
        return std::unexpected(before.error());
    if (before->empty())
        if (auto kept = keep_domain(workspace, domain); !kept)
            return std::unexpected(std::move(kept).error());
    observer.start({{"files", files.size()}});
    WorkloadImport report;
    for (const std::string& file : files) {
        if (stop.stop_requested())
            break;
        observer.progress(
            {.stage = fmt::format("reading {}", file), .done = report.files, .total = files.size()});
        ++report.files;
        auto imported = import_file(workspace, domain, file);
        if (!imported) {
            if (imported.error().file == workspace.path().string())
                return std::unexpected(std::move(imported).error());
            observer.event("failed", failure_json(imported.error()));
            observer.complain(imported.error());
            report.failed.push_back(std::move(imported).error());
            continue;
        }
        for (ImportedWorkload& each : *imported) {
            observer.event("imported", imported_json(each));
            report.imported.push_back(std::move(each));
        }
    }
    observer.progress({.stage = "imported", .done = report.files, .total = files.size()});
    return report;
}

} // namespace sparsight
