// Processes that train one model together: each works on a share of every step, and what they found is added
// up over all of them (LibTorch's c10d with Gloo; Li et al.: PyTorch Distributed, VLDB 2020).
#pragma once

#include "base/error.h"

#include <ATen/core/Tensor.h>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

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
/// MASTER_ADDR and MASTER_PORT give the rendezvous; without them it is srun's first node, or this
/// computer. Without any of these variables there is one process. Where neither the launcher nor srun gives
/// the local rank, it is 0. Errors (Fault::Input) name the variable that is missing or wrong.
[[nodiscard]] Result<ProcessPlace> process_place(const EnvironmentLookup& variable = environment_variable);

/// Waits until the first process listens at the rendezvous. Errors: it did not in time
/// (Fault::Environment); Fault::Cancelled.
[[nodiscard]] Result<void> wait_for_listener(const ProcessPlace& place, std::chrono::milliseconds patience,
                                             const std::stop_token& stop);

class ProcessGroup {
public:
    /// A group with this process only.
    ProcessGroup();

    /// Waits until all processes have joined; a single process does not wait. Errors: the others did not join
    /// in time, or this program was built without Gloo (Fault::Environment); stopped while waiting
    /// (Fault::Cancelled).
    [[nodiscard]] static Result<ProcessGroup>
    join(const ProcessPlace& place, std::chrono::milliseconds patience, const std::stop_token& stop = {});

    ProcessGroup(ProcessGroup&& other) noexcept;
    ProcessGroup& operator=(ProcessGroup&& other) noexcept;
    ~ProcessGroup();

    [[nodiscard]] int rank() const { return rank_; }
    [[nodiscard]] int count() const { return count_; }

    /// Sends a text to all processes and returns the texts of all, by rank. All processes call this, and each
    /// waits for the others, at most as long as join() does and until it is stopped. Errors: those of join().
    [[nodiscard]] Result<std::vector<std::string>> exchange(const std::string& word,
                                                            const std::stop_token& stop = {});

    /// Replaces every number by its sum over all processes, which call this with tensors of the same shapes,
    /// on any device; the sums have the same bits everywhere. Throws what c10d throws when another process is
    /// gone: callers run inside guarded().
    void add_up(std::vector<at::Tensor>& tensors) const;

private:
    struct Connection;

    int rank_ = 0;
    int count_ = 1;
    std::unique_ptr<Connection> connection_; ///< nothing for one process
};

} // namespace sparsight
