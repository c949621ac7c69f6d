#include "domains/sparse/workflow/experiment/second_machine.h"

#include "domains/sparse/simulator/simulator.h"
#include "domains/sparse/workflow/simulation/simulated_runtimes.h"
#include "machine/machine_presets.h"

#include <algorithm>
#include <fmt/format.h>

namespace sparsight {

namespace {

/// The formula has no unit, and by it kernels take nanoseconds, which learning takes for outliers. Only the
/// order counts: what it says is taken for microseconds, as milliseconds.
class PlausiblePaperFormula final : public Simulator {
public:
    [[nodiscard]] std::string_view name() const override { return "paper-formula-x1000"; }
    [[nodiscard]] bool needs_pattern() const override { return false; }
    [[nodiscard]] bool needs_recorded() const override { return true; }
    [[nodiscard]] Result<std::vector<double>> simulate(const MachineDescription& machine,
                                                       const SimulatedRuns& runs) const override {
        auto simulated = PaperFormula().simulate(machine, runs);
        if (simulated)
            for (double& time : *simulated)
                time *= 1000;
        return simulated;
    }
};

} // namespace

Result<std::optional<MachineRecord>> recorded_second_machine(Workspace& workspace, const std::string& name) {
    const auto known = find_machine(workspace, name);
    if (!known)
        return std::unexpected(known.error());
    if (!*known)
        return fail(Fault::Input, fmt::format("the workspace has no machine named '{}'", name));
    const std::string& fingerprint = (*known)->fingerprint;
    if (!fingerprint.starts_with("simulated:"))
        return *known;
    if (fingerprint.starts_with(fmt::format("simulated:{}:", PlausiblePaperFormula().name())) &&
        (*known)->name == report_machine_b().name)
        return std::nullopt;
    return fail(Fault::Input, fmt::format("the machine '{}' is simulated, and schedules that are chosen for "
                                          "it have no times: expected one whose runtimes were imported, or "
                                          "no --second for the report's machine B",
                                          name));
}

Result<MachineRecord> imagined_second_machine(Workspace& workspace, const MachineRecord& first) {
    const auto id = record_simulated_machine(workspace, PlausiblePaperFormula(), report_machine_b(), first);
    if (!id)
        return std::unexpected(id.error());
    const auto machines = list_machines(workspace);
    if (!machines)
        return std::unexpected(machines.error());
    return *std::ranges::find(*machines, *id, &MachineRecord::id);
}

Result<void> simulate_second_machine(Workspace& workspace, const MachineRecord& first,
                                     const MachineRecord& second, std::int64_t dense, Protocol protocol,
                                     int threads) {
    const auto simulated = simulate_runtimes(workspace, PlausiblePaperFormula(),
                                             {.machine = first.id,
                                              .op = Operator::SpMM,
                                              .dense = dense,
                                              .protocol = std::string(name(protocol)),
                                              .threads = threads},
                                             second.id);
    if (!simulated)
        return std::unexpected(simulated.error());
    return {};
}

} // namespace sparsight
