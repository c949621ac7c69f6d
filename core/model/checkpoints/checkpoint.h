// A trained model: its description (its kind and its training data) and, as a checkpoint, its weights as
// bytes. The workspace stores checkpoints (store/models.h), and models are exported in the same form as
// files.
#pragma once

#include "base/error.h"
#include "machine/machine_parameters.h"
#include "model/checkpoints/named_arrays.h"
#include "model/checkpoints/tree_architectures.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

struct SimulatorBlend {
    /// The machine as calibrated to the measurements of the fine-tuning, and to no others.
    MachineParameters machine;
    std::int64_t dense = 256; ///< extent of the dense index
    double network = 0;       ///< weight of its score
    double simulator = 1;     ///< weight of the logarithm of its milliseconds
    /// The network's part, from 0 to 1, in the difference of the scores of two typical schedules; absent in
    /// models made before it was stored.
    std::optional<double> network_share{};

    bool operator==(const SimulatorBlend&) const = default;
};

/// How far the predicted times of a model may be off: the deviation of the logarithm of one time over another
/// has a part of its weights, and the residuals of both.
struct StatedDoubt {
    double residual = 0;    ///< of the logarithm of a measured time about the predicted one
    double temperature = 1; ///< factor on a deviation, so that a stated order is right as often as stated
    double reach = 1.96;    ///< so many deviations hold 95 % of the differences
    /// By which both factors were chosen; 0: by none, and they are those of a normal distribution.
    std::int64_t calibrated_on = 0;

    bool operator==(const StatedDoubt&) const = default;
};

class ModelDomain;

/// The kind of a model and what it reads, in the words of its domain.
struct ModelArchitecture {
    std::string name; ///< "waconet", "statistics", "trees"
    /// A JSON object without line breaks, as the domain writes it. It makes an Encoder or TreeFeatures of it
    /// (networks/encoder.h).
    std::string input = "{}";
    std::string domain{}; ///< empty: sparse, whose models were made before domains were stored

    bool operator==(const ModelArchitecture&) const = default;
};

struct TrainingRecord {
    std::string method; ///< "supervised", "maml", "published" …; empty: never trained
    std::vector<std::string> machines;
    std::vector<std::string> workloads; ///< that it learned from, each once
    std::uint64_t seed = 0;
    std::map<std::string, double> metrics; ///< finite numbers
    std::optional<std::string> parent;     ///< the model that was fine-tuned to this one
    /// The settings in effect, defaults included, by the names of the command's options ("inner_rate");
    /// empty for models made before settings were stored.
    std::map<std::string, std::string> settings{};
    std::vector<std::string> remarks{}; ///< limitations of the model; sentences
    /// Of configurations of its workloads, where a split went through these; 0: they were learned from as a
    /// whole, or it is not known.
    std::size_t groups = 0;
    std::size_t rows = 0; ///< configurations that were drawn from those; 0: all, or it is not known
    /// What the last digits of the weights depend on beside settings and data (computing_environment(), of
    /// trees trees_environment()); empty for models made before it was stored.
    std::map<std::string, std::string> computed_with{};

    bool operator==(const TrainingRecord&) const = default;
};

struct ModelDescription {
    ModelArchitecture architecture;
    TrainingRecord training;
    /// For a fine-tuned network, whose score is only a part of the model's.
    std::optional<SimulatorBlend> blend{};
    /// Of a gray box that was adapted to measurements; others state none.
    std::optional<StatedDoubt> doubt{};
    /// In a file: the name of the model in its workspace. Empty in a workspace, which has names of its own,
    /// and in files made before names were stored.
    std::string name{};

    bool operator==(const ModelDescription&) const = default;
};

[[nodiscard]] inline bool is_network(const ModelDescription& model) {
    return !is_of_trees(model.architecture.name);
}

/// One JSON object.
[[nodiscard]] std::string to_json(const ModelDescription& model);
/// An error (Fault::Input) names the field that is wrong.
[[nodiscard]] Result<ModelDescription> parse_model_description(std::string_view json,
                                                               const ModelDomain& domain);

/// A tensor archive (named_arrays.h) of the kind "SPSMODEL" with the description as its JSON; the trees of
/// boosted trees, as xgboost stores them, follow the tensors.
struct Checkpoint {
    ModelDescription model;
    std::vector<NamedArray> weights; ///< of a network
    std::string trees;               ///< for boosted trees, and of an adapted gray box
    /// For a network that learned its own inner rates (Meta-SGD): one array for each of the weights, by its
    /// name.
    std::vector<NamedArray> rates = {};

    bool operator==(const Checkpoint&) const = default;
};

[[nodiscard]] std::vector<std::byte> checkpoint_bytes(const Checkpoint& checkpoint);

/// Reads exactly what was saved. Foreign, damaged and truncated bytes, other versions and weights that do
/// not fit the network are errors of Fault::Input with the reason.
[[nodiscard]] Result<Checkpoint> parse_checkpoint(std::span<const std::byte> bytes,
                                                  const ModelDomain& domain);

/// Writes the file as a whole or not at all.
[[nodiscard]] Result<void> write_checkpoint(const std::filesystem::path& path, const Checkpoint& checkpoint);
[[nodiscard]] Result<Checkpoint> read_checkpoint(const std::filesystem::path& path,
                                                 const ModelDomain& domain);

} // namespace sparsight
