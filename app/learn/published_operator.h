// Which operator weights that others published are of, where nobody said it (model/published_weights.h).
#pragma once

#include "base/error.h"
#include "model/model_description.h"
#include "schedule/operator.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace sparsight {

class Workspace;

struct PublishedOperator {
    Operator op = Operator::SpMM;
    std::string by;          ///< what says so: "the name of the file or its folder", "its shape" …
    bool is_guessed = false; ///< other operators fit the shape as well, and nothing names one
};

/// `shape` is the operator whose network has such tensors. Schedules of SpMM and SDDMM have as many loops,
/// and the third-party weights are SpMM's in the shape of SDDMM's: of what fits, the name of the file or of
/// its folder decides, then for the shape of SDDMM what the workspace has runtimes of, then the shape.
[[nodiscard]] Result<PublishedOperator> published_operator(Workspace& workspace,
                                                           const std::filesystem::path& file, Operator shape);

/// Kept with the model, among its settings: what its operator was guessed by.
inline constexpr std::string_view guessed_operator_setting = "operator_guessed_by";

/// What the operator of a model was guessed by; empty where it is known.
[[nodiscard]] std::string operator_guessed_by(const ModelDescription& model);

} // namespace sparsight
