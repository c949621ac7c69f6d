#include "collection/simulated_schedules.h"

#include "machine/machine_parameters.h"
#include "machine/mechanistic/runtime_noise.h"
#include "schedule/validity.h"
#include "store/matrices.h"
#include "store/measurements.h"
#include "store/stored_pattern.h"
#include "store/workspace.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace sparsight {

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

class MatrixSimulator {
public:
    MatrixSimulator(Workspace& workspace, const Simulator& simulator, const MachineRecord& machine,
                    const MachineDescription& description, const SimulationRequest& request)
        : workspace_(workspace)
        , simulator_(simulator)
        , machine_(machine)
        , description_(description)
        , request_(request)
        , parameters_(resolve_parameters(description).values) {}

    Result<void> run(const MatrixRecord& matrix, const CsrPattern& pattern, SimulationSummary& summary) {
        const Extents all = extents(request_.op, pattern.rows, pattern.cols, request_.dense);
        const int threads =
            std::min(maximum_threads, static_cast<int>(parameters_[MachineParameter::Threads]));
        const auto schedules = schedules_for(request_.schedules, request_.op, matrix.name, all, threads);
        const auto times = simulator_.simulate(description_, {&pattern, request_.dense, schedules, {}});
        if (!times)
            return std::unexpected(times.error());
        Random random = random_of_matrix(request_.noise_seed, matrix.name);
        const auto stored = in_one_transaction(workspace_, [&]() -> Result<void> {
            for (std::size_t at = 0; at < schedules.size(); ++at)
                if (auto one = store(matrix.id, schedules[at], (*times)[at], random); !one)
                    return one;
            return {};
        });
        if (!stored)
            return stored;
        ++summary.matrices;
        summary.runtimes += static_cast<std::int64_t>(schedules.size());
        summary.too_large += std::ranges::count_if(*times, [](double time) { return std::isinf(time); });
        return {};
    }

private:
    Result<void> store(MatrixId matrix, const SuperSchedule& schedule, double time, Random& random) {
        Measurement measurement;
        measurement.reason = fmt::format("simulated ({})", simulator_.name());
        measurement.status = std::isinf(time) ? MeasurementStatus::TooLarge : MeasurementStatus::Measured;
        if (!std::isinf(time)) {
            const double sigma = request_.noise_seed == 0 ? 0 : parameters_[MachineParameter::Noise];
            measurement.median = Milliseconds(measured_with_noise(time, sigma, random));
            measurement.spread = measurement.median * sigma;
            measurement.repeats = 1;
        }
        return record_measurement(workspace_,
                                  {matrix, machine_.id, request_.dense, std::string(simulated_protocol)},
                                  schedule, measurement);
    }

    Workspace& workspace_;
    const Simulator& simulator_;
    const MachineRecord& machine_;
    const MachineDescription& description_;
    const SimulationRequest& request_;
    MachineParameters parameters_;
};

} // namespace

Result<SimulationSummary> simulate_schedules(Workspace& workspace, const Simulator& simulator,
                                             const MachineRecord& machine,
                                             const MachineDescription& description,
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
    MatrixSimulator one(workspace, simulator, machine, description, request);
    for (std::uint64_t done = 0; const MatrixRecord& matrix : *matrices) {
        if (stop.stop_requested())
            return fail(Fault::Cancelled, fmt::format("stopped after {} matrices", summary.matrices));
        if (progress)
            progress({"simulating", done++, matrices->size()});
        const auto pattern = load_pattern(workspace, matrix.id);
        if (!pattern) {
            if (pattern.error().file == workspace.path().string())
                return std::unexpected(pattern.error());
            summary.unreadable.push_back(pattern.error());
            continue;
        }
        if (auto simulated = one.run(matrix, *pattern, summary); !simulated)
            return std::unexpected(simulated.error());
    }
    return summary;
}

} // namespace sparsight
