#include "domains/sparse/workflow/simulation/simulated_runtimes.h"

#include "base/digest.h"
#include "base/parallel.h"
#include "domains/sparse/clock/analysed_costs.h"
#include "domains/sparse/schedule/schedule_space.h"
#include "domains/sparse/schedule/super_schedule.h"
#include "domains/sparse/storage/matrices.h"
#include "domains/sparse/tensor/sparse_workload.h"
#include "machine/machine_description.h"
#include "machine/machine_edit.h"
#include "machine/machine_parameters.h"
#include "workflow/machines/named_machines.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <unordered_set>
#include <utility>

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
        std::shared_ptr<const Payload> data;
        if (simulator_.needs_data()) {
            auto loaded = load_pattern(workspace_, runtimes.front().matrix);
            if (!loaded)
                return std::unexpected(loaded.error());
            data = payload_of(*std::move(loaded));
        }
        std::vector<Configuration> schedules;
        std::vector<double> recorded;
        for (const StoredRuntime& runtime : runtimes) {
            schedules.push_back(configuration_of(runtime.schedule));
            recorded.push_back(runtime.median_ms.value_or(std::numeric_limits<double>::infinity()));
        }
        const auto profile = simulator_.profile({.setting = setting_of(source_.op, source_.dense),
                                                 .data = data.get(),
                                                 .configurations = schedules,
                                                 .recorded_ms = recorded});
        if (!profile)
            return std::unexpected(profile.error());
        const auto simulated = (*profile)->times(description_);
        if (!simulated)
            return std::unexpected(simulated.error());
        for (std::size_t at = 0; at < runtimes.size(); ++at)
            if (auto stored = store(runtimes[at], simulated->milliseconds[at]); !stored)
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

namespace {

Result<std::vector<MatrixRecord>> wanted_matrices(Workspace& workspace, const SimulationRequest& request) {
    auto matrices = list_matrices(workspace);
    if (!matrices || request.matrices.empty())
        return matrices;
    std::vector<MatrixRecord> wanted;
    for (const std::string& name : request.matrices) {
        const auto found = std::ranges::find(*matrices, name, &MatrixRecord::name);
        if (found == matrices->end())
            return fail(Fault::Input, fmt::format("the workspace has no matrix '{}'", name));
        wanted.push_back(*found);
    }
    return wanted;
}

} // namespace

int simulated_threads(const MachineDescription& machine) {
    const double threads = resolve_parameters(machine).values[MachineParameter::Threads];
    return std::min(maximum_threads, static_cast<int>(threads));
}

namespace {

/// Of one machine.
class TimesOfMachine {
public:
    TimesOfMachine(Workspace& workspace, const Simulator& simulator, const SimulatedMachine& machine,
                   std::int64_t dense)
        : workspace_(workspace)
        , machine_(machine)
        , dense_(dense)
        , parameters_(resolve_parameters(machine.description).values)
        , reason_(fmt::format("simulated ({})", simulator.name())) {}

    [[nodiscard]] const MachineDescription& description() const { return machine_.description; }

    /// What was simulated on one matrix; every machine runs all its threads.
    Result<void> store(const MatrixRecord& matrix, std::span<const SuperSchedule> schedules,
                       std::span<const double> times) const {
        Random random = Random(machine_.noise_seed).fork(digest_of(matrix.name));
        const int threads = simulated_threads(machine_.description);
        for (std::size_t at = 0; at < schedules.size(); ++at) {
            SuperSchedule schedule = schedules[at];
            schedule.threads = threads;
            const auto stored =
                record_measurement(workspace_, setting_on(matrix), schedule, measurement(times[at], random));
            if (!stored)
                return stored;
        }
        return {};
    }

    [[nodiscard]] MeasurementSetting setting_on(const MatrixRecord& matrix) const {
        return {matrix.id, machine_.record.id, dense_, std::string(simulated_protocol)};
    }

private:
    Measurement measurement(double time, Random& random) const {
        Measurement measurement;
        measurement.reason = reason_;
        measurement.status = std::isinf(time) ? MeasurementStatus::TooLarge : MeasurementStatus::Measured;
        if (!std::isinf(time)) {
            const double sigma = machine_.noise_seed == 0 ? 0 : parameters_[MachineParameter::Noise];
            measurement.median = Milliseconds(noisy_runtime(time, sigma, random));
            measurement.spread = measurement.median * sigma;
            measurement.repeats = 1;
        }
        return measurement;
    }

