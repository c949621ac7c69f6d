// Tasks on imagined machines, with the workloads and configurations of a task on a real machine. Also the
// sources that the transfer experiment compares (what a model learns from before it is adapted to an unknown
// machine), and the split for that machine.
#pragma once

#include "base/error.h"
#include "base/observer.h"
#include "learning/tasks/task.h"
#include "study/simulator.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <string_view>
#include <vector>

namespace sparsight {

/// The first machines of a family (machine/machine_family.h) that are used for training.
[[nodiscard]] std::vector<MachineDescription> training_machines(std::uint64_t seed, std::size_t count);

/// One task for each machine, over all workloads of `recorded` (one of the set's). Spreads scale with the
/// runtimes where the simulator starts from recorded ones, so that near-ties stay near-ties; otherwise
/// they are the error of the simulation. The data of each workload are read once, where the simulator needs
/// them. Errors: those of the simulator and of the data, with the workload; Fault::Cancelled.
[[nodiscard]] Result<std::vector<Task>> simulated_tasks(const TaskSet& set, const Task& recorded,
                                                        std::span<const MachineDescription> machines,
                                                        const Simulator& simulator,
                                                        const std::stop_token& stop = {},
                                                        const ProgressSink& progress = {});

enum class MetaSource : std::uint8_t {
    Scratch,       ///< no pre-training: the reference
    Paper,         ///< the report's machines A and B, simulated from recorded times by its formula
    Family,        ///< sampled machines, simulated mechanistically
    Real,          ///< all other machines that were measured
    FamilyAndReal, ///< both
};

inline constexpr std::array all_meta_sources{MetaSource::Scratch, MetaSource::Paper, MetaSource::Family,
                                             MetaSource::Real, MetaSource::FamilyAndReal};

/// "scratch", "paper", "family", "real", "family+real".
[[nodiscard]] std::string_view name(MetaSource source);
[[nodiscard]] std::optional<MetaSource> parse_meta_source(std::string_view text);

/// The machine other than the target (place in `real.tasks`) with the most matrices: simulated machines get
/// its matrices and schedules, and the paper's formula its times, so that they contain nothing of the
/// target. Absent where there is no other machine.
[[nodiscard]] std::optional<std::size_t> schedule_donor(const TaskSet& real, std::size_t target);

/// The tasks of a source, over the matrices of `real`; never a task of the target. No tasks for
/// MetaSource::Scratch.
[[nodiscard]] TaskSet tasks_of(MetaSource source, const TaskSet& real, std::size_t target,
                               std::span<const Task> paper, std::span<const Task> family);

/// A machine with fewer families of matrices can't be both learned and tested.
inline constexpr std::size_t fewest_target_families = 4;

/// The number of families of matrices with runtimes of this task (place in the set's tasks).
[[nodiscard]] std::size_t count_families(const TaskSet& set, std::size_t task);

/// The matrices that a model may see before and during the adaptation to a machine. The test is a share of
/// the target's matrices, drawn by the seed in whole families. The training matrices are all others of the
/// set of other families than those, whichever machine they were measured on. The validation side is
/// empty, so that no source chooses its weights by it. An error (Fault::Input) that says what to do where
/// the target has fewer families than fewest_target_families.
[[nodiscard]] Result<WorkloadSplit> transfer_split(const TaskSet& set, std::size_t target, double test_share,
                                                   std::uint64_t seed);

} // namespace sparsight
