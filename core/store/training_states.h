// From where a training run goes on after it was stopped or killed: bytes that learning/training_state.h
// understands.
#pragma once

#include "base/error.h"
#include "store/runs.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sparsight {

struct StoredTrainingState {
    std::vector<std::byte> state;
    std::string saved; ///< UTC, ISO 8601
};

/// Replaces the one that the run had.
[[nodiscard]] Result<void> save_training_state(Workspace& workspace, RunId run,
                                               std::span<const std::byte> state);
/// Nothing for a run that has not come so far, or is finished.
[[nodiscard]] Result<std::optional<StoredTrainingState>> find_training_state(Workspace& workspace, RunId run);
[[nodiscard]] Result<void> remove_training_state(Workspace& workspace, RunId run);

} // namespace sparsight
