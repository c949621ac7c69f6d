// Ithemal as a network of basic blocks (Mendis, Renda, Amarasinghe, Carbin: Ithemal: accurate, portable and
// fast basic block throughput estimation using deep neural networks, ICML 2019).
#pragma once

#include "learning/tasks/task.h"
#include "model/networks/encoder.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

inline constexpr std::string_view ithemal_architecture = "ithemal";
inline constexpr std::string_view ithemal_dag_architecture = "ithemal-dag";

struct IthemalDescription {
    std::vector<std::string> machines; ///< at least one
    std::vector<std::string> tokens;   ///< the first one stands for all that are not in the list
    int width = 64;                    ///< of embeddings and hidden states; the paper has 256
    bool is_dag = false; ///< whether the second LSTM follows the dependencies of the instructions
    double mean_log = 0; ///< of ln(milliseconds), which is added to what the last layer says

    bool operator==(const IthemalDescription&) const = default;
};

/// Of these workloads, which are places in the set. The tokens are those of at least three blocks, the most
/// frequent ones first.
[[nodiscard]] IthemalDescription fit_ithemal(const TaskSet& tasks, std::span<const std::size_t> workloads,
                                             bool is_dag, int width = 64);

[[nodiscard]] ModelArchitecture architecture_of(const IthemalDescription& description);
/// Error (Input): the text names the field that is wrong, or says that the model is of another domain.
[[nodiscard]] Result<IthemalDescription> read_ithemal(const ModelArchitecture& architecture);

/// One LSTM reads the tokens of each instruction (token_sequence()), and a second one the instructions of the
/// block, each as the last state of the first. A linear layer turns the last state of the second into
/// ln(milliseconds).
///
/// As a DAG, the second LSTM begins each instruction from the element-wise maximum of the states and of the
/// cells of the instructions whose results it reads, and the linear layer reads the element-wise maximum of
/// the states of the instructions whose results nobody reads. This is the DAG-RNN of the paper's first
/// version (arXiv 1808.07412), as the authors' code has it, without the sequential LSTM that their code can
/// add to it. Their dependencies go through operands that are written alike. These are dependencies_of(),
/// read after write, so they go through parts of registers, flags and memory as well.
///
/// The paper trains a network for each machine. Here all machines share everything but the last layer. A
/// machine that is not in the list has the layer of the first one.
[[nodiscard]] std::shared_ptr<const BatchEncoder> ithemal_encoder(IthemalDescription description);

} // namespace sparsight
