// Trained models: a description (JSON) and their weights as bytes, with the run that made them and the model
// that they were fine-tuned from.
#pragma once

#include "base/error.h"
#include "store/runs.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

enum class ModelId : std::int64_t {};

struct ModelRecord {
    ModelId id{};
    std::string name;
    std::optional<RunId> run;
    std::optional<ModelId> parent;
    std::string description; ///< JSON
    std::uint64_t bytes = 0; ///< of the weights
    std::string created;     ///< UTC, ISO 8601
};

struct NewModel {
    std::string name;
    std::optional<RunId> run;
    std::optional<ModelId> parent;
    std::string description;
};

/// An error when a model of this name is there.
[[nodiscard]] Result<ModelId> add_model(Workspace& workspace, const NewModel& model,
                                        std::span<const std::byte> weights);
[[nodiscard]] Result<std::vector<ModelRecord>> list_models(Workspace& workspace);
[[nodiscard]] Result<std::optional<ModelRecord>> find_model(Workspace& workspace, std::string_view name);
/// With its weights and its choices; those that were fine-tuned from it stay.
[[nodiscard]] Result<void> remove_model(Workspace& workspace, ModelId model);
[[nodiscard]] Result<std::vector<std::byte>> load_weights(Workspace& workspace, ModelId model);

} // namespace sparsight
