#include "domains/blocks/learning/block_input.h"

#include "domains/blocks/block_domain.h"
#include "model/checkpoints/json_fields.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <unordered_map>
#include <utility>

namespace sparsight {
namespace {

constexpr std::size_t most_opcodes = 500;
constexpr std::size_t fewest_blocks = 3; // of a form that is counted

std::vector<std::string> frequent_opcodes(const TaskSet& tasks, std::span<const std::size_t> workloads) {
    std::unordered_map<std::string, std::size_t> blocks;
    for (const std::size_t place : workloads) {
        const auto payload = tasks.workloads[place].load();
        if (!payload)
            continue;
        std::set<std::string_view> in_this;
        for (const Instruction& each : static_cast<const BlockPayload&>(**payload).block().instructions)
            if (in_this.insert(each.opcode).second)
                ++blocks[each.opcode];
    }
    std::vector<std::pair<std::size_t, std::string>> sorted;
    for (auto& [opcode, count] : blocks)
        if (count >= fewest_blocks)
            sorted.emplace_back(count, opcode);
    std::ranges::sort(sorted, [](const auto& left, const auto& right) {
        return left.first != right.first ? left.first > right.first : left.second < right.second;
    });
    sorted.resize(std::min(sorted.size(), most_opcodes));
    std::vector<std::string> opcodes;
    for (auto& [count, opcode] : sorted)
        opcodes.push_back(std::move(opcode));
    return opcodes;
}

} // namespace

BlockInput fit_block_input(const TaskSet& tasks, std::span<const std::size_t> workloads) {
    BlockInput input;
    input.opcodes = frequent_opcodes(tasks, workloads);
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
