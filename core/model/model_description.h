// Everything about a trained model but its weights: what it is and what it learned from.
#pragma once

#include "base/error.h"
#include "model/network_description.h"
#include "model/simulator_blend.h"

#include <cstdint>
#include <map>
#include <optional>
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

} // namespace sparsight