    Workspace& workspace_;
    const SimulatedMachine& machine_;
    std::int64_t dense_;
    MachineParameters parameters_;
    std::string reason_;
};

class MatrixSimulator {
public:
    MatrixSimulator(Workspace& workspace, const Simulator& simulator,
                    std::span<const SimulatedMachine> machines, const SimulationRequest& request,
                    const std::stop_token& stop)
        : workspace_(workspace)
        , simulator_(simulator)
        , request_(request)
        , stop_(stop) {
        for (const SimulatedMachine& machine : machines)
            stores_.emplace_back(workspace, simulator, machine, request.dense);
    }

    /// Of a matrix with a known pattern: what is to be simulated on it.
    Result<std::vector<SuperSchedule>> schedules_of(const MatrixRecord& matrix) const {
        const Extents all = extents(request_.op, matrix.rows, matrix.cols, request_.dense);
        auto schedules = schedules_for(request_.schedules, request_.op, matrix.name, all, maximum_threads);
        if (!request_.only_missing)
            return schedules;
        std::unordered_set<SuperSchedule> wanted;
        for (const TimesOfMachine& machine : stores_) {
            for (SuperSchedule& schedule : schedules)
                schedule.threads = simulated_threads(machine.description());
            const auto missing =
                missing_schedules(workspace_, machine.setting_on(matrix), request_.op, schedules);
            if (!missing)
                return std::unexpected(missing.error());
            for (const SuperSchedule& schedule : *missing)
                wanted.insert(canonical_without_threads(schedule));
        }
        std::erase_if(schedules, [&](const SuperSchedule& each) {
            return !wanted.contains(canonical_without_threads(each));
        });
        return schedules;
    }

    Result<void> run(const MatrixRecord& matrix, const std::shared_ptr<const CsrPattern>& pattern,
                     std::span<const SuperSchedule> schedules, SimulationSummary& summary) {
        const auto data = payload_of(pattern);
        const auto profile = simulator_.profile({.setting = setting_of(request_.op, request_.dense),
                                                 .data = data.get(),
                                                 .configurations = configurations_of(schedules),
                                                 .threads = request_.threads,
                                                 .stop = stop_});
        if (!profile)
            return std::unexpected(profile.error());
        std::int64_t too_large = 0; // storage is of the schedule and the pattern, whatever the machine
        const auto stored = in_one_transaction(workspace_, [&]() -> Result<void> {
            for (const TimesOfMachine& machine : stores_) {
                const auto times = (*profile)->times(machine.description());
                if (!times)
                    return std::unexpected(times.error());
                too_large =
                    std::ranges::count_if(times->milliseconds, [](double ms) { return std::isinf(ms); });
                if (auto one = machine.store(matrix, schedules, times->milliseconds); !one)
                    return one;
            }
            return {};
        });
        if (!stored || stores_.empty())
            return stored;
        ++summary.matrices;
        summary.runtimes += static_cast<std::int64_t>(schedules.size());
        summary.too_large += too_large;
        return {};
    }

private:
    Workspace& workspace_;
    const Simulator& simulator_;
    const SimulationRequest& request_;
    const std::stop_token& stop_;
    std::vector<TimesOfMachine> stores_;
};

} // namespace

Result<SimulationSummary> simulate_schedules(Workspace& workspace, const Simulator& simulator,
                                             std::span<const SimulatedMachine> machines,
                                             const SimulationRequest& request, const std::stop_token& stop,
                                             const ProgressSink& progress) {
    if (simulator.needs_recorded())
        return fail(Fault::Input, fmt::format("{} starts from recorded runtimes, and there are none of "
                                              "schedules that are drawn",
                                              simulator.name()));
    const auto matrices = wanted_matrices(workspace, request);
    if (!matrices)
        return std::unexpected(matrices.error());
    SimulationSummary summary;
    MatrixSimulator one(workspace, simulator, machines, request, stop);
    for (std::uint64_t done = 0; const MatrixRecord& matrix : *matrices) {
        if (stop.stop_requested())
            return fail(Fault::Cancelled, fmt::format("stopped after {} matrices", summary.matrices));
        if (progress)
            progress({"simulating", done++, matrices->size()});
        std::vector<SuperSchedule> schedules;
        if (matrix.pattern != PayloadPlace::Unknown) {
            auto wanted = one.schedules_of(matrix);
            if (!wanted)
                return std::unexpected(std::move(wanted).error());
            schedules = *std::move(wanted);
            if (schedules.empty())
                continue;
        }
        auto pattern = load_pattern(workspace, matrix.id);
        if (!pattern) {
            if (pattern.error().fault != Fault::Input) // the workspace itself can't be read
                return std::unexpected(pattern.error());
            summary.unreadable.push_back({matrix.name, pattern.error()});
            continue;
        }
        if (auto simulated =
                one.run(matrix, std::make_shared<const CsrPattern>(*std::move(pattern)), schedules, summary);
            !simulated)
            return std::unexpected(simulated.error());
    }
    return summary;
}

