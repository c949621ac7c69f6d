// GRANITE (Sykora, Phothilimthana, Mendis, Yazdanbakhsh: GRANITE: a graph neural network model for basic
// block throughput estimation, IISWC 2022) as a network of the domain of blocks.
#pragma once

#include "base/error.h"
#include "learning/tasks/task.h"
#include "model/checkpoints/checkpoint.h"
#include "model/networks/encoder.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

inline constexpr std::string_view granite_architecture = "granite";
// Its paper's ablations.
inline constexpr std::string_view granite_untyped_architecture = "granite-untyped";
inline constexpr std::string_view granite_global_architecture = "granite-global";
inline constexpr std::string_view granite_short_architecture = "granite-short";
inline constexpr int short_iterations = 4;

/// The JSON of ModelArchitecture::input.
struct GraniteDescription {
    enum class ReadOut {
        Instructions, ///< a time for each instruction, which sum to the block's
        Global,       ///< the block's time by the global feature
    };

    std::vector<std::string> machines{}; ///< that it learned from, at least one; each has its own decoder
    std::vector<std::string> tokens{};   ///< of nodes; the first one stands for all that are not in the list
    int width = 64;                      ///< of all features and hidden layers; 256 in the paper
    int iterations = 8;                  ///< of the graph network
    bool has_edge_types = true;          ///< otherwise all edges are alike
    ReadOut read_out = ReadOut::Instructions;
    /// Of the training data: ln(milliseconds for each instruction), or for each block with ReadOut::Global.
    double mean_log = 0;

    bool operator==(const GraniteDescription&) const = default;
};

/// The name of the architecture that it is.
[[nodiscard]] std::string_view granite_variant_of(const GraniteDescription& description);
[[nodiscard]] ModelArchitecture architecture_of(const GraniteDescription& description);
/// Error (Input): the text names the field that is wrong, or says that the model is of another domain.
[[nodiscard]] Result<GraniteDescription> read_granite(const ModelArchitecture& architecture);

/// The machines of the tasks, the tokens of at least three of these workloads, which are places in the set,
/// and the mean of their times. All else stays as in `settings`.
[[nodiscard]] GraniteDescription fit_granite(const TaskSet& tasks, std::span<const std::size_t> workloads,
                                             GraniteDescription settings = {});

/// Scores are ln(milliseconds). The payload is a BlockPayload. A machine that the description does not have
/// is scored like the first one.
///
/// Nodes begin as an embedding of their token, edges as one of their kind, and the global feature is a linear
/// layer of the relative frequencies of tokens and kinds of edges. In each iteration (the full block of
/// Battaglia et al.: Relational inductive biases, deep learning, and graph networks, 2018) three perceptrons
/// update edges, nodes and the global feature. The perceptrons are the same in all iterations, as in the
/// authors' program. Their output is added to their input, and then normalised with a scale and a bias of the
/// iteration.
[[nodiscard]] std::shared_ptr<const BatchEncoder> granite_encoder(GraniteDescription description);

} // namespace sparsight
