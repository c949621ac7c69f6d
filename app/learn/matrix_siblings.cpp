#include "learn/matrix_siblings.h"

#include "learning/siblings.h"
#include "store/stored_statistics.h"

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

Result<MatrixSiblings> MatrixSiblings::read(Workspace& workspace, int threads) {
    auto records = list_matrices(workspace);
    if (!records)
        return std::unexpected(std::move(records).error());
    MatrixSiblings siblings(workspace, threads);
    for (MatrixRecord& matrix : *records) {
        siblings.by_stem_[name_stem(matrix.name)].push_back(matrix.name);
        if (matrix.pattern != PatternPlace::Unknown)
            siblings.by_size_[size_of(matrix)].push_back(matrix.name);
        siblings.by_name_.emplace(matrix.name, std::move(matrix));
    }
    return siblings;
}

bool MatrixSiblings::have_one_shape(const MatrixRecord& one, const MatrixRecord& other) const {
    if (!one.content_hash.empty() && one.content_hash == other.content_hash)
        return true;
    const auto first = matrix_statistics(*workspace_, one, threads_);
    const auto second = matrix_statistics(*workspace_, other, threads_);
    if (!first || !second)
        return true;
    const std::array both{TaskMatrix{one.name, *first, {}}, TaskMatrix{other.name, *second, {}}};
    return sibling_families(both)[1] == 0;
}

std::set<std::string> MatrixSiblings::with_siblings(const std::set<std::string>& names) const {
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
        if (matrix == by_name_.end() || matrix->second.pattern == PatternPlace::Unknown)
            continue;
        for (const std::string& other : by_size_.at(size_of(matrix->second)))
            if (!found.contains(other) && have_one_shape(matrix->second, by_name_.at(other)))
                add(other);
    }
    return found;
}

std::set<MatrixId> MatrixSiblings::ids_with_siblings(const std::string& name) const {
    std::set<MatrixId> ids;
    for (const std::string& each : with_siblings({name}))
        if (const auto matrix = by_name_.find(each); matrix != by_name_.end())
            ids.insert(matrix->second.id);
    return ids;
}

} // namespace sparsight
