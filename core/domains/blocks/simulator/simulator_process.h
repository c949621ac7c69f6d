// Simulates blocks in another process, sparsight-cli: a program that loads LibTorch must not load LLVM.
#pragma once

#include "base/helper_process.h"
#include "domains/blocks/simulator/block_simulation.h"

#include <memory>
#include <optional>
#include <string_view>

namespace sparsight {

class SimulatorProcess final : public BlockSimulator {
public:
    /// The process is kept, and started again where it has ended. Errors: sparsight-cli is missing
    /// (Environment), or ends (Internal); there is no such machine (Input).
    [[nodiscard]] static Result<std::unique_ptr<SimulatorProcess>> start(std::string_view machine,
                                                                         int threads);

    [[nodiscard]] const SimulatorTable& original() const override { return original_; }
    [[nodiscard]] Result<std::vector<Result<std::vector<std::size_t>>>>
    classes(std::span<const MachineCode* const> codes) override;
    [[nodiscard]] Result<std::vector<Result<double>>>
    cycles(std::span<const SimulationQuery> queries, int iterations, const std::stop_token& stop) override;

private:
    explicit SimulatorProcess(int threads)
        : threads_(threads) {}
    [[nodiscard]] Result<std::string> ask(std::string_view question);

    int threads_ = 1;
    std::optional<HelperProcess> helper_;
    SimulatorTable original_;
};

} // namespace sparsight
