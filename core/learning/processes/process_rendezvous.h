// Where this process stands among those that were started together to train one model.
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
    int local_rank = 0; ///< from 0, among those on this computer: which of its GPUs is this process's

    bool operator==(const ProcessPlace&) const = default;
};

/// The value of an environment variable, if it is set.
using EnvironmentLookup = std::function<std::optional<std::string>(const std::string& name)>;
[[nodiscard]] std::optional<std::string> environment_variable(const std::string& name);

/// As the starter says: torchrun (RANK, WORLD_SIZE), Open MPI (OMPI_COMM_WORLD_RANK, …_SIZE), MPICH and Intel
/// MPI (PMI_RANK, PMI_SIZE), srun (SLURM_PROCID, SLURM_NTASKS with SLURM_STEP_ID). MASTER_ADDR and
/// MASTER_PORT say where to meet; without them, srun's first node, or this computer. Without any of these
/// variables it is one process. Where neither the starter nor srun says which process of its computer this
/// is, it is the first. Errors (Fault::Input) name the variable that is missing or wrong.
[[nodiscard]] Result<ProcessPlace> process_place(const EnvironmentLookup& variable = environment_variable);

// Where processes that train together meet: before c10d connects them, which waits without hearing of
// anything.

/// Waits until somebody listens there. Errors: nobody did in time (Fault::Environment); Fault::Cancelled.
[[nodiscard]] Result<void> wait_for_listener(const ProcessPlace& place, std::chrono::milliseconds patience,
                                             const std::stop_token& stop);

} // namespace sparsight
