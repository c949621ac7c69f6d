#include "store/machines.h"

#include "base/names.h"
#include "base/text.h"
#include "store/sqlite.h"
#include "store/workspace.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>

namespace sparsight {

namespace {

MachineRecord read_machine(Statement& row) {
    return {row.id<MachineId>(0), row.text(1), row.text(2), row.text(3), row.text(4)};
}

std::string facts_key(MachineId machine) {
    return fmt::format("facts of machine {}", static_cast<std::int64_t>(machine));
}

/// Behind it stands the name of a domain.
std::string tables_key(MachineId machine) {
    return fmt::format("table of machine {} in ", static_cast<std::int64_t>(machine));
}

/// With its times, facts and tables: SQLite gives its number to a machine that is added later.
Result<void> delete_machine(Workspace& workspace, MachineId machine) {
    if (auto done = workspace.database().run("DELETE FROM settings WHERE name = ?", facts_key(machine));
        !done)
        return done;
    if (auto done =
            workspace.database().run("DELETE FROM settings WHERE name LIKE ? || '%'", tables_key(machine));
        !done)
        return done;
    return workspace.database().run("DELETE FROM machines WHERE id = ?", machine);
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
    if (*known && !is_recording((*known)->fingerprint))
        return fail(Fault::Input, fmt::format("'{}' is a measured computer of this workspace: give the "
                                              "machine of the recorded runtimes another name",
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
        return delete_machine(workspace, machine);
    });
}

Result<std::int64_t> remove_machine_with_times(Workspace& workspace, MachineId machine) {
    std::int64_t times = 0;
    const auto done = in_one_transaction(workspace, [&]() -> Result<void> {
        const auto count = count_measurements_on(workspace, machine);
        if (!count)
            return std::unexpected(count.error());
        times = *count;
        return delete_machine(workspace, machine);
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

Result<std::optional<MachineRecord>> find_named_machine(Workspace& workspace, std::string_view name) {
    auto exact = find_machine(workspace, name);
    if (!exact || *exact || name.empty())
        return exact;
    auto machines = list_machines(workspace);
    if (!machines)
        return std::unexpected(std::move(machines).error());
    std::erase_if(*machines, [&](const MachineRecord& machine) { return !begins_with(machine.name, name); });
    const auto is_whole = [&](const MachineRecord& machine) { return machine.name.size() == name.size(); };
    if (std::ranges::count_if(*machines, is_whole) == 1)
        std::erase_if(*machines, std::not_fn(is_whole));
    if (machines->empty())
        return std::nullopt;
    if (machines->size() == 1)
        return std::move(machines->front());
    std::vector<std::string> names; // two machines may have one name
    for (const MachineRecord& machine : *machines)
        names.push_back(std::ranges::count(*machines, machine.name, &MachineRecord::name) > 1
                            ? fmt::format("{} ({})", name_in_list(machine.name), machine.fingerprint)
                            : name_in_list(machine.name));
    return fail(Fault::Input, fmt::format("the names of {} machines begin with \"{}\": expected one of {}",
                                          names.size(), name, fmt::join(names, ", ")));
}

Result<std::vector<std::string>> rejoined_machines(Workspace& workspace, std::span<const std::string> words) {
    const auto machines = list_machines(workspace);
    if (!machines)
        return std::unexpected(machines.error());
    std::vector<std::string> joined;
    for (std::size_t at = 0; at < words.size();) {
        std::string name = words[at];
        std::size_t used = 1;
        std::string together = words[at];
        for (std::size_t next = at + 1; next < words.size(); ++next) {
            together += "," + words[next];
            if (std::ranges::find(*machines, together, &MachineRecord::name) != machines->end()) {
                name = together;
                used = next + 1 - at;
            }
        }
        joined.push_back(std::move(name));
        at += used;
    }
    return joined;
}

std::unexpected<Error> unknown_machine(Workspace& workspace, std::string_view name) {
    const auto machines = list_machines(workspace);
    if (!machines)
        return std::unexpected(machines.error());
    std::vector<std::string> names;
    for (const MachineRecord& machine : *machines)
        names.push_back(machine.name);
    return fail(Fault::Input, fmt::format("there is no machine \"{}\"; known machines: {}", name,
                                          names.empty() ? "none" : list_known(std::move(names), name)));
}

Result<MachineRecord> require_machine(Workspace& workspace, std::string_view name) {
    auto found = find_named_machine(workspace, name);
    if (!found)
        return std::unexpected(std::move(found).error());
    if (!*found)
        return unknown_machine(workspace, name);
    return **std::move(found);
}

namespace {

Result<std::vector<MachineRecord>> machines_named(Workspace& workspace, const std::string& name) {
    auto machines = list_machines(workspace);
    if (machines)
        std::erase_if(*machines, [&](const MachineRecord& machine) { return machine.name != name; });
    return machines;
}

Result<MachineRecord> recorded(Workspace& workspace, const MachineDescription& machine,
                               const std::string& fingerprint) {
    const auto id = record_machine(workspace, machine.name, fingerprint, machine_to_text(machine));
    if (!id)
        return std::unexpected(id.error());
    auto stored = find_machine(workspace, fingerprint);
    if (!stored)
        return std::unexpected(std::move(stored).error());
    return std::move(**stored);
}

/// That of the description, unless a machine that was changed since has it.
Result<std::string> free_fingerprint(Workspace& workspace, const MachineDescription& machine) {
    const std::string wanted = machine.fingerprint();
    std::string free = wanted;
    for (int number = 2;; ++number) {
        const auto known = find_machine(workspace, free);
        if (!known)
            return std::unexpected(known.error());
        if (!*known)
            return free;
        free = fmt::format("{}-{}", wanted, number);
    }
}

/// A calibration alone tells none: it started from typical values, and better ones are welcome.
bool facts_are_known(const MachineRecord& record) {
    auto machine = description_of(record);
    if (!machine)
        return false;
    machine->coefficients.clear();
    machine->calibration = {};
    MachineDescription nothing;
    nothing.name = machine->name;
    nothing.source = machine->source;
    return *machine != nothing;
}

/// As add_machine(), where no machine has the name.
Result<MachineRecord> add_named(Workspace& workspace, const MachineDescription& machine) {
    if (machine.source == MachineSource::Recorded)
        return recorded(workspace, machine, fmt::format("recorded:{}", machine.name));
    const auto known = find_machine(workspace, machine.fingerprint());
    if (!known)
        return std::unexpected(known.error());
    if (*known && machine.source == MachineSource::Probed) // two computers of the same build, or the same one
        return fail(Fault::Input,
                    fmt::format("the workspace has this computer already: '{}'", (*known)->name));
    const auto fingerprint = free_fingerprint(workspace, machine);
    if (!fingerprint)
        return std::unexpected(fingerprint.error());
    return recorded(workspace, machine, *fingerprint);
}

Result<AddedMachine> add_in_transaction(Workspace& workspace, MachineDescription machine) {
    const auto namesakes = machines_named(workspace, machine.name);
    if (!namesakes)
        return std::unexpected(namesakes.error());
    if (namesakes->empty()) {
        auto record = add_named(workspace, machine);
        if (!record)
            return std::unexpected(std::move(record).error());
        return AddedMachine{.record = *std::move(record)};
    }
    const MachineRecord& namesake = namesakes->front();
    if (description_of(namesake) == machine)
        return AddedMachine{.record = namesake, .is_new = false};
    if (namesakes->size() > 1 || facts_are_known(namesake) || !is_recording(namesake.fingerprint))
        return fail(Fault::Input, fmt::format("the workspace has a machine '{}' already", machine.name));
    machine.source = MachineSource::Recorded;
    auto record = recorded(workspace, machine, namesake.fingerprint);
    if (!record)
        return std::unexpected(std::move(record).error());
    return AddedMachine{.record = *std::move(record), .describes_recorded = true};
}

} // namespace

Result<AddedMachine> add_machine(Workspace& workspace, MachineDescription machine) {
    if (auto valid = validate(machine); !valid)
        return std::unexpected(std::move(valid).error());
    AddedMachine added;
    const auto done = in_one_transaction(workspace, [&]() -> Result<void> {
        auto result = add_in_transaction(workspace, std::move(machine));
        if (!result)
            return std::unexpected(std::move(result).error());
        added = *std::move(result);
        return {};
    });
    if (!done)
        return std::unexpected(done.error());
    return added;
}

Result<MachineRecord> change_simulated_machine(Workspace& workspace, MachineId id,
                                               const MachineDescription& machine) {
    if (auto valid = validate(machine); !valid)
        return std::unexpected(std::move(valid).error());
    MachineRecord changed;
    const auto done = in_one_transaction(workspace, [&]() -> Result<void> {
        const auto machines = list_machines(workspace);
        if (!machines)
            return std::unexpected(machines.error());
        for (const MachineRecord& each : *machines) {
            if (each.id == id)
                changed = each;
            else if (each.name == machine.name)
                return fail(Fault::Input, fmt::format("the workspace has a machine '{}' already", each.name));
        }
        if (!is_editable(changed))
            return fail(Fault::Input, fmt::format("'{}' is not a machine that was imagined: its numbers "
                                                  "are not there to choose",
                                                  changed.name));
        changed.name = machine.name;
        changed.description = machine_to_text(machine);
        return change_machine(workspace, id, changed.name, changed.description);
    });
    if (!done)
        return std::unexpected(done.error());
    return changed;
}

std::optional<MachineDescription> description_of(const MachineRecord& record) {
    auto machine = machine_from_text(record.description);
    return machine ? std::optional(*std::move(machine)) : std::nullopt;
}

bool is_editable(const MachineRecord& record) {
    const auto machine = description_of(record);
    // What simulated runtimes belong to has a longer fingerprint, which names the simulator.
    return machine && machine->source == MachineSource::Simulated &&
           !record.fingerprint.starts_with("simulated:");
}

Result<void> set_machine_facts(Workspace& workspace, MachineId machine, std::string_view facts) {
    return set_setting(workspace, facts_key(machine), facts);
}

Result<std::string> machine_facts(Workspace& workspace, MachineId machine) {
    auto facts = setting(workspace, facts_key(machine));
    if (!facts)
        return std::unexpected(std::move(facts).error());
    return facts->value_or(std::string());
}

Result<void> set_machine_table(Workspace& workspace, MachineId machine, std::string_view domain,
                               std::string_view table) {
    return set_setting(workspace, tables_key(machine) + std::string(domain), table);
}

Result<std::string> machine_table(Workspace& workspace, MachineId machine, std::string_view domain) {
    auto table = setting(workspace, tables_key(machine) + std::string(domain));
    if (!table)
        return std::unexpected(std::move(table).error());
    return table->value_or(std::string());
}

Result<MachineId> record_probed_machine(Workspace& workspace, MachineDescription machine) {
    const std::string fingerprint = machine.fingerprint();
    const auto known = find_machine(workspace, fingerprint);
    if (!known)
        return std::unexpected(known.error());
    if (*known)
        if (auto before = description_of(**known)) {
            machine.coefficients.insert(before->coefficients.begin(), before->coefficients.end());
            machine.calibration = std::move(before->calibration);
        }
    return record_machine(workspace, machine.name, fingerprint, machine_to_text(machine));
}

} // namespace sparsight
