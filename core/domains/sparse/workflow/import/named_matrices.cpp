#include "domains/sparse/workflow/import/named_matrices.h"

#include "base/files.h"
#include "base/names.h"
#include "base/parallel.h"
#include "domains/sparse/tensor/matrix_files.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

namespace sparsight {

Result<MatrixRecord> matrix_named(Workspace& workspace, const std::string& name) {
    auto found = find_matrix(workspace, name);
    if (!found)
        return std::unexpected(found.error());
    if (*found)
        return std::move(**found);
    const auto all = list_matrices(workspace);
    if (!all)
        return std::unexpected(all.error());
    constexpr std::size_t few = 8;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < std::min(few, all->size()); ++i)
        names.push_back((*all)[i].name);
    return fail(Fault::Input, fmt::format("the workspace has no matrix '{}'; it has {}{}", name,
                                          names.empty() ? std::string("none") : list_names(names),
                                          all->size() > few ? fmt::format(" and {} more", all->size() - few)
                                                            : std::string()));
}

Result<WorkspaceMatrix> find_in_workspace(const WorkspaceLocation& location, const std::string& text) {
    if (!location.is_expected())
        return fail(Fault::Input,
                    fmt::format("there is no file '{}', and no workspace {} that could have a matrix "
                                "of this name",
                                text, location.path));
    auto workspace = location.open(WorkspaceAccess::Read);
    if (!workspace)
        return std::unexpected(std::move(workspace).error());
    auto record = matrix_named(*workspace, text);
    if (!record && record.error().file.empty())
        record.error().message += "; nor is there a file of this name";
    if (!record)
        return std::unexpected(std::move(record).error());
    if (record->pattern == PayloadPlace::Unknown)
        return fail(Fault::Input,
                    fmt::format("the workspace knows '{}' by its name alone: only runtimes of it were "
                                "imported, not its entries",
                                text));
    return WorkspaceMatrix{std::move(*workspace), std::move(*record)};
}

Result<NamedMatrix> load_named_matrix(const WorkspaceLocation& location, const std::string& text) {
    if (names_file(text)) {
        auto loaded = read_matrix(text);
        if (!loaded)
            return std::unexpected(std::move(loaded).error());
        return NamedMatrix{loaded->name, text, std::move(loaded->pattern)};
    }
    auto found = find_in_workspace(location, text);
    if (!found)
        return std::unexpected(std::move(found).error());
    auto pattern = load_pattern(found->workspace, found->record.id);
    if (!pattern)
        return std::unexpected(std::move(pattern).error());
    return NamedMatrix{found->record.name, found->record.source, std::move(*pattern)};
}

Json statistics_json(const PatternStatistics& statistics) {
    return Json::parse(statistics_text(statistics));
}

Result<Json> StatisticsKeeper::statistics(const MatrixRecord& matrix) {
    if (const auto kept = parse_statistics(matrix.statistics))
        return statistics_json(*kept);
    const auto pattern = load_pattern(workspace_, matrix.id);
    if (!pattern)
        return std::unexpected(pattern.error());
    const PatternStatistics computed = compute_statistics(*pattern, available_threads());
    computed_.push_back({matrix.id, statistics_text(computed)});
    return statistics_json(computed);
}

Result<void> StatisticsKeeper::keep(const WorkspaceLocation& location) const {
    if (computed_.empty())
        return {};
    auto workspace = location.open(WorkspaceAccess::ReadWrite);
    if (!workspace)
        return {};
    return in_one_transaction(*workspace, [&]() -> Result<void> {
        for (const Computed& computed : computed_)
            if (auto kept = set_statistics(*workspace, computed.matrix, computed.json); !kept)
                return kept;
        return {};
    });
}

} // namespace sparsight
