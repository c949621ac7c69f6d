// Named splits of the matrices into those to train on, to validate with and to test with, in the order given.
#pragma once

#include "base/error.h"
#include "store/matrices.h"

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

/// WACO's four lists; Total is all of them, in an order of its own.
enum class SplitPart { Total, Train, Validation, Test };
inline constexpr std::array all_split_parts{SplitPart::Total, SplitPart::Train, SplitPart::Validation,
                                            SplitPart::Test};

/// "total", "train", "validation", "test".
[[nodiscard]] std::string_view name(SplitPart part);

struct Split {
    std::string name;
    std::array<std::vector<MatrixId>, all_split_parts.size()> parts;

    [[nodiscard]] std::vector<MatrixId>& operator[](SplitPart part) {
        return parts[static_cast<std::size_t>(part)];
    }
    [[nodiscard]] const std::vector<MatrixId>& operator[](SplitPart part) const {
        return parts[static_cast<std::size_t>(part)];
    }
    bool operator==(const Split&) const = default;
};

/// Replaces the split of this name.
[[nodiscard]] Result<void> save_split(Workspace& workspace, const Split& split);
[[nodiscard]] Result<std::optional<Split>> find_split(Workspace& workspace, std::string_view name);
[[nodiscard]] Result<std::vector<std::string>> split_names(Workspace& workspace);

} // namespace sparsight
