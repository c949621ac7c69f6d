// Times as shares of the fastest: what cost models of tensor programs learn (TenSet; Verma et al., 2023).
#pragma once

#include "learning/tasks/task.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

namespace sparsight {

/// What a failure is taken for, by machine (Task::machine) and workload (TaskWorkload::whole_name()).
using FailureTimes = std::map<std::pair<std::string, std::string>, double>;

/// Divides each time by the fastest one of its workload on its machine. Workloads on machines where nothing
/// ran are left out. Returns twice the time of the slowest that ran, of each workload on each machine.
FailureTimes make_times_relative(TaskSet& set);

/// Gives failures these times, so that a model of times learns of them: also in parts of the workloads.
void take_failures_for_slow(TaskSet& set, const FailureTimes& times);

/// Leaves at most this many measurements, drawn from all at random. Where that would leave few of a
/// workload on a machine, whole workloads that fit are drawn instead, if any does, and the others leave the
/// set.
void draw_measurements(TaskSet& set, std::size_t most, std::uint64_t seed);

} // namespace sparsight
