#include "domains/sparse/storage/matrices.h"

#include "domains/sparse/schedule/sparse_setting.h"
#include "domains/sparse/storage/pattern_codec.h"
#include "domains/sparse/storage/pattern_storage.h"
#include "store/workspace.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <utility>

namespace sparsight {

namespace {

using Json = nlohmann::ordered_json;

std::string facts_text(const CsrPattern& pattern) {
    return Json{{"rows", pattern.rows}, {"cols", pattern.cols}, {"nnz", pattern.nnz()}}.dump();
}

/// 0 where the fact is not known.
std::int64_t fact(const Json& facts, const char* name) {
    const auto found = facts.find(name);
    return found != facts.end() && found->is_number_integer() ? found->get<std::int64_t>() : 0;
}

} // namespace

MatrixRecord matrix_record(WorkloadRecord workload) {
    const Json facts = Json::parse(workload.known.facts, nullptr, /*allow_exceptions=*/false);
    const bool is_known = facts.is_object();
    return {.id = workload.id,
            .name = std::move(workload.name),
            .rows = is_known ? fact(facts, "rows") : 0,
            .cols = is_known ? fact(facts, "cols") : 0,
            .nnz = is_known ? fact(facts, "nnz") : 0,
            .source = std::move(workload.known.source),
            .content_hash = std::move(workload.known.content_hash),
            .statistics = std::move(workload.statistics),
            .pattern = workload.payload,
            .file = std::move(workload.file),
            .added = std::move(workload.added)};
}

Result<WorkloadId> add_matrix(Workspace& workspace, const MatrixOrigin& origin, const CsrPattern& pattern,
                              std::uint64_t stored_limit) {
    if (origin.name.empty())
        return fail(Fault::Input, "a matrix needs a name");
    const std::string hash = content_hash(pattern);
    WorkloadId id{};
    auto done = in_one_transaction(workspace, [&]() -> Result<void> {
        const auto known = find_matrix(workspace, origin.name);
        if (!known)
            return std::unexpected(known.error());
        if (*known && (*known)->pattern != PayloadPlace::Unknown) {
            const MatrixRecord& other = **known;
            id = other.id;
            if (other.content_hash == hash)
                return {};
            return fail(Fault::Input,
                        fmt::format("another matrix is called {} already: that one is {} × {} with {} "
                                    "non-zeros ({}), this one {} × {} with {}; give this one another name",
                                    origin.name, other.rows, other.cols, other.nnz, other.source,
                                    pattern.rows, pattern.cols, pattern.nnz()));
        }
        const auto named = add_workload_name(workspace, sparse_domain, origin.name, origin.source);
        if (!named)
            return std::unexpected(named.error());
        id = *named;
        if (auto described = describe_workload(workspace, id, {facts_text(pattern), origin.source, hash});
            !described)
            return described;
        return store_pattern(workspace, id, pattern, origin.file, stored_limit);
    });
    if (!done)
        return std::unexpected(std::move(done).error());
    return id;
}

Result<WorkloadId> add_matrix_name(Workspace& workspace, std::string_view name, std::string_view source) {
    if (name.empty())
        return fail(Fault::Input, "a matrix needs a name");
    return add_workload_name(workspace, sparse_domain, name, source);
}

Result<std::vector<MatrixRecord>> list_matrices(Workspace& workspace) {
    auto workloads = list_workloads(workspace, sparse_domain);
    if (!workloads)
        return std::unexpected(std::move(workloads).error());
    std::vector<MatrixRecord> matrices;
    matrices.reserve(workloads->size());
    for (WorkloadRecord& workload : *workloads)
        matrices.push_back(matrix_record(std::move(workload)));
    return matrices;
}

Result<std::optional<MatrixRecord>> find_matrix(Workspace& workspace, std::string_view name) {
    auto workload = find_workload(workspace, sparse_domain, name);
    if (!workload)
        return std::unexpected(std::move(workload).error());
    if (!*workload)
        return std::nullopt;
    return matrix_record(**std::move(workload));
}

} // namespace sparsight
