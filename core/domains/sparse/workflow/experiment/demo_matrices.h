// The matrices of the demo workspace. Three to look at: a regular mesh, a network with hubs, and pruned
// weights in blocks; different schedules win on each. And small ones of many families to learn from, none of
// which has the pattern or the sizes of another one.
#pragma once

#include "base/error.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

class Workspace;

/// Those that are there already stay, whatever seed they were made with.
[[nodiscard]] Result<void> add_demo_matrices(Workspace& workspace, std::uint64_t seed);

/// Names of what is in the workspace then.
struct DemoSplit {
    std::vector<std::string> train;
    std::vector<std::string> validation;
    std::vector<std::string> test; ///< never trained on
};

/// To learn from: "lesson-…"; likewise.
[[nodiscard]] Result<DemoSplit> add_demo_training_matrices(Workspace& workspace, std::uint64_t seed);

/// Stores which matrices are to train, validate and test with, under a name. Those that the workspace does
/// not have are left out.
[[nodiscard]] Result<void> save_demo_split(Workspace& workspace, const DemoSplit& split,
                                           const std::string& name);

/// What the lessons on learning need: the matrices to learn from, their split “lessons”, and simulated times
/// of 100 schedules of each on a laptop, a server and an Arm server. What is there is renewed.
[[nodiscard]] Result<void> add_lesson_times(Workspace& workspace, std::uint64_t seed);

/// Whether a matrix of this name is one of those to learn from and to test with, and none to look at.
[[nodiscard]] bool is_demo_training_matrix(std::string_view name);

} // namespace sparsight
