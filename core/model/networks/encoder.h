// What a network reads, and how it turns that into embeddings: the part of a model that a domain brings. The
// predictor behind the embeddings is the same in every domain.
#pragma once

#include "base/error.h"
#include "machine/machine_description.h"
#include "model/checkpoints/checkpoint.h"
#include "model/checkpoints/named_arrays.h"
#include "model/tensors/named_tensors.h"
#include "study/configuration.h"
#include "study/workload.h"

#include <ATen/core/Tensor.h>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

/// Shift and scale of a network's numeric inputs.
struct Standardisation {
    std::vector<double> mean;
    std::vector<double> deviation; ///< above 0

    bool operator==(const Standardisation&) const = default;

    /// (x − mean) / deviation; as many numbers as there are means.
    [[nodiscard]] std::vector<float> apply(std::span<const double> numbers) const;
};

/// Fits mean and standard deviation (dividing by the number of rows) of each column of rows of equal length.
/// The deviation of a column that never varies is 1. At least one row.
[[nodiscard]] Standardisation fit_standardisation(std::span<const std::vector<double>> rows);

/// One fact, as (log2(value) − centre) / spread. Centre and spread are fixed, about those of today's desktops
/// and servers: a training set has too few machines to fit them.
struct MachineFeature {
    std::string_view name;
    std::string_view unit;
    double centre = 0;
    double spread = 1;
};

[[nodiscard]] std::span<const MachineFeature> machine_facts();

/// A machine as the numeric input of a network: two numbers for each fact, its value and 1 where it is
/// known. Both are 0 where it is unknown.
[[nodiscard]] std::vector<float> machine_features(const MachineDescription& machine);
[[nodiscard]] std::size_t machine_feature_count();

class ConvolutionWorkspaces;
class CostModel;
class BatchEncoder;
class EmbeddingEncoder;
class GrayBox;
struct MachineDescription;

inline constexpr int embedding_width = 128; ///< of configurations, and of workloads unless narrowed to 1
inline constexpr int last_layer_width = 64; ///< of the input of the predictor's last layer

/// The initial values of a tensor.
enum class Initial {
    KaimingNormal, ///< N(0, √(2 / fan)): He et al. 2015, fan-out, for ReLU; MinkowskiEngine's in WACO
    Normal,        ///< N(0, 1), PyTorch's for embedding tables
    Uniform,       ///< ±1 / √fan, PyTorch's for linear layers and their bias
    Zero,
};

struct NetworkParameter {
    NamedShape tensor;
    Initial initial = Initial::Uniform;
    std::int64_t fan = 1;
};

/// The weight and the bias of a linear layer, by name.weight and name.bias.
void add_linear(std::vector<NetworkParameter>& list, const std::string& name, std::int64_t out,
                std::int64_t in);
/// The predictor's tensors: final.0, final.2 and final.4. It reads the embedding of a workload, of this
/// width, and that of a configuration.
void add_predictor(std::vector<NetworkParameter>& list, std::int64_t workload_width);

[[nodiscard]] std::vector<NamedShape> shapes_of(std::span<const NetworkParameter> parameters);
/// The same on every machine for a seed.
[[nodiscard]] std::vector<NamedArray> draw_weights(std::span<const NetworkParameter> parameters,
                                                   std::uint64_t seed);

/// A workload as the input of a network; immutable.
class EncodedWorkload {
public:
    EncodedWorkload() = default;
    EncodedWorkload(const EncodedWorkload&) = delete;
    EncodedWorkload& operator=(const EncodedWorkload&) = delete;
    virtual ~EncodedWorkload() = default;

    /// What keeping it costs, in coordinates of about 100 bytes; 0: hardly anything.
    [[nodiscard]] virtual std::int64_t kept_size() const = 0;
};

/// Configurations as the input of a network, in rows; immutable.
class EncodedConfigurations {
public:
    EncodedConfigurations() = default;
    EncodedConfigurations(const EncodedConfigurations&) = delete;
    EncodedConfigurations& operator=(const EncodedConfigurations&) = delete;
    virtual ~EncodedConfigurations() = default;

    /// These rows, in this order.
    [[nodiscard]] virtual std::shared_ptr<const EncodedConfigurations>
    select(std::span<const std::size_t> rows) const = 0;
};

