// What a stored model has seen before it is asked: its own training and that of the models that it was made
// from. From what the workspace keeps of models and runs alone, so that programs without LibTorch can ask.
#pragma once

#include "base/error.h"
#include "store/models.h"
#include "store/runs.h"

#include <set>
#include <span>
#include <string>
#include <vector>

namespace sparsight {

class Workspace;

class ModelLineage {
public:
    [[nodiscard]] static Result<ModelLineage> read(Workspace& workspace);

    /// The model and those that it was made from, itself first.
    [[nodiscard]] std::vector<const ModelRecord*> ancestry(ModelId model) const;
    /// Names of the matrices that it and its ancestors learned from.
    [[nodiscard]] std::set<std::string> learned_from(ModelId model) const;
    /// … and of those by which their best weights were chosen, as far as their splits are known.
    [[nodiscard]] Result<std::set<std::string>> validated_with(Workspace& workspace, ModelId model) const;
    /// Of the split by which the oldest of them with a known split was trained: given to that training, or
    /// kept by it under the model's name. Empty where none is known.
    [[nodiscard]] std::string split(ModelId model) const;

private:
    [[nodiscard]] std::string own_split(const ModelRecord& model) const;

    std::vector<ModelRecord> models_;
    std::vector<RunRecord> runs_;
};

/// Those of `matrices` that one of the models, or what it was made from, learned from in any form: a
/// transposed or resized one is no news to it (matrix/name_stem.h).
[[nodiscard]] std::vector<std::string> learned_among(const ModelLineage& lineage,
                                                     std::span<const ModelId> models,
                                                     std::span<const std::string> matrices);

} // namespace sparsight
