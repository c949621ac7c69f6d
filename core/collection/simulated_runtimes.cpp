#include "collection/simulated_runtimes.h"

#include "machine/machine_json.h"
#include "store/measurements.h"
#include "store/stored_pattern.h"
#include "store/workspace.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <span>
#include <vector>

namespace sparsight {

namespace {

class Simulation {
public:
    Simulation(Workspace& workspace, const Simulator& simulator, const RuntimeSource& source,
               MachineId machine, const MachineDescription& description)
        : workspace_(workspace)
        , simulator_(simulator)
        , source_(source)
        , machine_(machine)
        , description_(description) {}

    /// Of one matrix.
    Result<void> run(std::span<const StoredRuntime> runtimes) {
        SimulatedRuns runs{.dense = source_.dense};
        CsrPattern pattern;
        if (simulator_.needs_pattern()) {
            auto loaded = load_pattern(workspace_, runtimes.front().matrix);
            if (!loaded)
                return std::unexpected(loaded.error());
            pattern = std::move(*loaded);
            runs.pattern = &pattern;
        }
        std::vector<SuperSchedule> schedules;
        std::vector<double> recorded;
        for (const StoredRuntime& runtime : runtimes) {
            schedules.push_back(runtime.schedule);
            recorded.push_back(runtime.median_ms.value_or(std::numeric_limits<double>::infinity()));
        }
        runs.schedules = schedules;
        runs.recorded_ms = recorded;
        const auto simulated = simulator_.simulate(description_, runs);
        if (!simulated)
            return std::unexpected(simulated.error());
        for (std::size_t at = 0; at < runtimes.size(); ++at)
            if (auto stored = store(runtimes[at], (*simulated)[at]); !stored)
                return stored;
        return {};
    }

private:
    Result<void> store(const StoredRuntime& runtime, double milliseconds) {
        Measurement measurement;
        measurement.status = runtime.status;
        if (has_time(runtime.status) && runtime.median_ms) {
            measurement.median = Milliseconds(milliseconds);
            measurement.spread =
                Milliseconds(runtime.spread_ms.value_or(0) * milliseconds / *runtime.median_ms);
            measurement.repeats = runtime.spread_ms ? 1 : 0; // 0 says that no spread is known
        }
        measurement.reason = fmt::format("simulated ({})", simulator_.name());
        return record_measurement(workspace_, {runtime.matrix, machine_, source_.dense, source_.protocol},
                                  runtime.schedule, measurement);
    }

    Workspace& workspace_;
    const Simulator& simulator_;
    const RuntimeSource& source_;
    MachineId machine_;
    const MachineDescription& description_;
};

Result<MachineDescription> description_of(Workspace& workspace, MachineId machine) {
    const auto machines = list_machines(workspace);
    if (!machines)
        return std::unexpected(machines.error());
    const auto found = std::ranges::find(*machines, machine, &MachineRecord::id);
    if (found == machines->end())
        return fail(Fault::Input, "the workspace has no such machine");
    return machine_from_text(found->description);
}

} // namespace

Result<MachineId> record_simulated_machine(Workspace& workspace, const Simulator& simulator,
                                           const MachineDescription& machine, const MachineRecord& source) {
    return record_machine(
        workspace, machine.name,
        fmt::format("simulated:{}:{}:{}", simulator.name(), source.fingerprint, machine.name),
        machine_to_text(machine));
}

Result<std::int64_t> simulate_runtimes(Workspace& workspace, const Simulator& simulator,
                                       const RuntimeSource& source, MachineId machine) {
    const auto description = description_of(workspace, machine);
    if (!description)
        return std::unexpected(description.error());
    const auto runtimes = list_runtimes(workspace, source);
    if (!runtimes)
        return std::unexpected(runtimes.error());
    const auto done = in_one_transaction(workspace, [&]() -> Result<void> {
        Simulation simulation(workspace, simulator, source, machine, *description);
        for (auto begin = runtimes->begin(); begin != runtimes->end();) {
            const auto end = std::find_if(begin, runtimes->end(), [&](const StoredRuntime& runtime) {
                return runtime.matrix != begin->matrix;
            });
            if (auto simulated = simulation.run({begin, end}); !simulated)
                return simulated;
            begin = end;
        }
        return {};
    });
    if (!done)
        return std::unexpected(done.error());
    return static_cast<std::int64_t>(runtimes->size());
}

} // namespace sparsight