struct EncodingOptions {
    int threads = 1;
    at::Device device = at::Device(at::kCPU);
    /// Shared by workloads that are used one after the other (convolution_pyramid.h); may be nullptr.
    std::shared_ptr<ConvolutionWorkspaces> workspaces{};
};

/// One network of one domain: a pure function of named tensors. It is called for whole batches. Functions
/// that compute may throw what LibTorch throws: they run inside guarded() (model/tensors/torch_runtime.h).
class Encoder {
public:
    Encoder() = default;
    Encoder(const Encoder&) = delete;
    Encoder& operator=(const Encoder&) = delete;
    virtual ~Encoder() = default;

    /// From which ModelDomain::encoder() makes it again.
    [[nodiscard]] virtual ModelArchitecture architecture() const = 0;
    /// Every tensor of the network, the predictor's included.
    [[nodiscard]] virtual std::vector<NetworkParameter> parameters() const = 0;

    /// Whether encode_workload() reads more of a workload than its statistics.
    [[nodiscard]] virtual bool reads_payload() const = 0;
    /// Whether the description of a machine is an input.
    [[nodiscard]] virtual bool reads_machine() const = 0;
    /// What it reads of one; of a machine of which nothing is known as well.
    [[nodiscard]] virtual std::vector<float> machine_numbers(const MachineDescription& machine) const {
        return machine_features(machine);
    }

    /// The statistics of a workload as far as the encoder reads them; the others may be 0.
    [[nodiscard]] virtual std::vector<double> statistics(const Payload& payload, int threads) const = 0;

    /// `payload` may be nullptr where the encoder reads none.
    [[nodiscard]] virtual std::shared_ptr<const EncodedWorkload>
    encode_workload(const Payload* payload, std::span<const double> statistics,
                    const EncodingOptions& options) const = 0;
    /// [n] of as many configurations; lower is faster. `machine` is machine_input(), undefined where the
    /// encoder reads none.
    [[nodiscard]] virtual at::Tensor score(const NamedTensors& parameters, const EncodedWorkload& workload,
                                           const at::Tensor& machine,
                                           const EncodedConfigurations& configurations) const = 0;

    /// The encoder as one of the three kinds there are; nullptr where it is another.
    [[nodiscard]] virtual const EmbeddingEncoder* embeds() const { return nullptr; }
    [[nodiscard]] virtual const GrayBox* gray_box() const { return nullptr; }
    [[nodiscard]] virtual const BatchEncoder* batches() const { return nullptr; }
};

using EncodedWorkloads = std::span<const EncodedWorkload* const>;

/// Scores many small workloads at once, in a domain where each has a single configuration: one product of
/// matrices for all of them is far quicker than one for each.
class BatchEncoder : public Encoder {
public:
    /// [workloads] on one machine, as score() has it of each. At least one workload.
    [[nodiscard]] virtual at::Tensor score_batch(const NamedTensors& parameters, EncodedWorkloads workloads,
                                                 const at::Tensor& machine) const = 0;

    [[nodiscard]] bool reads_payload() const final { return true; }
    [[nodiscard]] std::vector<double> statistics(const Payload&, int) const final { return {}; }
    /// A number for each configuration, which are all the same to it.
    [[nodiscard]] at::Tensor score(const NamedTensors& parameters, const EncodedWorkload& workload,
                                   const at::Tensor& machine,
                                   const EncodedConfigurations& configurations) const final;
    [[nodiscard]] static std::shared_ptr<const EncodedConfigurations>
    encode_configurations(std::size_t count);
    [[nodiscard]] const BatchEncoder* batches() const final { return this; }
};

/// Embeds workloads and configurations, each without the other: the predictor alone sees both.
class EmbeddingEncoder : public Encoder {
public:
    [[nodiscard]] virtual std::shared_ptr<const EncodedConfigurations>
    encode_configurations(std::span<const Configuration> configurations, at::Device device) const = 0;

    /// [embedding_width], or [1].
    [[nodiscard]] virtual at::Tensor embed_workload(const NamedTensors& parameters,
                                                    const EncodedWorkload& workload,
                                                    const at::Tensor& machine) const = 0;
    /// [n, embedding_width]
    [[nodiscard]] virtual at::Tensor
    embed_configurations(const NamedTensors& parameters,
                         const EncodedConfigurations& configurations) const = 0;

