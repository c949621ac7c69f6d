// The place of this process among those that were started together to train one model, and how they meet
// before c10d connects them, which would wait without reacting to a stop.
#pragma once

#include "base/error.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>

namespace sparsight {

struct ProcessPlace {
    int rank = 0;                     ///< from 0
    int count = 1;                    ///< of processes
    std::string master = "127.0.0.1"; ///< where the process of rank 0 listens
    std::uint16_t port = 29500;
    int local_rank =
        0; ///< from 0, among those on this computer: the number of the GPU that this process uses

    bool operator==(const ProcessPlace&) const = default;
};

/// The value of an environment variable, if it is set.
using EnvironmentLookup = std::function<std::optional<std::string>(const std::string& name)>;
[[nodiscard]] std::optional<std::string> environment_variable(const std::string& name);

/// The place according to the launcher: torchrun (RANK, WORLD_SIZE), Open MPI (OMPI_COMM_WORLD_RANK,
/// …_SIZE), MPICH and Intel MPI (PMI_RANK, PMI_SIZE), srun (SLURM_PROCID, SLURM_NTASKS with SLURM_STEP_ID).
/// MASTER_ADDR and MASTER_PORT give the meeting point; without them it is srun's first node, or this
/// computer. Without any of these variables there is one process. Where neither the launcher nor srun gives
/// the local rank, it is 0. Errors (Fault::Input) name the variable that is missing or wrong.
[[nodiscard]] Result<ProcessPlace> process_place(const EnvironmentLookup& variable = environment_variable);

/// Waits until the first process listens at the meeting point. Errors: it did not in time
/// (Fault::Environment); Fault::Cancelled.
[[nodiscard]] Result<void> wait_for_listener(const ProcessPlace& place, std::chrono::milliseconds patience,
                                             const std::stop_token& stop);

} // namespace sparsight
