// What a domain brings to learning: its models and its training data. A domain with a simulator also brings
// imagined machines and blending of the simulator with a network. Each program that learns fills a
// LearningDomains with its domains and passes it on.
#pragma once

#include "base/error.h"
#include "base/observer.h"
#include "learning/fine_tuning/fine_tuning.h"
#include "learning/tasks/task.h"
#include "learning/tasks/workspace_tasks.h"
#include "learning/training/example_store.h"
#include "learning/training/ranking_report.h"
#include "learning/training/training_plan.h"
#include "model/checkpoints/checkpoint.h"
#include "model/cost_model.h"
#include "model/networks/encoder.h"
#include "study/domain.h"

#include <cstddef>
#include <cstdint>
#include <fmt/format.h>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sparsight {

struct BlendingOptions {
    FineTuningOptions fine_tuning;
    int threads = 1; ///< for encoding workloads and for calibration
    /// Folds of the workloads, families always in the same fold: a fold is scored by a network fine-tuned on
    /// the others and a simulator calibrated to the others. With fewer than three families the network before
    /// fine-tuning is used instead.
    std::size_t folds = 4;
    int calibration_steps = 600;
};

/// Networks that are blended with the calibrated simulator (model/checkpoints/checkpoint.h). Gray boxes have
/// replaced them: they are made to compare with only.
class SimulatorBlending {
public:
    SimulatorBlending() = default;
    SimulatorBlending(const SimulatorBlending&) = delete;
    SimulatorBlending& operator=(const SimulatorBlending&) = delete;
    virtual ~SimulatorBlending() = default;

    /// Fits a blend to `workloads` of a task, and reads nothing else of it. `start` has the weights before
    /// fine-tuning. Errors: those of fine_tune() and of the calibration; data that can't be read;
    /// Fault::Cancelled.
    [[nodiscard]] virtual Result<SimulatorBlend>
    fit(ExampleStore& examples, std::size_t task, std::span<const std::size_t> workloads,
        const BlendingOptions& options, const MetaParameters& start, const std::stop_token& stop) const = 0;

    /// The report on `workloads` of a task, which `threads` threads encode. Errors: those of
    /// report_ranking(), and data that can't be read.
    [[nodiscard]] virtual Result<RankingReport> report(ExampleStore& examples, const NamedTensors& weights,
                                                       const SimulatorBlend& blend, Loss loss,
                                                       std::size_t task,
                                                       std::span<const std::size_t> workloads, int threads,
                                                       const std::stop_token& stop) const = 0;
};

/// What can be trained. Every domain has boosted trees (trees_architecture) as well.
struct ArchitectureChoice {
    std::string_view name;         ///< "statistics"
    std::string_view help;         ///< "a perceptron over a pattern's statistics"
    std::string_view earlier = {}; ///< its name in earlier versions; empty: the same
};

/// A request for the architecture of a new model.
struct ArchitectureRequest {
    std::string_view architecture; ///< one of LearningDomain::architectures(), or trees_architecture
    bool reads_machine = false;
    const TaskSet& tasks;
    std::span<const std::size_t> train; ///< places in TaskSet::workloads; inputs are standardised over them
    int width = 0;                      ///< of layers, for networks of any width; 0: the usual one
};

/// Tasks on machines that do not exist, or that nothing was measured on.
struct ImaginedMachineTasks {
    std::vector<Task> tasks;
    std::vector<std::string> notes; ///< how they were made; sentences
};

struct ImaginationRequest {
    std::vector<std::string> machines; ///< "family:6", a preset, a machine of the workspace
    const TaskSet& tasks;
    const Task& recorded; ///< provides the workloads and configurations
    std::uint64_t seed = 1;
};

class LearningDomain : public ModelDomain {
public:
    /// This domain in the rest of the engine.
    [[nodiscard]] virtual const Domain& domain() const = 0;

    /// The architectures; the default comes first.
    [[nodiscard]] virtual std::span<const ArchitectureChoice> architectures() const = 0;
    /// How networks are trained where nobody says it: a domain whose workloads have a single configuration
    /// learns times in large steps, others the order of configurations.
    [[nodiscard]] virtual TrainingOptions usual_training() const { return {}; }
    [[nodiscard]] virtual std::shared_ptr<const Encoder>
    new_encoder(const ArchitectureRequest& network) const = 0;
    [[nodiscard]] virtual std::shared_ptr<const TreeFeatures>
    new_tree_features(const ArchitectureRequest& trees) const = 0;

