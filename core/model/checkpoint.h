// A trained model as bytes: what the workspace keeps (store/models.h) and what is exported as a file. It is a
// tensor archive (tensor_archive.h) of the kind "SPSMODEL" with the description as its JSON; the trees of
// boosted trees, as xgboost stores them, are what follows the tensors.
#pragma once

#include "base/error.h"
#include "model/model_description.h"
#include "model/named_array.h"

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace sparsight {

struct Checkpoint {
    ModelDescription model;
    std::vector<NamedArray> weights; ///< of a network
    std::string trees;               ///< of boosted trees
    /// Of a network that learned its own inner rates (Meta-SGD): one array for each of the weights, by its
    /// name.
    std::vector<NamedArray> rates = {};

    bool operator==(const Checkpoint&) const = default;
};

[[nodiscard]] std::vector<std::byte> checkpoint_bytes(const Checkpoint& checkpoint);

/// Exactly what was saved. Foreign, damaged and truncated bytes, other versions and weights that do not fit
/// the network are errors of Fault::Input with the reason.
[[nodiscard]] Result<Checkpoint> parse_checkpoint(std::span<const std::byte> bytes);

/// The file is there as a whole or not at all.
[[nodiscard]] Result<void> write_checkpoint(const std::filesystem::path& path, const Checkpoint& checkpoint);
[[nodiscard]] Result<Checkpoint> read_checkpoint(const std::filesystem::path& path);

} // namespace sparsight