    /// predict() of both embeddings.
    [[nodiscard]] at::Tensor score(const NamedTensors& parameters, const EncodedWorkload& workload,
                                   const at::Tensor& machine,
                                   const EncodedConfigurations& configurations) const final;
    [[nodiscard]] const EmbeddingEncoder* embeds() const final { return this; }
};

/// Encoder::machine_numbers() as a tensor; without a machine every fact is unknown. Undefined where the
/// encoder reads none.
[[nodiscard]] at::Tensor machine_input(const Encoder& encoder, const MachineDescription* machine);

/// [n, last_layer_width]: what the last layer, which is linear, reads.
[[nodiscard]] at::Tensor last_layer_inputs(const NamedTensors& parameters,
                                           const at::Tensor& workload_embedding,
                                           const at::Tensor& configuration_embeddings);
/// [n]; lower is faster. Only their order has a meaning.
[[nodiscard]] at::Tensor predict(const NamedTensors& parameters, const at::Tensor& workload_embedding,
                                 const at::Tensor& configuration_embeddings);

/// A linear layer of the parameters.
[[nodiscard]] at::Tensor linear(const NamedTensors& parameters, const std::string& name,
                                const at::Tensor& input);

/// Workloads and configurations as rows of a table for boosted trees; immutable.
class TreeFeatures {
public:
    TreeFeatures() = default;
    TreeFeatures(const TreeFeatures&) = delete;
    TreeFeatures& operator=(const TreeFeatures&) = delete;
    virtual ~TreeFeatures() = default;

    /// From which ModelDomain::tree_features() makes them again.
    [[nodiscard]] virtual ModelArchitecture architecture() const = 0;
    /// What they are the features of, for errors: "spmm".
    [[nodiscard]] virtual std::string subject() const = 0;
    [[nodiscard]] virtual std::vector<std::string> names() const = 0;

    /// Whether the statistics are its own, of the payload, and not those of the domain's table.
    [[nodiscard]] virtual bool reads_payload() const { return false; }
    /// The statistics of a workload.
    [[nodiscard]] virtual std::vector<double> statistics(const Payload& payload, int threads) const = 0;
    /// What they have of a machine; without one every fact is unknown.
    [[nodiscard]] virtual std::vector<double> machine_numbers(const MachineDescription* machine) const {
        static_cast<void>(machine);
        return {};
    }
    /// Both of these, one behind the other: what rows() is given. A domain that looks at a workload in the
    /// light of the machine has numbers of its own.
    [[nodiscard]] virtual std::vector<double>
    statistics_on(const Payload& payload, const MachineDescription* machine, int threads) const {
        std::vector<double> numbers = statistics(payload, threads);
        const std::vector<double> of_machine = machine_numbers(machine);
        numbers.insert(numbers.end(), of_machine.begin(), of_machine.end());
        return numbers;
    }
    /// [configurations, names], row-major; no number is a NaN. Behind the statistics of the workload stand
    /// the numbers of the machine.
    [[nodiscard]] virtual std::vector<float> rows(std::span<const double> statistics,
                                                  std::span<const Configuration> configurations) const = 0;
    /// What the domain says of the time by itself, as ln(milliseconds), and trees correct; one for each
    /// configuration, or none: trees begin from nothing.
    [[nodiscard]] virtual std::vector<float>
    first_scores(std::span<const double> statistics, std::span<const Configuration> configurations) const {
        static_cast<void>(statistics);
        static_cast<void>(configurations);
        return {};
    }
};

/// What a domain brings to models. Whoever reads or makes models is given it.
class ModelDomain {
public:
    ModelDomain() = default;
    ModelDomain(const ModelDomain&) = delete;
    ModelDomain& operator=(const ModelDomain&) = delete;
    virtual ~ModelDomain() = default;

    /// Of a network. An error (Fault::Input) names the field of the description that is wrong.
    [[nodiscard]] virtual Result<std::shared_ptr<const Encoder>>
    encoder(const ModelArchitecture& architecture) const = 0;
    /// Of boosted trees; errors likewise.
    [[nodiscard]] virtual Result<std::shared_ptr<const TreeFeatures>>
    tree_features(const ModelArchitecture& architecture) const = 0;
    /// description().blend of the network is there: the simulator has its share in the scores of
    /// configurations, but none in those of embeddings.
    [[nodiscard]] virtual std::unique_ptr<CostModel>
    blend_with_simulator(std::unique_ptr<CostModel> network) const = 0;
};

} // namespace sparsight
