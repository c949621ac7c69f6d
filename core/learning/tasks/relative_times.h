// Times as shares of the fastest: what cost models of tensor programs learn (TenSet; Verma et al., 2023).
#pragma once

#include "learning/tasks/task.h"

#include <cstddef>
#include <cstdint>

namespace sparsight {

/// Divides each time by the fastest one of its workload on its machine. Workloads on machines where nothing
/// ran are left out.
void make_times_relative(TaskSet& set);

/// Takes what failed for twice as slow as the slowest that ran of its workload on its machine, so that a
/// model of times learns of it.
void take_failures_for_slow(TaskSet& set);

/// Leaves at most this many measurements, drawn from all at random.
void draw_measurements(TaskSet& set, std::size_t most, std::uint64_t seed);

} // namespace sparsight
