#include "domains/blocks/learning/block_input.h"

#include "domains/blocks/block_domain.h"
#include "domains/blocks/learning/vocabulary.h"
#include "model/checkpoints/json_fields.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <utility>

namespace sparsight {
namespace {

std::set<std::string> opcodes_of(std::span<const Instruction> block) {
    std::set<std::string> opcodes;
    for (const Instruction& each : block)
        opcodes.insert(each.opcode);
    return opcodes;
}

} // namespace

BlockInput fit_block_input(const TaskSet& tasks, std::span<const std::size_t> workloads) {
    BlockInput input;
    constexpr std::size_t most_opcodes = 500;
    input.opcodes = frequent_words(tasks, workloads, &opcodes_of);
    input.opcodes.resize(std::min(input.opcodes.size(), most_opcodes));
    for (const Task& task : tasks.tasks)
        if (std::ranges::find(input.machines, task.machine_name()) == input.machines.end())
            input.machines.push_back(task.machine_name());
    for (const std::size_t place : workloads)
        if (const auto payload = tasks.workloads[place].load()) {
            input.tables = static_cast<const BlockPayload&>(**payload).known();
            break;
        }
    if (!input.tables)
        input.tables = std::make_shared<const MachineBounds>(MachineTables());
    return input;
}

ModelArchitecture architecture_of(std::string_view name, const BlockInput& input) {
    OrderedJson tables = OrderedJson::object();
    for (const MachineTable& table : input.tables->tables())
        tables[table.machine] = OrderedJson::parse(to_json(table.ports));
    const OrderedJson json{{"opcodes", input.opcodes}, {"machines", input.machines}, {"tables", tables}};
    return {std::string(name), json.dump(), std::string(blocks_domain)};
}

Result<BlockInput> read_block_input(const ModelArchitecture& architecture) {
    if (architecture.domain != blocks_domain)
        return fail(Fault::Input,
                    fmt::format("domain is {:?}, expected {:?}", architecture.domain, blocks_domain));
    try {
        const auto json = OrderedJson::parse(architecture.input, nullptr, /*allow_exceptions=*/false);
        BlockInput input;
        input.opcodes = json_field<std::vector<std::string>>(json, "opcodes");
        input.machines = json_field<std::vector<std::string>>(json, "machines");
        MachineTables tables;
        const auto fields = json_field<OrderedJson>(json, "tables");
        for (const auto& [machine, table] : fields.items()) {
            auto ports = parse_port_table(table.dump());
            if (!ports)
                return fail(Fault::Input, fmt::format("tables of {}: {}", machine, ports.error().message));
            tables.push_back({machine, *std::move(ports)});
        }
        input.tables = std::make_shared<const MachineBounds>(std::move(tables));
        return input;
    } catch (const JsonDefect& defect) {
        return fail(Fault::Input, defect.text);
    }
}

} // namespace sparsight