    /// What a model or a setting is for, as text for users: "spmm". A model can be used in a setting if and
    /// only if their texts are equal. The model was read or made by this domain.
    [[nodiscard]] virtual std::string purpose(const ModelArchitecture& model) const = 0;
    [[nodiscard]] virtual std::string purpose(const Setting& setting) const = 0;
    /// The setting in which a model is used. `options` supply the parts that the model leaves open; other
    /// options are ignored. Error (Input): a wrong value.
    [[nodiscard]] virtual Result<Setting> setting_of(const ModelArchitecture& model,
                                                     const SettingOptions& options) const = 0;

    /// The training data of this workspace, which must outlive the result.
    [[nodiscard]] virtual std::unique_ptr<TaskStorage> task_storage(Workspace& workspace) const = 0;
    /// The families of all workloads of this workspace, not only of those that are learned from.
    [[nodiscard]] Result<WorkloadFamilies> families(Workspace& workspace, int threads) const {
        auto reader = statistics_reader(task_storage(workspace), threads);
        if (!reader)
            return std::unexpected(std::move(reader).error());
        return WorkloadFamilies::read(workspace, domain(), *std::move(reader));
    }
    /// The tasks to learn from: see workspace_tasks().
    [[nodiscard]] Result<WorkspaceTasks> tasks(Workspace& workspace, const TaskRequest& request,
                                               const std::stop_token& stop = {},
                                               const ProgressSink& progress = {}) const {
        const auto storage = task_storage(workspace);
        return workspace_tasks(workspace, *storage, request, stop, progress);
    }

    // With a simulator.

    /// Workloads beside the few that are present: generated, small, of enough families to split, and kept
    /// under names that say so. All together are as many as an empty workspace is given. Returns how many
    /// were added; 0 in a domain that generates none.
    [[nodiscard]] virtual Result<std::size_t> imagine_workloads(Workspace& workspace, std::size_t present,
                                                                std::uint64_t seed) const {
        static_cast<void>(workspace);
        static_cast<void>(present);
        static_cast<void>(seed);
        return std::size_t{0};
    }
    /// Errors (Input): there is no such machine; the domain has no simulator. Also Fault::Cancelled.
    [[nodiscard]] virtual Result<ImaginedMachineTasks> imagine(Workspace& workspace,
                                                               const ImaginationRequest& request,
                                                               const std::stop_token& stop,
                                                               const ProgressSink& progress) const {
        static_cast<void>(workspace);
        static_cast<void>(request);
        static_cast<void>(stop);
        static_cast<void>(progress);
        return fail(Fault::Input,
                    fmt::format("{} has no simulator, so that no machine can be imagined", domain().name()));
    }
    /// How a network and the simulator are blended; nullptr in a domain without a simulator. Valid as long
    /// as the domain.
    [[nodiscard]] virtual const SimulatorBlending* blending() const { return nullptr; }
};

/// The domains in which a program can learn, in the order of its DomainRegistry. As a ModelDomain it reads
/// the models of all of them.
class LearningDomains final : public ModelDomain {
public:
    void add(std::unique_ptr<const LearningDomain> domain) { domains_.push_back(std::move(domain)); }
    [[nodiscard]] const std::vector<std::unique_ptr<const LearningDomain>>& all() const { return domains_; }

    /// Error (Input): this program does not learn in this domain. Valid as long as this object.
    [[nodiscard]] Result<const LearningDomain*> require(std::string_view name) const {
        for (const auto& each : domains_)
            if (each->domain().name() == name)
                return each.get();
        return fail(Fault::Input, fmt::format("this program does not learn in the domain \"{}\"", name));
    }
    /// The domain of a model. A model without a stored domain is older than that field and belongs to the
    /// first domain.
    [[nodiscard]] Result<const LearningDomain*> of(const ModelArchitecture& model) const {
        if (model.domain.empty() && !domains_.empty())
            return domains_.front().get();
        return require(model.domain);
    }

    [[nodiscard]] Result<std::shared_ptr<const Encoder>>
    encoder(const ModelArchitecture& architecture) const override {
        const auto domain = of(architecture);
        return domain ? (*domain)->encoder(architecture) : std::unexpected(domain.error());
    }
    [[nodiscard]] Result<std::shared_ptr<const TreeFeatures>>
    tree_features(const ModelArchitecture& architecture) const override {
        const auto domain = of(architecture);
        return domain ? (*domain)->tree_features(architecture) : std::unexpected(domain.error());
    }
    [[nodiscard]] std::unique_ptr<CostModel>
    blend_with_simulator(std::unique_ptr<CostModel> network) const override {
        const auto domain = of(network->description().architecture);
        return domain ? (*domain)->blend_with_simulator(std::move(network)) : std::move(network);
    }

private:
    std::vector<std::unique_ptr<const LearningDomain>> domains_;
};

} // namespace sparsight
