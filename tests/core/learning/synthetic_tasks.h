// Tasks whose runtimes follow a rule that a model can learn: how much a schedule pays for fill-in, for its
// chunks and for its loop order depends on the matrix and, differently for each machine, on the machine.
#pragma once

#include "base/random.h"
#include "domains/sparse/encoder/sparse_tasks.h"
#include "domains/sparse/schedule/operator.h"
#include "domains/sparse/schedule/sampler.h"
#include "domains/sparse/tensor/generators/generator.h"
#include "learning/tasks/task.h"
#include "support/schedule_runtimes.h"

#include <cmath>
#include <fmt/format.h>
#include <numeric>

namespace sparsight::testing {

struct SyntheticMachine {
    double fill = 1;  ///< price of an uncompressed inner level
    double chunk = 1; ///< price of a chunk twice as large
};

inline double synthetic_milliseconds(const SyntheticMachine& machine, const PatternStatistics& matrix,
                                     const SuperSchedule& schedule) {
    const double log_density = std::log10(matrix.density);
    double cost = 2 + 0.3 * std::log2(static_cast<double>(schedule.split(Index::I)));
    if (schedule.format({Index::K, Part::Outer}) == LevelFormat::Uncompressed)
        cost -= machine.fill * (log_density + 1);
    cost += machine.chunk * 0.2 * std::log2(schedule.chunk);
    if (schedule.loops().front().index == Index::K)
        cost += 1.5;
    return std::exp(0.5 * cost);
}

/// Matrices of many densities, all measured on every machine.
inline TaskSet synthetic_tasks(std::span<const SyntheticMachine> machines, std::size_t matrices,
                               int schedules) {
    TaskSet tasks;
    tasks.setting = setting_of(Operator::SpMM, 32);
    std::vector<PatternStatistics> statistics;
    for (std::size_t m = 0; m < matrices; ++m) {
        const double density = 0.01 * std::pow(40.0, static_cast<double>(m) / static_cast<double>(matrices));
        auto pattern = *generate_matrix("uniform", {{"rows", 60}, {"cols", 50}, {"density", density}}, m + 1);
        statistics.push_back(compute_statistics(pattern, 1));
        tasks.workloads.push_back(task_workload(fmt::format("uniform-{}", m), statistics.back(),
                                                [pattern] { return Result<CsrPattern>(pattern); }));
    }
    for (std::size_t t = 0; t < machines.size(); ++t) {
        Task task{fmt::format("machine {}", t), {}, {}, 2};
        for (std::size_t m = 0; m < matrices; ++m) {
            Random random(100 * t + m);
            std::vector<SuperSchedule> drawn =
                sample_uniform(Operator::SpMM, extents(Operator::SpMM, 60, 50, 32), schedules, 2, random);
            drawn.push_back(canonical(fixed_csr(Operator::SpMM, 2)));
            std::vector<double> milliseconds;
            for (const SuperSchedule& schedule : drawn)
                milliseconds.push_back(synthetic_milliseconds(machines[t], statistics[m], schedule));
            task.runtimes.push_back(schedule_runtimes(m, drawn, std::move(milliseconds)));
        }
        tasks.tasks.push_back(std::move(task));
    }
    return tasks;
}

/// Every fourth matrix to validate with, the rest to train on.
inline WorkloadSplit synthetic_split(const TaskSet& tasks) {
    WorkloadSplit split;
    for (std::size_t m = 0; m < tasks.workloads.size(); ++m)
        (m % 4 == 3 ? split.validation : split.train).push_back(m);
    return split;
}

} // namespace sparsight::testing
