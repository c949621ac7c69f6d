#include "collection/collection_plan.h"

#include "domains/sparse/storage/schedules.h"
#include "store/workspace.h"

#include <algorithm>
#include <fmt/format.h>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace sparsight {

namespace {

struct ChosenMatrices {
    std::vector<MatrixRecord> records;
    std::vector<CollectionFailure> failures;
};

Result<ChosenMatrices> every_matrix(std::vector<MatrixRecord> records) {
    std::erase_if(records,
                  [](const MatrixRecord& record) { return record.pattern == PayloadPlace::Unknown; });
    if (records.empty())
        return fail(Fault::Input, "the workspace has no matrix to measure on: import or simulate one first");
    return ChosenMatrices{std::move(records), {}};
}

Result<ChosenMatrices> choose_matrices(Workspace& workspace, const std::vector<std::string>& wanted) {
    auto records = list_matrices(workspace);
    if (!records)
        return std::unexpected(records.error());
    if (wanted.empty())
        return every_matrix(std::move(*records));
    ChosenMatrices chosen;
    std::unordered_set<std::string_view> seen;
    for (const std::string& name : wanted) {
        if (!seen.insert(name).second)
            continue;
        const auto found = std::ranges::find(*records, name, &MatrixRecord::name);
        if (found != records->end())
            chosen.records.push_back(*found);
        else
            chosen.failures.push_back(
                {name, "", {Fault::Input, "the workspace has no matrix of this name", {}, 0}});
    }
    if (chosen.records.empty())
        return fail(Fault::Input,
                    fmt::format("the workspace has no matrix named '{}'", fmt::join(wanted, "', '")));
    return chosen;
}

using RuntimesByMatrix = std::unordered_map<std::int64_t, std::vector<StoredRuntime>>;

/// What a search goes on from.
Result<RuntimesByMatrix> known_runtimes(Workspace& workspace, MachineId machine,
                                        const CollectionRequest& request) {
    auto stored = list_runtimes(workspace, {machine, request.op, request.dense,
                                            std::string(name(request.protocol)), request.threads});
    if (!stored)
        return std::unexpected(stored.error());
    RuntimesByMatrix by_matrix;
    for (StoredRuntime& runtime : *stored)
        by_matrix[static_cast<std::int64_t>(runtime.matrix)].push_back(std::move(runtime));
    return by_matrix;
}

MatrixPlan plan_search(MatrixRecord matrix, const CollectionRequest& request, const RuntimesByMatrix& known) {
    const auto& searched = std::get<SearchedSchedules>(request.schedules);
    const Extents extents = sparsight::extents(request.op, matrix.rows, matrix.cols, dense_of(request));
    MeasuredSearch search(request.op, extents, request.threads, random_of_matrix(searched.seed, matrix.name));
    if (const auto stored = known.find(static_cast<std::int64_t>(matrix.id)); stored != known.end())
        for (const StoredRuntime& runtime : stored->second)
            search.know(runtime.schedule,
                        runtime.status == MeasurementStatus::Measured ? runtime.median_ms : std::nullopt);
    return {std::move(matrix), static_cast<std::size_t>(searched.count) + 1, std::move(search)};
}

Result<MatrixPlan> plan_list(Workspace& workspace, MachineId machine, MatrixRecord matrix,
                             const CollectionRequest& request) {
    const Extents extents = sparsight::extents(request.op, matrix.rows, matrix.cols, dense_of(request));
    std::vector<SuperSchedule> schedules =
        schedules_for(request.schedules, request.op, matrix.name, extents, request.threads);
    const std::size_t wanted = schedules.size();
    auto missing = request.again ? Result<std::vector<SuperSchedule>>(std::move(schedules))
                                 : missing_schedules(workspace, setting_of(request, machine, matrix.id),
                                                     request.op, schedules);
    if (!missing)
        return std::unexpected(missing.error());
    return MatrixPlan(std::move(matrix), wanted, std::move(*missing));
}

} // namespace

MatrixPlan::MatrixPlan(MatrixRecord matrix, std::size_t wanted, std::vector<SuperSchedule> missing)
    : matrix_(std::move(matrix))
    , wanted_(wanted)
    , stored_(wanted - missing.size())
    , missing_(std::move(missing)) {}

MatrixPlan::MatrixPlan(MatrixRecord matrix, std::size_t wanted, MeasuredSearch search)
    : matrix_(std::move(matrix))
    , wanted_(wanted)
    , stored_(std::min(wanted, search.known_count()))
    , search_(std::move(search)) {
    ask_search();
}

void MatrixPlan::finish(const Measurement* measurement) {
    const SuperSchedule measured = missing_[next_++];
    if (!search_)
        return;
    const bool has_median = measurement != nullptr && measurement->status == MeasurementStatus::Measured;
    search_->know(measured, has_median ? std::optional(measurement->median.count()) : std::nullopt);
    ask_search();
}

void MatrixPlan::ask_search() {
    if (search_->known_count() >= wanted_)
        return;
    if (const auto found = search_->next())
        missing_.push_back(*found);
    else
        wanted_ = search_->known_count();
}

std::int64_t dense_of(const CollectionRequest& request) {
    return request.op == Operator::SpMV ? 1 : request.dense;
}

MeasurementSetting setting_of(const CollectionRequest& request, MachineId machine, WorkloadId matrix) {
    return {matrix, machine, dense_of(request), std::string(name(request.protocol))};
}

Result<CollectionPlan> plan_collection(Workspace& workspace, MachineId machine,
                                       const CollectionRequest& request) {
    auto chosen = choose_matrices(workspace, request.matrices);
    if (!chosen)
        return std::unexpected(chosen.error());
    const bool searches = std::holds_alternative<SearchedSchedules>(request.schedules);
    auto known = searches ? known_runtimes(workspace, machine, request) : Result<RuntimesByMatrix>();
    if (!known)
        return std::unexpected(known.error());
    CollectionPlan plan{{}, std::move(chosen->failures)};
    for (MatrixRecord& matrix : chosen->records) {
        auto planned = searches ? Result<MatrixPlan>(plan_search(std::move(matrix), request, *known))
                                : plan_list(workspace, machine, std::move(matrix), request);
        if (!planned)
            return std::unexpected(planned.error());
        plan.matrices.push_back(std::move(*planned));
    }
    return plan;
}

} // namespace sparsight
