#include "domains/blocks/learning/block_tree_features.h"

#include "domains/blocks/block_domain.h"
#include "domains/blocks/code/dependencies.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <unordered_map>
#include <utility>

namespace sparsight {
namespace {

constexpr std::array general_names{"instructions", "bytes",        "loads",   "stores",
                                   "zero idioms",  "longest form", "prefixes"};
constexpr std::array bound_names{"bound",   "front end", "fetch",        "ports",
                                 "divider", "chain",     "second bound", "issued",
                                 "path",    "unknown",   "chain length", "busiest ports"};

std::array<double, general_names.size()> general_numbers(const DecodedBlock& block) {
    double loads = 0;
    double stores = 0;
    double idioms = 0;
    double longest = 0;
    double prefixes = 0;
    for (const Instruction& each : block.instructions) {
        loads += each.reads_memory ? 1 : 0;
        stores += each.writes_memory ? 1 : 0;
        idioms += is_zero_idiom(each) ? 1 : 0;
        longest = std::max(longest, static_cast<double>(each.size));
        prefixes += static_cast<double>(each.prefixes.size());
    }
    return {static_cast<double>(block.instructions.size()),
            static_cast<double>(block.code.size()),
            loads,
            stores,
            idioms,
            longest,
            prefixes};
}

void add_bound(const BlockBounds& bounds, std::vector<double>& numbers) {
    std::array parts{bounds.front_end, bounds.fetch, bounds.ports, bounds.divider, bounds.dependencies};
    numbers.insert(numbers.end(), {bounds.cycles(), bounds.front_end, bounds.fetch, bounds.ports,
                                   bounds.divider, bounds.dependencies});
    std::ranges::sort(parts, std::greater{});
    numbers.insert(numbers.end(),
                   {parts[1], bounds.issued, bounds.path, static_cast<double>(bounds.unknown.size()),
                    static_cast<double>(bounds.chain.size()), static_cast<double>(bounds.busiest)});
    numbers.insert(numbers.end(), bounds.port_uses.begin(), bounds.port_uses.end());
}

class BlockTreeFeatures final : public TreeFeatures {
public:
    BlockTreeFeatures(BlockInput input, bool corrects_bound)
        : input_(std::move(input))
        , corrects_bound_(corrects_bound) {
        for (std::size_t place = 0; place < input_.opcodes.size(); ++place)
            places_.emplace(input_.opcodes[place], place);
    }

    [[nodiscard]] ModelArchitecture architecture() const override {
        return architecture_of(corrects_bound_ ? gray_trees_architecture : trees_architecture, input_);
    }
    [[nodiscard]] std::string subject() const override { return std::string(blocks_domain); }
    [[nodiscard]] std::vector<std::string> names() const override {
        std::vector<std::string> names(general_names.begin(), general_names.end());
        names.insert(names.end(), input_.opcodes.begin(), input_.opcodes.end());
        if (has_bounds()) {
            names.insert(names.end(), bound_names.begin(), bound_names.end());
            for (std::size_t port = 0; port < BlockBounds::port_count; ++port)
                names.push_back(fmt::format("port {}", port));
        }
        for (const std::string& machine : input_.machines)
            names.push_back("machine " + machine);
        return names;
    }

    [[nodiscard]] bool reads_payload() const override { return true; }
    /// Without a machine.
    [[nodiscard]] std::vector<double> statistics(const Payload& payload, int) const override {
        const DecodedBlock& block = static_cast<const BlockPayload&>(payload).block();
        const auto general = general_numbers(block);
        std::vector<double> numbers(general_names.size() + input_.opcodes.size());
        std::ranges::copy(general, numbers.begin());
        for (const Instruction& each : block.instructions)
            if (const auto place = places_.find(each.opcode); place != places_.end())
                numbers[general_names.size() + place->second] += 1;
        return numbers;
    }
    /// Behind these the bound on the machine, where tables are known, and which machine it is; −1: none that
    /// was learned from.
    [[nodiscard]] std::vector<double> statistics_on(const Payload& payload, const MachineDescription* machine,
                                                    int threads) const override {
        std::vector<double> numbers = statistics(payload, threads);
        const std::string name = machine == nullptr ? std::string() : machine->name;
        if (has_bounds()) {
            const auto& block = static_cast<const BlockPayload&>(payload);
            const std::size_t table = input_.tables->find(name).value_or(0);
            add_bound(block.known() == input_.tables ? block.bounds(table)
                                                     : input_.tables->of(block.block(), table),
                      numbers);
        }
        const auto known = std::ranges::find(input_.machines, name);
        numbers.push_back(
            known == input_.machines.end() ? -1.0 : static_cast<double>(known - input_.machines.begin()));
        return numbers;
    }
    [[nodiscard]] std::vector<float> rows(std::span<const double> statistics,
                                          std::span<const Configuration> configurations) const override {
        std::vector<float> row;
        for (const double number : statistics.first(statistics.size() - 1))
            row.push_back(static_cast<float>(number));
        for (std::size_t machine = 0; machine < input_.machines.size(); ++machine)
            row.push_back(statistics.back() == static_cast<double>(machine) ? 1.0F : 0.0F);
        std::vector<float> rows;
        for (std::size_t each = 0; each < configurations.size(); ++each)
            rows.insert(rows.end(), row.begin(), row.end());
        return rows;
    }
    [[nodiscard]] std::vector<float>
    first_scores(std::span<const double> statistics,
                 std::span<const Configuration> configurations) const override {
        if (!corrects_bound_ || !has_bounds())
            return {};
        constexpr double iterations = 100;
        const Milliseconds time =
            time_of_cycles(iterations * statistics[general_names.size() + input_.opcodes.size()]);
        return std::vector(configurations.size(), static_cast<float>(std::log(time.count())));
    }

private:
    [[nodiscard]] bool has_bounds() const { return input_.tables->size() > 0; }

    BlockInput input_;
    bool corrects_bound_;
    std::unordered_map<std::string, std::size_t> places_; ///< of opcodes
};

} // namespace

std::shared_ptr<const TreeFeatures> block_tree_features(BlockInput input, bool corrects_bound) {
    return std::make_shared<const BlockTreeFeatures>(std::move(input), corrects_bound);
}

} // namespace sparsight
