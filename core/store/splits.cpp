#include "store/splits.h"

#include "store/sqlite.h"
#include "store/workspace.h"

namespace sparsight {

std::string_view name(SplitPart part) {
    constexpr std::array<std::string_view, all_split_parts.size()> names{"total", "train", "validation",
                                                                         "test"};
    return names[static_cast<std::size_t>(part)];
}

Result<void> save_split(Workspace& workspace, const Split& split) {
    Database& database = workspace.database();
    auto transaction = Transaction::begin(database);
    if (!transaction)
        return std::unexpected(std::move(transaction).error());
    if (auto done = database.run("DELETE FROM splits WHERE name = ?", split.name); !done)
        return done;
    if (auto done = database.run("INSERT INTO splits (name) VALUES (?)", split.name); !done)
        return done;
    const std::int64_t id = database.last_inserted_id();
    for (const SplitPart part : all_split_parts)
        for (std::int64_t position = 0; const WorkloadId workload : split[part])
            if (auto done = database.run(
                    "INSERT INTO split_members (split_id, part, position, workload_id) VALUES (?, ?, ?, ?)",
                    id, name(part), position++, workload);
                !done)
                return done;
    return transaction->commit();
}

Result<std::optional<Split>> find_split(Workspace& workspace, std::string_view split_name) {
    Database& database = workspace.database();
    const auto id = database.first([](Statement& row) { return row.integer(0); },
                                   "SELECT id FROM splits WHERE name = ?", split_name);
    if (!id)
        return std::unexpected(id.error());
    if (!*id)
        return std::nullopt;
    Split split;
    split.name = split_name;
    for (const SplitPart part : all_split_parts) {
        auto members = database.all(
            [](Statement& row) { return row.id<WorkloadId>(0); },
            "SELECT workload_id FROM split_members WHERE split_id = ? AND part = ? ORDER BY position", **id,
            name(part));
        if (!members)
            return std::unexpected(std::move(members).error());
        split[part] = std::move(*members);
    }
    return split;
}

Result<std::vector<std::string>> split_names(Workspace& workspace) {
    return workspace.database().all([](Statement& row) { return row.text(0); },
                                    "SELECT name FROM splits ORDER BY id");
}

} // namespace sparsight
