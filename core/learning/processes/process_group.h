// Processes that train one model together: each works on a share of every step, and what they found is added
// up over all of them (LibTorch's c10d with Gloo; Li et al.: PyTorch Distributed, VLDB 2020).
#pragma once

#include "base/error.h"
#include "learning/processes/process_rendezvous.h"

#include <ATen/core/Tensor.h>
#include <chrono>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace sparsight {

class ProcessGroup {
public:
    /// Of this process alone.
    ProcessGroup();

    /// Waits until all have come. One process needs nobody. Errors: the others did not come in time, or this
    /// program was built without Gloo (Fault::Environment); stopped while it waited (Fault::Cancelled).
    [[nodiscard]] static Result<ProcessGroup>
    join(const ProcessPlace& place, std::chrono::milliseconds patience, const std::stop_token& stop = {});

    ProcessGroup(ProcessGroup&& other) noexcept;
    ProcessGroup& operator=(ProcessGroup&& other) noexcept;
    ~ProcessGroup();

    [[nodiscard]] int rank() const { return rank_; }
    [[nodiscard]] int count() const { return count_; }

    /// Gives a word to all, and has the words of all, by rank. All call it, and each waits for the others, as
    /// long as the patience of join() and no longer than until it is stopped. Errors as those of join().
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
