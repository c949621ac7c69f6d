#include "workflow/learning/training/derived_matrices.h"

#include "domains/sparse/encoder/sparse_tasks.h"
#include "domains/sparse/storage/pattern_storage.h"
#include "learning/tasks/splits.h"

#include <algorithm>
#include <array>
#include <utility>

namespace sparsight {

namespace {

std::tuple<std::int64_t, std::int64_t, std::int64_t> size_of(const MatrixRecord& matrix) {
    const auto [shorter, longer] = std::minmax(matrix.rows, matrix.cols);
    return {shorter, longer, matrix.nnz};
}

} // namespace

Result<DerivedMatrices> DerivedMatrices::read(Workspace& workspace, int threads) {
    auto records = list_matrices(workspace);
    if (!records)
        return std::unexpected(std::move(records).error());
    DerivedMatrices siblings(workspace, threads);
    for (MatrixRecord& matrix : *records) {
        siblings.by_stem_[name_stem(matrix.name)].push_back(matrix.name);
        if (matrix.pattern != PayloadPlace::Unknown)
            siblings.by_size_[size_of(matrix)].push_back(matrix.name);
        siblings.by_name_.emplace(matrix.name, std::move(matrix));
    }
    return siblings;
}

bool DerivedMatrices::have_one_shape(const MatrixRecord& one, const MatrixRecord& other) const {
    if (!one.content_hash.empty() && one.content_hash == other.content_hash)
        return true;
    const auto first = matrix_statistics(*workspace_, one, threads_);
    const auto second = matrix_statistics(*workspace_, other, threads_);
    if (!first || !second)
        return true;
    const std::array both{task_workload(one.name, *first, {}), task_workload(other.name, *second, {})};
    return workload_families(both)[1] == 0;
}

std::set<std::string> DerivedMatrices::with_derived_matrices(const std::set<std::string>& names) const {
    std::set<std::string> found = names;
    std::vector<std::string> unseen(names.begin(), names.end());
    const auto add = [&](const std::string& name) {
        if (found.insert(name).second)
            unseen.push_back(name);
    };
    while (!unseen.empty()) {
        const std::string name = std::move(unseen.back());
        unseen.pop_back();
        if (const auto stem = by_stem_.find(name_stem(name)); stem != by_stem_.end())
            std::ranges::for_each(stem->second, add);
        const auto matrix = by_name_.find(name);
        if (matrix == by_name_.end() || matrix->second.pattern == PayloadPlace::Unknown)
            continue;
        for (const std::string& other : by_size_.at(size_of(matrix->second)))
            if (!found.contains(other) && have_one_shape(matrix->second, by_name_.at(other)))
                add(other);
    }
    return found;
}

std::set<WorkloadId> DerivedMatrices::ids_with_derived_matrices(const std::string& name) const {
    std::set<WorkloadId> ids;
    for (const std::string& each : with_derived_matrices({name}))
        if (const auto matrix = by_name_.find(each); matrix != by_name_.end())
            ids.insert(matrix->second.id);
    return ids;
}

} // namespace sparsight
