#include "learning/tasks/stored_tasks.h"

#include "store/machines.h"
#include "store/measurements.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <utility>

namespace sparsight {

namespace {

Result<NamedFacts::Numbers> numbers_of(const std::string& facts) {
    const auto json = nlohmann::json::parse(facts, nullptr, /*allow_exceptions=*/false);
    if (!json.is_object())
        return fail(Fault::Input, "its facts are not a JSON object");
    NamedFacts::Numbers numbers;
    for (const auto& [name, value] : json.items())
        if (value.is_boolean())
            numbers.emplace(name, value.get<bool>() ? 1 : 0);
        else if (value.is_number())
            numbers.emplace(name, value.get<double>());
    return numbers;
}

} // namespace

Result<NamedFacts::Numbers> fact_numbers(const WorkloadRecord& workload) {
    return numbers_of(workload.known.facts);
}

Result<NamedFacts::Numbers> fact_numbers(Workspace& workspace, MachineId machine) {
    const auto facts = machine_facts(workspace, machine);
    if (!facts)
        return std::unexpected(facts.error());
    return facts->empty() ? NamedFacts::Numbers() : numbers_of(*facts);
}

Result<std::vector<RuntimeConditions>> stored_conditions(Workspace& workspace, const Setting& setting) {
    const auto counted = count_runtimes(workspace, setting);
    if (!counted)
        return std::unexpected(counted.error());
    std::vector<RuntimeConditions> conditions;
    for (const CountedRuntimes& each : *counted)
        conditions.push_back({each.query.machine, each.query.protocol, each.query.condition,
                              each.query.threads, each.measurements, each.query.engine, each.other_engines});
    return conditions;
}

Result<std::vector<RecordedWorkload>> stored_runtimes(Workspace& workspace, const Setting& setting,
                                                      const RuntimeConditions& under,
                                                      const StoredConfigurationReader& read) {
    const auto list = list_runtimes(
        workspace, {under.machine, setting, under.protocol, under.condition, under.threads, under.engine});
    if (!list)
        return std::unexpected(list.error());
    std::vector<RecordedRuntime> configurations;
    for (const WrittenConfiguration& written : list->configurations) {
        auto configuration = read(written);
        if (!configuration)
            return std::unexpected(std::move(configuration).error());
        configurations.push_back(*std::move(configuration));
    }
    std::vector<RecordedWorkload> runtimes;
    for (const ListedRuntime& one : list->runtimes) { // by workload
        if (runtimes.empty() || runtimes.back().workload != one.workload)
            runtimes.push_back({one.workload, {}});
        RecordedRuntime& runtime = runtimes.back().runtimes.emplace_back(configurations[one.configuration]);
        runtime.status = one.status;
        runtime.median_ms = one.median_ms;
        runtime.spread_ms = one.spread_ms;
    }
    return runtimes;
}

std::string StoredTasks::setting_name(const Setting& setting) const {
    return domain_.describe(setting);
}

Result<std::vector<RuntimeConditions>> StoredTasks::conditions(const Setting& setting) {
    return stored_conditions(workspace_, setting);
}

Result<std::vector<RecordedWorkload>> StoredTasks::runtimes(const Setting& setting,
                                                            const RuntimeConditions& under) {
    const auto codec = domain_.codec(setting);
    if (!codec)
        return std::unexpected(codec.error());
    return stored_runtimes(
        workspace_, setting, under, [&](const WrittenConfiguration& written) -> Result<RecordedRuntime> {
            auto parsed = (*codec)->parse(written.canonical);
            if (!parsed)
                return fail_in_file(Fault::Input, workspace_.path().string(), 0,
                                    fmt::format("the {} \"{}\" can't be read: {}",
                                                domain_.words().configuration.one, written.canonical,
                                                parsed.error().message));
            const std::uint64_t digest = hash_value(parsed->configuration);
            return RecordedRuntime{.configuration = std::move(parsed->configuration),
                                   .is_baseline = written.is_baseline,
                                   .digest = digest};
        });
}

Result<std::vector<StoredWorkload>> StoredTasks::workloads() {
    auto records = list_workloads(workspace_, domain_.name());
    if (!records)
        return std::unexpected(std::move(records).error());
    std::vector<StoredWorkload> workloads;
    records_.clear();
    for (WorkloadRecord& record : *records) {
        workloads.push_back({record.id, record.name, true});
        records_.emplace(record.id, std::move(record));
    }
    return workloads;
}

Result<TaskWorkload> StoredTasks::examine(const StoredWorkload& workload, int) {
    auto numbers = fact_numbers(records_.at(workload.id));
    if (!numbers)
        return std::unexpected(std::move(numbers).error());
    const std::shared_ptr<const Payload> facts = std::make_shared<const NamedFacts>(*std::move(numbers));
    return TaskWorkload{.name = workload.name,
                        .load = [facts] { return Result<std::shared_ptr<const Payload>>(facts); },
                        .family = domain_.family_key(workload.name)};
}

} // namespace sparsight
