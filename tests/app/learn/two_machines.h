// A small workspace of two machines whose runtimes follow a rule that can be learned, made without measuring
// anything.
#pragma once

#include "core/learning/synthetic_tasks.h"
#include "core/store/store_fixture.h"
#include "domains/sparse/tensor/statistics.h"

#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <string>
#include <vector>

namespace sparsight::testing {

inline constexpr int matrices_of_two_machines = 14;

class TwoMachines {
public:
    /// "first" and "second", measured on "uniform-0" … with dense extent 32.
    static void add_to(Workspace& workspace) {
        must(in_one_transaction(workspace, [&]() -> Result<void> {
            TwoMachines made;
            made.add_matrices(workspace);
            made.add_measurements(workspace, "first", {1.0, 1.0}, 0);
            made.add_measurements(workspace, "second", {-0.5, 0.2}, 1000);
            return {};
        }));
    }

private:
    void add_matrices(Workspace& workspace) {
        for (int m = 0; m < matrices_of_two_machines; ++m) {
            const double density =
                0.01 * std::pow(40.0, static_cast<double>(m) / static_cast<double>(matrices_of_two_machines));
            const auto pattern =
                must(generate_matrix("uniform", {{"rows", 60}, {"cols", 50}, {"density", density}},
                                     static_cast<std::uint64_t>(m) + 1));
            statistics_.push_back(compute_statistics(pattern, 1));
            ids_.push_back(must(add_matrix(workspace, {fmt::format("uniform-{}", m), "test", {}}, pattern)));
        }
    }
    void add_measurements(Workspace& workspace, const std::string& name, const SyntheticMachine& machine,
                          std::uint64_t seed) {
        const MachineId id = must(recorded_machine(workspace, name));
        for (std::size_t m = 0; m < ids_.size(); ++m) {
            Random random(seed + m);
            auto schedules =
                sample_uniform(Operator::SpMM, extents(Operator::SpMM, 60, 50, 32), 24, 2, random);
            schedules.push_back(canonical(fixed_csr(Operator::SpMM, 2)));
            for (const SuperSchedule& schedule : schedules) {
                Measurement measurement;
                measurement.status = MeasurementStatus::Measured;
                measurement.median = Milliseconds(synthetic_milliseconds(machine, statistics_[m], schedule));
                measurement.repeats = 30;
                must(record_measurement(workspace, {ids_[m], id, 32, "waco"}, schedule, measurement));
            }
        }
    }

    std::vector<WorkloadId> ids_;
    std::vector<PatternStatistics> statistics_;
};

} // namespace sparsight::testing
