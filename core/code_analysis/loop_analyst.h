// What binds a loop of machine code on a processor. A domain that compiles kernels asks, and one that knows
// machine code answers: neither knows the other.
#pragma once

#include "base/error.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

class Workspace;

struct LoopProcessor {
    std::string name;  ///< short: "hsw"
    std::string title; ///< "Haswell"
    std::string llvm;  ///< "haswell"
};

/// Cycles of one iteration that nothing can hide, by what needs them. The largest is the bound.
struct LoopBound {
    double dependencies = 0; ///< of the slowest chain from one iteration to the next
    double ports = 0;
    double front_end = 0;
    double divider = 0;
    double cycles = 0;
    std::vector<std::size_t> chain; ///< the instructions of that chain
    std::size_t unknown = 0;        ///< instructions that the tables lack
};

struct LoopAnalysis {
    std::vector<std::string> listing; ///< an instruction a line
    double simulated_cycles = 0;      ///< by LLVM's machine-code analyser, once many iterations are in flight
    std::optional<LoopBound> bound;   ///< where the ports of the processor are known
    std::string no_bound;             ///< why it is absent; the end of a sentence
    /// What the loop waits for, as the end of a sentence: "the chain vaddss → vaddss, from one iteration to
    /// the next", "ports 2 and 3 (3 vmovss)". Of the bound, where it is known.
    std::string binds;
};

class LoopAnalyst {
public:
    LoopAnalyst() = default;
    LoopAnalyst(const LoopAnalyst&) = delete;
    LoopAnalyst& operator=(const LoopAnalyst&) = delete;
    virtual ~LoopAnalyst() = default;

    [[nodiscard]] virtual const std::vector<LoopProcessor>& processors() const = 0;
    /// Takes ports and latencies from a file of tables. Errors (Input): those of reading it.
    [[nodiscard]] virtual Result<void> read_tables(const std::filesystem::path& file) = 0;
    /// Takes them from the machines of a workspace, as far as it has any.
    [[nodiscard]] virtual Result<void> read_tables(Workspace& workspace) = 0;
    /// `code` is one iteration, the branch back included. `processor` is one of the short names. Errors: no
    /// such name, bytes that are no code (Input); LLVM does not know an instruction there (Environment).
    [[nodiscard]] virtual Result<LoopAnalysis> analyse(std::span<const std::uint8_t> code,
                                                       std::string_view processor) const = 0;
};

} // namespace sparsight
