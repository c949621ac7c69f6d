// What the loops of a kernel cost on a processor that need not be this computer's, by LLVM's machine-code
// analyser: of the code that our own compiler makes for it, and in the units of the mechanistic simulator.
#pragma once

#include "base/error.h"
#include "domains/sparse/kernel/lowering/loop_nest.h"
#include "machine/machine_description.h"
#include "machine/machine_parameters.h"

#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

/// Of one loop in the machine code. A loop of the schedule may be none there, being unrolled into the one
/// around it, or several, one for whole and one for clipped blocks.
struct InstructionCost {
    std::string loop;       ///< the schedule's name of it, "k1"; empty where the code does not tell
    int depth = 0;          ///< loops around it
    bool innermost = true;  ///< there is no loop inside it
    int instructions = 0;   ///< of one iteration, without the loops inside it, as everything below
    double cycles = 0;      ///< reciprocal throughput
    int multiply_adds = 0;  ///< floats that are multiplied and added
    int vector_bits = 0;    ///< of the longest vector register; 0: scalar code
    std::string bottleneck; ///< "waiting for results", a unit of the processor, …
    std::string assembly{}; ///< its lines, with those of the loops inside it
};

struct AnalysedCode {
    std::vector<InstructionCost> loops; ///< in the order of the code, a loop before those inside it
    std::string assembly;               ///< of the whole function
};

/// The loop that multiplies and adds most in one iteration, which is where a kernel spends its time. nullptr:
/// the code has no loop that computes.
[[nodiscard]] const InstructionCost* hot_loop(std::span<const InstructionCost> loops);

class CodeAnalyser {
public:
    /// For a processor by LLVM's name of it: "skylake-avx512", "znver3", "neoverse-n1"; "native": this
    /// computer's. Errors: an unknown name, with those that are known (Fault::Input); LLVM was built without
    /// its architecture (Fault::Environment).
    [[nodiscard]] static Result<CodeAnalyser> make(std::string_view cpu);
    ~CodeAnalyser();
    CodeAnalyser(CodeAnalyser&&) noexcept;
    CodeAnalyser& operator=(CodeAnalyser&&) noexcept;

    [[nodiscard]] std::string_view cpu() const;
    [[nodiscard]] std::string_view architecture() const;
    /// How loop nests are to be lowered for it.
    [[nodiscard]] const KernelTarget& target() const;

    /// Some 20 ms. Errors: a processor whose model lacks an instruction (Fault::Environment).
    [[nodiscard]] Result<AnalysedCode> analyse_code(const LoopNest& nest) const;
    /// The loops of analyse_code().
    [[nodiscard]] Result<std::vector<InstructionCost>> analyse(const LoopNest& nest) const;
    /// The assembly that is analysed, for people.
    [[nodiscard]] Result<std::string> print_assembly(const LoopNest& nest) const;

private:
    struct State;
    explicit CodeAnalyser(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

/// LLVM's names of the processors that CodeAnalyser knows, of an architecture ("x86_64", "aarch64"); none
/// where LLVM was built without it.
[[nodiscard]] std::vector<std::string> analysed_processors(std::string_view architecture);

[[nodiscard]] std::span<const MachineParameter> analysed_parameters();

struct AnalysedCosts {
    std::string cpu; ///< LLVM's name of it, that of this computer's where "native" was asked for
    std::map<MachineParameter, double> cycles;
};

/// Cycles on a processor by LLVM's name of it, or "native", within the ranges of parameter_info(). About a
/// second. Errors: as CodeAnalyser::make() and analyse().
[[nodiscard]] Result<AnalysedCosts> analysed_costs(std::string_view cpu);

/// Puts them in the place of what the machine's coefficients say, and returns LLVM's name of the processor.
/// Further errors (Fault::Input): the machine is known to have other vectors than the processor.
[[nodiscard]] Result<std::string> set_analysed_costs(MachineDescription& machine, std::string_view cpu);

} // namespace sparsight