namespace {

/// The record that simulated times belong to.
Result<SimulatedMachine> machine_to_simulate(Workspace& workspace, const WorkspaceLocation& location,
                                             const std::string& text, const std::string& code_of) {
    auto named = named_machine(location, text);
    if (!named)
        return std::unexpected(std::move(named).error());
    MachineDescription machine = std::move(named->machine);
    const bool is_generated = machine.source != MachineSource::Simulated || !code_of.empty();
    std::string made_by = "simulated";
    if (!code_of.empty()) {
        const auto cpu = set_analysed_costs(machine, code_of);
        if (!cpu)
            return std::unexpected(cpu.error());
        made_by += ", code of " + *cpu;
    }
    if (is_generated) {
        machine = simulated_copy(std::move(machine));
        machine.name += fmt::format(" ({})", made_by);
    }
    const auto known = find_machine(workspace, machine.name);
    if (!known)
        return std::unexpected(known.error());
    if (*known && description_of(**known) == machine)
        return SimulatedMachine{.record = **known, .description = std::move(machine)};
    if (*known && !is_generated)
        return fail(Fault::Input, fmt::format("the workspace has another machine '{}': give this one another "
                                              "name with `machine add --name`, or remove that one",
                                              machine.name));
    if (*known) { // its real machine was calibrated or described anew, and all its times are renewed
        const auto renewed =
            record_machine(workspace, machine.name, (*known)->fingerprint, machine_to_text(machine));
        if (!renewed)
            return std::unexpected(renewed.error());
        return SimulatedMachine{.record = **known, .description = std::move(machine)};
    }
    auto added = add_machine(workspace, machine);
    if (!added)
        return std::unexpected(std::move(added).error());
    return SimulatedMachine{.record = std::move(added->record), .description = std::move(machine)};
}

Result<std::vector<SimulatedMachine>> machines_to_simulate(Workspace& workspace,
                                                           const WorkspaceLocation& location,
                                                           const RuntimesSimulationRequest& request) {
    std::vector<SimulatedMachine> machines;
    for (const std::string& text : request.machines) {
        auto machine = machine_to_simulate(workspace, location, text, request.code_of);
        if (!machine)
            return std::unexpected(std::move(machine).error());
        machines.push_back(std::move(*machine));
    }
    if (!request.sampled)
        return machines;
    const auto known = list_machines(workspace);
    if (!known)
        return std::unexpected(known.error());
    for (const MachineRecord& record : *known)
        if (is_editable(record))
            if (auto description = description_of(record))
                machines.push_back({.record = record, .description = std::move(*description)});
    return machines;
}

} // namespace

Result<SimulatedRuntimes> add_simulated_runtimes(Workspace& workspace, const WorkspaceLocation& location,
                                                 const RuntimesSimulationRequest& request, Observer& observer,
                                                 const std::stop_token& stop) {
    auto machines = machines_to_simulate(workspace, location, request);
    if (!machines)
        return std::unexpected(std::move(machines).error());
    if (machines->empty())
        return fail(
            Fault::Input,
            "no machine is named, and the workspace has no simulated one; `machine sample` adds some, "
            "`machine presets` lists others");
    SimulationRequest simulation;
    simulation.op = request.op;
    simulation.dense = dense_index(request.op) ? request.dense : 1;
    simulation.matrices = request.matrices;
    SampledSchedules schedules = request.schedules;
    schedules.seed = request.seed;
    simulation.schedules = schedules;
    simulation.threads = available_threads();
    if (request.noise) // each machine has noise of its own, whatever others are simulated beside it
        for (SimulatedMachine& machine : *machines)
            machine.noise_seed = (request.seed ^ digest_of(machine.record.fingerprint)) | 1;
    observer.start(Json::object());
    auto summary =
        simulate_schedules(workspace, MechanisticSimulator(), *machines, simulation, stop, observer.sink());
    if (!summary)
        return std::unexpected(std::move(summary).error());
    return SimulatedRuntimes{*std::move(machines), *std::move(summary)};
}

} // namespace sparsight
