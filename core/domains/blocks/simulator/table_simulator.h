// LLVM-MCA with parameters that can be changed.
#pragma once

#include "domains/blocks/simulator/block_simulation.h"

#include <memory>
#include <string_view>

namespace sparsight {

/// LLVM-MCA itself, through LLVM's library, with a copy of its tables (ProcessorTables). The cycles are its
/// "Total Cycles" by the iterations.
class TableSimulator final : public BlockSimulator {
public:
    /// `machine` is a short name of microarchitectures. Errors: LLVM was built without x86 (Environment), no
    /// such machine (Input).
    [[nodiscard]] static Result<std::unique_ptr<TableSimulator>> make(std::string_view machine, int threads);
    ~TableSimulator() override;

    [[nodiscard]] const SimulatorTable& original() const override;
    [[nodiscard]] Result<std::vector<Result<std::vector<std::size_t>>>>
    classes(std::span<const MachineCode* const> codes) override;
    [[nodiscard]] Result<std::vector<Result<double>>>
    cycles(std::span<const SimulationQuery> queries, int iterations, const std::stop_token& stop) override;

private:
    struct Worker;
    explicit TableSimulator(std::vector<std::unique_ptr<Worker>> workers);
    std::vector<std::unique_ptr<Worker>> workers_; ///< one for each thread
};

} // namespace sparsight
