// Named splits of the workloads of a workspace: which are trained on, validated with and tested with.
#pragma once

#include "base/error.h"
#include "store/workloads.h"

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

class Workspace;

/// WACO's four lists of a split: matrices to train on, to validate with and to test with, and Total with all
/// of them in an order of its own.
enum class SplitPart { Total, Train, Validation, Test };
inline constexpr std::array all_split_parts{SplitPart::Total, SplitPart::Train, SplitPart::Validation,
                                            SplitPart::Test};

/// "total", "train", "validation", "test".
[[nodiscard]] std::string_view name(SplitPart part);

struct Split {
    std::string name;
    std::array<std::vector<WorkloadId>, all_split_parts.size()> parts;

    [[nodiscard]] std::vector<WorkloadId>& operator[](SplitPart part) {
        return parts[static_cast<std::size_t>(part)];
    }
    [[nodiscard]] const std::vector<WorkloadId>& operator[](SplitPart part) const {
        return parts[static_cast<std::size_t>(part)];
    }
    bool operator==(const Split&) const = default;
};

/// Saves a split with its order, replacing the split of this name.
[[nodiscard]] Result<void> save_split(Workspace& workspace, const Split& split);
[[nodiscard]] Result<std::optional<Split>> find_split(Workspace& workspace, std::string_view name);
[[nodiscard]] Result<std::vector<std::string>> split_names(Workspace& workspace);

} // namespace sparsight
