// Which measurements to train on where not all are needed. Hardware-aware sampling (Verma et al., "Transfer
// Learning Across Heterogeneous Features For Efficient Tensor Program Generation", 2023, section 3.2) looks
// at the FLOPs of a workload and at the times on each machine; random sampling of the same size is what it
// has to be better than.
#pragma once

#include "base/error.h"
#include "learning/tasks/task.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

enum class SampleRule : std::uint8_t {
    All,
    Random,       ///< at random from all
    HardwareAware ///< see sample_runtimes()
};
/// "all", "random", "hardware-aware".
[[nodiscard]] std::string_view name(SampleRule rule);
/// Error (Input): there is no such rule; known ones are listed.
[[nodiscard]] Result<SampleRule> parse_sample_rule(std::string_view text);

struct SampleOptions {
    SampleRule rule = SampleRule::All;
    double keep = 0.55; ///< share of all measurements, above 0 and at most 1
    std::uint64_t seed = 1;
    /// Places in TaskSet::workloads: of others nothing is dropped, since they test. Empty: all.
    std::vector<std::size_t> workloads{};
    /// Hardware-aware: the slowest share of what ran of a workload on a machine is dropped …
    double slowest = 0.1;
    /// … and so is a workload on a machine with fewer measurements left than this.
    std::size_t fewest = 8;
    /// Of a workload by its place; absent where it is not known. Empty: of no workload.
    std::function<std::optional<double>(std::size_t workload)> flops{};
};

struct SampleReport {
    std::size_t measurements = 0; ///< before, of the workloads that are sampled
    std::size_t kept = 0;
    std::size_t failed = 0;   ///< dropped, as they did not run
    std::size_t slow = 0;     ///< dropped, as they are among the slowest
    std::size_t in_small = 0; ///< dropped, as too few of their workload are left on their machine
};

/// Leaves in the set what is to be trained on. The rule HardwareAware drops what failed, is slow or has too
/// few beside it. What is left on each machine is parted by the powers of two of its workloads' FLOPs; a part
/// gets measurements by the square root of its size, so that common sizes do not crowd out others. Of each
/// workload they are spread over the range of its times: one of each of as many equal shares, from fast to
/// slow. The rule keeps no more than `keep` of all, and fewer where fewer are fit.
[[nodiscard]] SampleReport sample_runtimes(TaskSet& set, const SampleOptions& options);

} // namespace sparsight
