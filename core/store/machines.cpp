#include "store/machines.h"

#include "base/plural.h"
#include "store/sqlite.h"
#include "store/workspace.h"

#include <fmt/format.h>

namespace sparsight {

namespace {

MachineRecord read_machine(Statement& row) {
    return {row.id<MachineId>(0), row.text(1), row.text(2), row.text(3), row.text(4)};
}

Result<void> require_no_times(Workspace& workspace, MachineId machine, std::string_view otherwise) {
    const auto count = count_measurements_on(workspace, machine);
    if (!count)
        return std::unexpected(count.error());
    if (*count == 0)
        return {};
    return fail(Fault::Input, fmt::format("{} stored for this machine, which {}",
                                          counted(*count, "time is", "times are"), otherwise));
}

} // namespace

Result<MachineId> record_machine(Workspace& workspace, std::string_view name, std::string_view fingerprint,
                                 std::string_view description) {
    if (name.empty() || fingerprint.empty())
        return fail(Fault::Input, "a machine needs a name and a fingerprint");
    auto transaction = Transaction::begin(workspace.database());
    if (!transaction)
        return std::unexpected(std::move(transaction).error());
    const auto id = workspace.database().first(
        [](Statement& row) { return row.id<MachineId>(0); },
        "INSERT INTO machines (name, fingerprint, description) VALUES (?, ?, ?) "
        "ON CONFLICT (fingerprint) DO UPDATE SET name = excluded.name, description = excluded.description, "
        "    probed = excluded.probed "
        "RETURNING id",
        name, fingerprint, description);
    if (!id)
        return std::unexpected(id.error());
    if (auto done = transaction->commit(); !done)
        return std::unexpected(std::move(done).error());
    return id->value_or(MachineId{});
}

Result<MachineId> recorded_machine(Workspace& workspace, std::string_view name) {
    if (name.empty())
        return fail(Fault::Input,
                    "recorded runtimes need the name of the machine that they were measured on");
    const auto known = find_machine(workspace, name);
    if (!known)
        return std::unexpected(known.error());
    if (*known && !(*known)->fingerprint.starts_with("recorded:"))
        return fail(
            Fault::Input,
            fmt::format("'{}' is a computer that is measured in this workspace; recorded runtimes could "
                        "replace what was measured, so give their machine another name",
                        name));
    if (*known)
        return (*known)->id;
    return record_machine(workspace, name, fmt::format("recorded:{}", name), "{}");
}

Result<void> change_machine(Workspace& workspace, MachineId machine, std::string_view name,
                            std::string_view description) {
    return in_one_transaction(workspace, [&]() -> Result<void> {
        if (auto free = require_no_times(workspace, machine, "would be those of another one"); !free)
            return free;
        return workspace.database().run("UPDATE machines SET name = ?, description = ? WHERE id = ?", name,
                                        description, machine);
    });
}

Result<void> remove_machine(Workspace& workspace, MachineId machine) {
    return in_one_transaction(workspace, [&]() -> Result<void> {
        if (auto free = require_no_times(workspace, machine, "would be lost"); !free)
            return free;
        return workspace.database().run("DELETE FROM machines WHERE id = ?", machine);
    });
}

Result<std::int64_t> remove_machine_with_times(Workspace& workspace, MachineId machine) {
    std::int64_t times = 0;
    const auto done = in_one_transaction(workspace, [&]() -> Result<void> {
        const auto count = count_measurements_on(workspace, machine);
        if (!count)
            return std::unexpected(count.error());
        times = *count;
        return workspace.database().run("DELETE FROM machines WHERE id = ?", machine); // they go with it
    });
    return done ? Result<std::int64_t>(times) : std::unexpected(done.error());
}

Result<std::int64_t> count_measurements_on(Workspace& workspace, MachineId machine) {
    const auto count =
        workspace.database().first([](Statement& row) { return row.integer(0); },
                                   "SELECT count(*) FROM measurements WHERE machine_id = ?", machine);
    if (!count)
        return std::unexpected(count.error());
    return count->value_or(0);
}

Result<std::vector<MachineRecord>> list_machines(Workspace& workspace) {
    return workspace.database().all(
        read_machine, "SELECT id, name, fingerprint, description, probed FROM machines ORDER BY id");
}

Result<std::optional<MachineRecord>> find_machine(Workspace& workspace, std::string_view name) {
    const auto found = workspace.database().all(
        read_machine,
        "SELECT id, name, fingerprint, description, probed FROM machines WHERE name = ?1 OR fingerprint = ?1 "
        "ORDER BY fingerprint = ?1 DESC, id",
        name);
    if (!found)
        return std::unexpected(found.error());
    if (found->empty())
        return std::nullopt;
    if (found->size() > 1 && found->front().fingerprint != name) {
        std::vector<std::string> fingerprints;
        for (const MachineRecord& machine : *found)
            fingerprints.push_back(machine.fingerprint);
        return fail(Fault::Input, fmt::format("{} machines are called {}; say which by its fingerprint: {}",
                                              found->size(), name, fmt::join(fingerprints, ", ")));
    }
    return found->front();
}

} // namespace sparsight
