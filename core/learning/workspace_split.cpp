#include "learning/workspace_split.h"

#include "store/splits.h"

#include <fmt/ranges.h>
#include <string>
#include <unordered_map>

namespace sparsight {

namespace {

/// The side of a stored split, as places in the task set.
std::vector<std::size_t> places_of(const std::vector<MatrixId>& members,
                                   const std::unordered_map<MatrixId, std::size_t>& places) {
    std::vector<std::size_t> side;
    for (const MatrixId member : members)
        if (const auto found = places.find(member); found != places.end())
            side.push_back(found->second);
    return side;
}

Result<std::unordered_map<std::string, MatrixId>> ids_by_name(Workspace& workspace) {
    const auto records = list_matrices(workspace);
    if (!records)
        return std::unexpected(records.error());
    std::unordered_map<std::string, MatrixId> ids;
    for (const MatrixRecord& record : *records)
        ids.emplace(record.name, record.id);
    return ids;
}

} // namespace

Result<MatrixSplit> load_split(Workspace& workspace, std::string_view name, const TaskSet& set) {
    const auto stored = find_split(workspace, name);
    if (!stored)
        return std::unexpected(stored.error());
    if (!*stored) {
        const auto names = split_names(workspace);
        if (!names)
            return std::unexpected(names.error());
        return fail(Fault::Input, fmt::format("the workspace has no split '{}'{}{}", name,
                                              names->empty() ? "" : "; it has ", fmt::join(*names, ", ")));
    }
    const auto ids = ids_by_name(workspace);
    if (!ids)
        return std::unexpected(ids.error());
    std::unordered_map<MatrixId, std::size_t> places;
    for (std::size_t place = 0; place < set.matrices.size(); ++place)
        if (const auto found = ids->find(set.matrices[place].name); found != ids->end())
            places.emplace(found->second, place);
    MatrixSplit split{places_of((**stored)[SplitPart::Train], places),
                      places_of((**stored)[SplitPart::Validation], places),
                      places_of((**stored)[SplitPart::Test], places)};
    if (split.train.empty())
        return fail(Fault::Input,
                    fmt::format("none of the training matrices of the split '{}' can be learned from", name));
    return split;
}

Result<void> keep_split(Workspace& workspace, std::string_view name, const MatrixSplit& split,
                        const TaskSet& set) {
    const auto ids = ids_by_name(workspace);
    if (!ids)
        return std::unexpected(ids.error());
    Split stored{std::string(name), {}};
    const auto keep = [&](SplitPart part, const std::vector<std::size_t>& side) {
        for (const std::size_t place : side)
            if (const auto id = ids->find(set.matrices[place].name); id != ids->end()) {
                stored[part].push_back(id->second);
                stored[SplitPart::Total].push_back(id->second);
            }
    };
    keep(SplitPart::Train, split.train);
    keep(SplitPart::Validation, split.validation);
    keep(SplitPart::Test, split.test);
    return save_split(workspace, stored);
}

} // namespace sparsight
