// Questions to a simulator of blocks whose parameters can be changed, as plain values.
#pragma once

#include "base/error.h"
#include "domains/blocks/code/machine_code.h"
#include "domains/blocks/simulator/simulator_table.h"

#include <cstddef>
#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sparsight {

inline constexpr int usual_iterations = 100; ///< of llvm-mca

/// A block with parameters of its own. Classes that are not named have LLVM's numbers.
struct SimulationQuery {
    const MachineCode* code = nullptr;
    ProcessorValues processor{};
    std::vector<std::pair<std::size_t, const std::vector<int>*>> classes{}; ///< places and values
};

/// The table's values of these classes. The table must outlive the query.
[[nodiscard]] SimulationQuery query_of(const MachineCode& code, std::span<const std::size_t> classes,
                                       const SimulatorTable& table);

class BlockSimulator {
public:
    BlockSimulator() = default;
    BlockSimulator(const BlockSimulator&) = delete;
    BlockSimulator& operator=(const BlockSimulator&) = delete;
    virtual ~BlockSimulator() = default;

    /// The expert's parameters, of all classes.
    [[nodiscard]] virtual const SimulatorTable& original() const = 0;
    /// The class of each instruction that is simulated: called functions and returns from them are not.
    /// Inner errors: the block can't be decoded, or the simulator knows no class of an instruction.
    [[nodiscard]] virtual Result<std::vector<Result<std::vector<std::size_t>>>>
    classes(std::span<const MachineCode* const> codes) = 0;
    /// Cycles of one of `iterations` iterations. Inner errors: the simulator does not take the block. Error:
    /// stopped (Cancelled).
    [[nodiscard]] virtual Result<std::vector<Result<double>>>
    cycles(std::span<const SimulationQuery> queries, int iterations, const std::stop_token& stop) = 0;
};

// Questions and answers as bytes, by which a program without LLVM asks one of the same version.

[[nodiscard]] std::string classes_question(std::string_view machine,
                                           std::span<const MachineCode* const> codes);
[[nodiscard]] std::string cycles_question(std::string_view machine, std::span<const SimulationQuery> queries,
                                          int iterations);
[[nodiscard]] Result<std::vector<Result<std::vector<std::size_t>>>> parse_classes(std::string_view answer);
[[nodiscard]] Result<std::vector<Result<double>>> parse_cycles(std::string_view answer);

/// What the other program answers; `simulator` finds that of a machine.
[[nodiscard]] std::string
answer_simulator_question(std::string_view question,
                          const std::function<Result<BlockSimulator*>(std::string_view machine)>& simulator);

} // namespace sparsight
