#include "domains/blocks/learning/block_tasks.h"

#include "domains/blocks/block_domain.h"
#include "domains/blocks/exchange/stored_tables.h"
#include "learning/tasks/stored_tasks.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <utility>

namespace sparsight {

Result<std::shared_ptr<const MachineBounds>> stored_tables(Workspace& workspace) {
    auto tables = stored_port_tables(workspace);
    if (!tables)
        return std::unexpected(std::move(tables).error());
    return std::make_shared<const MachineBounds>(*std::move(tables));
}

std::string BlockTasks::setting_name(const Setting& setting) const {
    return domain_.describe(setting);
}

Result<std::vector<RuntimeConditions>> BlockTasks::conditions(const Setting& setting) {
    return stored_conditions(workspace_, setting);
}

Result<std::vector<RecordedWorkload>> BlockTasks::runtimes(const Setting& setting,
                                                           const RuntimeConditions& under) {
    return stored_runtimes(workspace_, setting, under,
                           [](const WrittenConfiguration&) -> Result<RecordedRuntime> {
                               return RecordedRuntime{.configuration = Configuration()};
                           });
}

Result<std::vector<StoredWorkload>> BlockTasks::workloads() {
    const auto records = list_workloads(workspace_, domain_.name());
    if (!records)
        return std::unexpected(records.error());
    auto tables = stored_tables(workspace_);
    if (!tables)
        return std::unexpected(std::move(tables).error());
    std::vector<StoredWorkload> workloads;
    std::vector<MachineCode> codes; // of those with data
    for (const WorkloadRecord& record : *records) {
        const auto facts = nlohmann::json::parse(record.known.facts, nullptr, /*allow_exceptions=*/false);
        const auto code = parse_hex(facts.is_object() ? facts.value("code", std::string()) : std::string());
        const bool is_apart = facts.is_object() && facts.value(std::string(stored_apart), false);
        workloads.push_back({record.id, record.name, code && !is_apart});
        if (workloads.back().has_data)
            codes.push_back(*code);
    }
    auto decoded = decode_(codes);
    if (!decoded)
        return std::unexpected(std::move(decoded).error());
    known_.clear();
    std::size_t next = 0;
    for (std::size_t place = 0; place < workloads.size(); ++place) {
        if (!workloads[place].has_data)
            continue;
        Result<DecodedBlock>& block = (*decoded)[next++];
        const std::string& family = (*records)[place].known.content_hash;
        if (!block)
            known_.emplace(static_cast<std::int64_t>(workloads[place].id),
                           Known{family, std::unexpected(std::move(block).error())});
        else
            known_.emplace(static_cast<std::int64_t>(workloads[place].id),
                           Known{family, std::make_shared<const BlockPayload>(*std::move(block), *tables)});
    }
    return workloads;
}

Result<TaskWorkload> BlockTasks::examine(const StoredWorkload& workload, int) {
    const Known& known = known_.at(static_cast<std::int64_t>(workload.id));
    if (!known.payload)
        return std::unexpected(known.payload.error());
    const std::shared_ptr<const Payload> payload = *known.payload;
    return TaskWorkload{.name = workload.name,
                        .load = [payload] { return Result<std::shared_ptr<const Payload>>(payload); },
                        .family = known.family.empty() ? workload.name : known.family};
}

} // namespace sparsight
