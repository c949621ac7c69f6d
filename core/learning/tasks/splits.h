// Splits workloads into training, validation and test. Forms of one workload (a family) stay on one side:
// with one form in training and another in the test, the test would reward a model for memorising.
#pragma once

#include "base/error.h"
#include "learning/tasks/task.h"
#include "store/workspace.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace sparsight {

/// The relation of WorkloadFamilies (store/workload_families.h) among examined workloads, whose statistics
/// are all known: the family of each workload, as the place of its first member. Two workloads are of one
/// family where they share TaskWorkload::family or TaskWorkload::family_key, or where both share one with a
/// third.
[[nodiscard]] std::vector<std::size_t> workload_families(std::span<const TaskWorkload> workloads);

/// Weights; they need not add up to 1.
struct SplitShares {
    double train = 0.8;
    double validation = 0.1;
    double test = 0.1;
};

/// Splits workloads by whole families. Each workload is on one side, where places ascend. Sides without a
/// share stay empty, and the others do not. A family larger than a side goes to the side that lacks most
/// workloads. The result depends only on workloads, shares and seed. Errors, which name workloads by `noun`:
/// a negative share; all shares are 0; fewer families than sides.
[[nodiscard]] Result<WorkloadSplit> split_workloads(std::span<const TaskWorkload> workloads,
                                                    const SplitShares& shares, std::uint64_t seed,
                                                    const Noun& noun = DomainWords{}.workload);

enum class SplitSide { Train, Validation, Test };

/// "training", "validation", "test".
[[nodiscard]] std::string_view name(SplitSide side);

/// A leak: two workloads of one family on two sides, or one workload on both.
struct Leak {
    std::size_t workload = 0;
    SplitSide side = SplitSide::Train;
    std::size_t relative = 0;
    SplitSide relative_side = SplitSide::Test;

    bool operator==(const Leak&) const = default;
};

/// Every leak, by the workload on the first side.
[[nodiscard]] std::vector<Leak> leaks(const WorkloadSplit& split, std::span<const TaskWorkload> workloads);

/// The first `count` of the training workloads in an order given by the seed (all, where there are fewer):
/// for one seed, smaller subsets are part of larger ones.
[[nodiscard]] std::vector<std::size_t> training_subset(const WorkloadSplit& split, std::size_t count,
                                                       std::uint64_t seed);

/// A split of the workspace (store/workloads.h), such as one that came with imported data, by its name, as a
/// split of a task set. Workloads that the task set lacks are left out, and those that the split does not
/// name are on no side. The split is not checked: leaks() says whether it can be trusted. Errors: no such
/// split; none of its training workloads is in the set.
[[nodiscard]] Result<WorkloadSplit> load_split(Workspace& workspace, std::string_view name,
                                               const TaskSet& set);

/// Stores the split under this name, replacing an existing split.
[[nodiscard]] Result<void> store_split(Workspace& workspace, std::string_view name,
                                       const WorkloadSplit& split, const TaskSet& set);

} // namespace sparsight
