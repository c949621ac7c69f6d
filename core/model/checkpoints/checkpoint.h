// Everything about a trained model but its weights: what it is and what it learned from.
#pragma once

#include "base/error.h"
#include "model/checkpoints/named_arrays.h"
#include "model/networks/network_description.h"
#include "model/simulator_blend.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace sparsight {

/// Gradient-boosted trees (boosted_trees.h).
struct TreesDescription {
    Operator op = Operator::SpMM;
    bool operator==(const TreesDescription&) const = default;
};

struct TrainingRecord {
    std::string method; ///< "supervised", "maml", "published" …; empty: never trained
    std::vector<std::string> machines;
    std::vector<std::string> matrices;
    std::uint64_t seed = 0;
    std::map<std::string, double> metrics; ///< finite numbers
    std::optional<std::string> parent;     ///< the model that this one was fine-tuned from
    /// Those in effect, also where a default stood for them, by the names of the command's options
    /// ("inner_rate"); none of models that were made before they were kept.
    std::map<std::string, std::string> settings{};
    std::vector<std::string> remarks{}; ///< what limits its worth; sentences

    bool operator==(const TrainingRecord&) const = default;
};

struct ModelDescription {
    std::variant<NetworkDescription, TreesDescription> architecture;
    TrainingRecord training;
    /// Of a fine-tuned network: its score is only a part of the model's.
    std::optional<SimulatorBlend> blend{};
    /// In a file: what the model was called in the workspace that it is from. Empty in a workspace, which has
    /// names of its own, and in files from before it was kept.
    std::string name{};

    bool operator==(const ModelDescription&) const = default;

    [[nodiscard]] Operator op() const;
};

/// "waconet", "statistics", "trees".
[[nodiscard]] std::string_view architecture_name(const ModelDescription& model);

/// One JSON object.
[[nodiscard]] std::string to_json(const ModelDescription& model);
/// An error (Fault::Input) names the field that is wrong.
[[nodiscard]] Result<ModelDescription> parse_model_description(std::string_view json);

// A trained model as bytes: what the workspace keeps (store/models.h) and what is exported as a file. It is a
// tensor archive (tensor_archive.h) of the kind "SPSMODEL" with the description as its JSON; the trees of
// boosted trees, as xgboost stores them, are what follows the tensors.

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
