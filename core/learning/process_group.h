// Processes that train one model together: each works on a share of every step, and what they found is added
// up over all of them (LibTorch's c10d with Gloo; Li et al.: PyTorch Distributed, VLDB 2020).
#pragma once

#include "base/error.h"
#include "learning/process_place.h"

#include <ATen/core/Tensor.h>
#include <chrono>
#include <memory>
#include <vector>

namespace sparsight {

class ProcessGroup {
public:
    /// Of this process alone.
    ProcessGroup();

    /// Waits until all have come. One process needs nobody. Errors: the others did not come in time, or this
    /// program was built without Gloo (Fault::Environment).
    [[nodiscard]] static Result<ProcessGroup> join(const ProcessPlace& place,
                                                   std::chrono::milliseconds patience);

    ProcessGroup(ProcessGroup&& other) noexcept;
    ProcessGroup& operator=(ProcessGroup&& other) noexcept;
    ~ProcessGroup();

    [[nodiscard]] int rank() const { return rank_; }
    [[nodiscard]] int count() const { return count_; }

    /// Replaces every number by its sum over all processes, which call this with tensors of the same shapes,
    /// on the CPU; the sums have the same bits everywhere. Throws what c10d throws when another process is
    /// gone: callers run inside guarded().
    void add_up(std::vector<at::Tensor>& tensors) const;

private:
    struct Connection;

    int rank_ = 0;
    int count_ = 1;
    std::unique_ptr<Connection> connection_; ///< nothing for one process
};

} // namespace sparsight
