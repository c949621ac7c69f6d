#include "domains/blocks/study/study_blocks.h"

#include "base/digest.h"
#include "base/random.h"
#include "domains/blocks/block_domain.h"
#include "store/machines.h"
#include "store/measurements.h"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <utility>

namespace sparsight {
namespace {

constexpr double iterations = 100;
constexpr std::string_view generated_blocks_machine = "zenp";

std::uint64_t mixed(std::string_view text, std::uint64_t seed) {
    Digest digest;
    digest.add(seed);
    digest.add(text);
    return Random(digest.value())();
}

StudyBlock block_of(const WorkloadRecord& record, bool& is_apart) {
    const auto facts = nlohmann::json::parse(record.known.facts, nullptr, /*allow_exceptions=*/false);
    StudyBlock block{.id = record.id, .name = record.name};
    if (!facts.is_object())
        return block;
    block.code = facts.value("code", "");
    block.applications = facts.value("applications", "");
    block.group = record.known.content_hash.empty() ? record.name : record.known.content_hash;
    is_apart = facts.value(std::string(stored_apart), false);
    return block;
}

/// The times of each machine, by name: of several protocols those with most.
Result<std::map<std::string, RuntimeQuery>> timed_machines(Workspace& workspace) {
    const auto counted = count_runtimes(workspace, {std::string(blocks_domain), {}});
    if (!counted)
        return std::unexpected(counted.error());
    const auto known = list_machines(workspace);
    if (!known)
        return std::unexpected(known.error());
    std::map<std::string, RuntimeQuery> queries;
    for (const CountedRuntimes& each : *counted)
        if (const auto machine = std::ranges::find(*known, each.query.machine, &MachineRecord::id);
            machine != known->end())
            queries.try_emplace(machine->name, each.query);
    return queries;
}

Result<void> choose_machines(const std::map<std::string, RuntimeQuery>& queries,
                             std::vector<std::string>& machines) {
    if (machines.empty())
        for (const auto& [name, query] : queries)
            if (name != generated_blocks_machine)
                machines.push_back(name);
    std::ranges::sort(machines);
    machines.erase(std::ranges::unique(machines).begin(), machines.end());
    for (const std::string& machine : machines)
        if (!queries.contains(machine)) {
            std::vector<std::string> names;
            for (const auto& [name, query] : queries)
                names.push_back(name);
            return fail(Fault::Input, fmt::format("no block has a time on '{}', expected some of: {}",
                                                  machine, fmt::join(names, ", ")));
        }
    if (machines.empty())
        return fail(Fault::Input, "the workspace has no times of blocks: see `import-blocks --help`");
    return {};
}

} // namespace

StudySide side_of_group(std::string_view group, std::uint64_t seed) {
    switch (mixed(group, seed) % 10) {
    case 0:
        return StudySide::Test;
    case 1:
        return StudySide::Validation;
    default:
        return StudySide::Train;
    }
}

std::size_t StudyBlocks::count(StudySide side, std::size_t machine) const {
    return static_cast<std::size_t>(std::ranges::count_if(
        blocks, [&](const StudyBlock& block) { return block.side == side && block.cycles[machine] > 0; }));
}

std::size_t StudyBlocks::training_blocks() const {
    std::size_t most = 0;
    for (std::size_t machine = 0; machine < machines.size(); ++machine)
        most = std::max(most, count(StudySide::Train, machine));
    return most;
}

std::vector<std::string> StudyBlocks::drawn(std::size_t machine, std::size_t count,
                                            std::uint64_t of_seed) const {
    std::map<std::pair<std::uint64_t, std::string>, std::string> first; // of each group
    for (const StudyBlock& block : blocks)
        if (block.side == StudySide::Train && block.cycles[machine] > 0)
            first.try_emplace({mixed(block.group, seed + 1000 * of_seed), block.group}, block.name);
    std::vector<std::string> names;
    for (const auto& [group, name] : first)
        if (names.size() < count)
            names.push_back(name);
    return names;
}

Result<StudyBlocks> read_study_blocks(Workspace& workspace, std::vector<std::string> machines,
                                      std::uint64_t seed) {
    const auto queries = timed_machines(workspace);
    if (!queries)
        return std::unexpected(queries.error());
    if (auto chosen = choose_machines(*queries, machines); !chosen)
        return std::unexpected(std::move(chosen).error());
    const auto records = list_workloads(workspace, blocks_domain);
    if (!records)
        return std::unexpected(records.error());
    StudyBlocks study{.machines = machines, .seed = seed};
    std::unordered_map<std::int64_t, std::size_t> places;
    for (const WorkloadRecord& record : *records) {
        bool is_apart = false;
        StudyBlock block = block_of(record, is_apart);
        study.apart += is_apart ? 1 : 0;
        if (is_apart || block.code.empty())
            continue;
        block.side = side_of_group(block.group, seed);
        block.cycles.assign(machines.size(), 0);
        places.emplace(static_cast<std::int64_t>(record.id), study.blocks.size());
        study.blocks.push_back(std::move(block));
    }
    for (std::size_t machine = 0; machine < machines.size(); ++machine) {
        const auto times = list_runtimes(workspace, queries->at(machines[machine]));
        if (!times)
            return std::unexpected(times.error());
        for (const ListedRuntime& time : times->runtimes)
            if (const auto place = places.find(static_cast<std::int64_t>(time.workload));
                place != places.end() && time.status == MeasurementStatus::Measured && time.median_ms)
                study.blocks[place->second].cycles[machine] =
                    *time.median_ms / time_of_cycles(iterations).count();
    }
    std::erase_if(study.blocks, [](const StudyBlock& block) {
        return std::ranges::all_of(block.cycles, [](double cycles) { return !(cycles > 0); });
    });
    Digest digest;
    digest.add(seed);
    for (const std::string& machine : machines)
        digest.add(std::string_view(machine));
    for (const StudyBlock& block : study.blocks) {
        digest.add(std::string_view(block.name));
        digest.add(std::string_view(block.group));
        for (const double cycles : block.cycles)
            digest.add(std::bit_cast<std::uint64_t>(cycles));
    }
    study.digest = digest.value();
    return study;
}

} // namespace sparsight
