// A trained model as search, evaluation and the command line use it: without a word of the library that
// computes it.
#pragma once

#include "base/error.h"
#include "machine/machine_description.h"
#include "model/checkpoints/checkpoint.h"
#include "study/configuration.h"
#include "study/workload.h"

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace sparsight {

class Encoder;
class ModelDomain;

/// A model that has looked at one workload. Usable from several threads at once; outlives its model.
class WorkloadScorer {
public:
    WorkloadScorer() = default;
    WorkloadScorer(const WorkloadScorer&) = delete;
    WorkloadScorer& operator=(const WorkloadScorer&) = delete;
    virtual ~WorkloadScorer() = default;

    /// One score for each configuration, lower is faster; only their order has a meaning. They are valid ones
    /// of the model's setting.
    [[nodiscard]] virtual Result<std::vector<float>>
    score(std::span<const Configuration> configurations) const = 0;

    /// The same for rows of CostModel::embed_configurations(), without looking at the configurations again.
    /// Of a network that is blended with the simulator (model/checkpoints/checkpoint.h) it is the network's
    /// share alone: quick, and good enough to find those that are worth a score.
    [[nodiscard]] virtual Result<std::vector<float>>
    score_embeddings(std::span<const float> embeddings) const = 0;

    /// What the predictor reads of the workload: CostModel::embedding_width() numbers, one where the network
    /// is narrowed, none for a model without embeddings. Valid as long as the scorer.
    [[nodiscard]] virtual std::span<const float> embedding() const { return {}; }

    /// What the simulator that is blended with the model says of each by itself, in milliseconds: absent
    /// where the configuration would be refused, so that it would never run. Of other models none.
    [[nodiscard]] virtual Result<std::vector<std::optional<double>>>
    simulate(std::span<const Configuration> configurations) const {
        static_cast<void>(configurations);
        return std::vector<std::optional<double>>{};
    }

    /// Of a model that states its doubt (ModelDescription::doubt), before its factors: the standard deviation
    /// of the logarithm of the time of each over that of the last one. Of others none.
    [[nodiscard]] virtual Result<std::vector<double>>
    time_deviations(std::span<const Configuration> configurations) const {
        static_cast<void>(configurations);
        return std::vector<double>{};
    }

    /// [configurations, CostModel::last_width()], row-major: what the model sums up, weighed, to a score; of
    /// a network what its last layer reads, of trees what each tenth of them says.
    [[nodiscard]] virtual Result<std::vector<float>>
    last_inputs(std::span<const Configuration> configurations) const {
        static_cast<void>(configurations);
        return std::vector<float>{};
    }
};

/// Usable from several threads at once.
class CostModel {
public:
    CostModel() = default;
    CostModel(const CostModel&) = delete;
    CostModel& operator=(const CostModel&) = delete;
    virtual ~CostModel() = default;

    [[nodiscard]] virtual const ModelDescription& description() const = 0;

    /// Looks at the workload once; the scorer may hold its data. `machine` may be nullptr, and matters only
    /// to models that take one.
    [[nodiscard]] virtual Result<std::unique_ptr<WorkloadScorer>>
    embed(const std::shared_ptr<const Payload>& payload, const MachineDescription* machine,
          int threads) const = 0;

    /// The score of one configuration of each of several workloads, as embed() and score() have it; quicker
    /// where the model can look at many at once.
    [[nodiscard]] virtual Result<std::vector<float>>
    score_each(std::span<const std::shared_ptr<const Payload>> workloads, const Configuration& configuration,
               const MachineDescription* machine, int threads) const;

    /// Whether statistics are all that embed() looks at of a workload.
    [[nodiscard]] virtual bool reads_statistics() const { return false; }
    /// embed() of a workload with these statistics, in the order of its domain's table, which need not exist.
    /// An error (Fault::Input) of a model that reads more than statistics.
    [[nodiscard]] virtual Result<std::unique_ptr<WorkloadScorer>>
    embed_statistics(std::span<const double> statistics, const MachineDescription* machine) const;

    /// Numbers in a row of WorkloadScorer::last_inputs(); 0: the model tells none.
    [[nodiscard]] virtual std::size_t last_width() const { return 0; }

    /// Numbers in a row of embed_configurations(); 0: a model without embeddings (trees).
    [[nodiscard]] virtual std::size_t embedding_width() const = 0;
    /// [configurations, embedding_width()], row-major: near ones are alike to the model.
    [[nodiscard]] virtual Result<std::vector<float>>
    embed_configurations(std::span<const Configuration> configurations) const = 0;
};

/// A network scores on the device (model/tensors/torch_runtime.h); trees do on the processor. Weights that
/// do not fit the description are errors of Fault::Input.
[[nodiscard]] Result<std::unique_ptr<CostModel>>
make_cost_model(const Checkpoint& checkpoint, const ModelDomain& domain, std::string_view device = "cpu");

// The kinds of cost models behind cost_model.h.

/// is_network(checkpoint.model) whose encoder is an EmbeddingEncoder, or a gray box, which scores on the
/// processor.
[[nodiscard]] Result<std::unique_ptr<CostModel>>
make_network_cost_model(const Checkpoint& checkpoint, const ModelDomain& domain, std::string_view device);
/// !is_network(checkpoint.model)
[[nodiscard]] Result<std::unique_ptr<CostModel>> make_tree_cost_model(const Checkpoint& checkpoint,
                                                                      const ModelDomain& domain);
/// The encoder is the checkpoint's, and a gray box.
[[nodiscard]] Result<std::unique_ptr<CostModel>>
make_gray_box_cost_model(const Checkpoint& checkpoint, std::shared_ptr<const Encoder> encoder);

} // namespace sparsight
