#include "model/cost_model.h"

#include "model/networks/gray_box.h"
#include "model/tensors/torch_runtime.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/matmul.h>
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace sparsight {
namespace {

/// A gray box in use.
struct Box {
    ModelDescription model;
    std::shared_ptr<const Encoder> encoder;
    NamedTensors parameters;

    [[nodiscard]] const GrayBox& box() const { return *encoder->gray_box(); }
};

class GrayBoxScorer final : public WorkloadScorer {
public:
    GrayBoxScorer(std::shared_ptr<const Box> of, std::shared_ptr<const Payload> payload,
                  std::shared_ptr<const EncodedWorkload> workload, const MachineParameters& machine,
                  int threads)
        : of_(std::move(of))
        , payload_(std::move(payload))
        , seen_(of_->box().physics().look_at(*payload_))
        , workload_(std::move(workload))
        , machine_(machine)
        , threads_(threads) {}

    Result<std::vector<float>> score(std::span<const Configuration> configurations) const override {
        return from_linear(configurations, [&](const LinearScore& of) {
            return of.fixed() + at::matmul(of.inputs, of_->parameters[head_weight]);
        });
    }

    Result<std::vector<float>> score_embeddings(std::span<const float> /*embeddings*/) const override {
        return fail(Fault::Internal, "a gray box has no embeddings");
    }

    Result<std::vector<std::optional<double>>>
    simulate(std::span<const Configuration> configurations) const override {
        const auto asked = look_at(configurations);
        if (!asked)
            return std::unexpected(asked.error());
        const std::vector<double> log_times = (*asked)->profile->times(machine_, threads_).log_times;
        std::vector<std::optional<double>> milliseconds(configurations.size());
        for (std::size_t at = 0; at < configurations.size(); ++at)
            if (std::isfinite(log_times[at]))
                milliseconds[at] = std::exp(log_times[at]);
        return milliseconds;
    }

    /// What the trees of a model that has some add, then what each input adds, and the simulator behind them.
    Result<std::vector<float>> last_inputs(std::span<const Configuration> configurations) const override {
        return from_linear(configurations, [&](const LinearScore& of) {
            std::vector<at::Tensor> parts{of.inputs * of_->parameters[head_weight], of.offset.unsqueeze(1)};
            if (of.trees.defined())
                parts.insert(parts.begin(), of.trees.unsqueeze(1));
            return at::cat(parts, 1);
        });
    }

    Result<std::vector<double>>
    time_deviations(std::span<const Configuration> configurations) const override {
        std::vector<double> deviations;
        if (!of_->model.doubt || configurations.empty())
            return deviations;
        const double residual = of_->model.doubt->residual;
        const auto variances = from_linear(configurations, [&](const LinearScore& of) {
            return head_variances(of_->parameters, of.inputs - of.inputs.slice(0, of.inputs.size(0) - 1))
                .to(at::kFloat);
        });
        if (!variances)
            return std::unexpected(variances.error());
        for (const float variance : *variances)
            deviations.push_back(std::sqrt(static_cast<double>(variance) + 2 * residual * residual));
        return deviations;
    }

private:
    /// What was asked about last. Scores, doubts, reasons and simulated times are asked for one after the
    /// other, of the same configurations; most of the time goes into looking at these.
    struct Asked {
        std::vector<Configuration> configurations;
        std::shared_ptr<const PhysicsProfile> profile;
        LinearScore score;
    };

    Result<std::shared_ptr<const Asked>> look_at(std::span<const Configuration> configurations) const {
        const std::scoped_lock lock(asking_);
        if (asked_ && std::ranges::equal(asked_->configurations, configurations))
            return asked_;
        auto profile = seen_->profile(configurations, threads_);
        if (!profile)
            return std::unexpected(std::move(profile).error());
        const at::NoGradGuard no_gradients;
        auto score = guarded([&] {
            const auto pairs = of_->box().encode_pairs(*profile, machine_, threads_, at::Device(at::kCPU));
            return of_->box().linear_score(of_->parameters, *workload_, *pairs);
        });
        if (!score)
            return std::unexpected(std::move(score).error());
        asked_ = std::make_shared<const Asked>(
            Asked{{configurations.begin(), configurations.end()}, *std::move(profile), *std::move(score)});
        return asked_;
    }

    /// The numbers of read(linear score), row by row.
    template <typename Read>
    Result<std::vector<float>> from_linear(std::span<const Configuration> configurations, Read read) const {
        const auto asked = look_at(configurations);
        if (!asked)
            return std::unexpected(asked.error());
        const at::NoGradGuard no_gradients;
        return guarded([&] {
            const LinearScore& of = (*asked)->score;
            const at::Tensor found = read(of).contiguous();
            const at::Tensor offsets = of.offset.contiguous();
            std::vector<float> numbers(found.data_ptr<float>(), found.data_ptr<float>() + found.numel());
            const std::size_t width = configurations.empty() ? 0 : numbers.size() / configurations.size();
            for (std::size_t at = 0; at < configurations.size(); ++at)
                if (static_cast<double>(offsets.data_ptr<float>()[at]) >= never_runs)
                    numbers[(at + 1) * width - 1] = std::numeric_limits<float>::infinity();
            return numbers;
        });
    }

    std::shared_ptr<const Box> of_;
    std::shared_ptr<const Payload> payload_; ///< the scorer outlives what it was made from
    std::unique_ptr<const PhysicsWorkload> seen_;
    std::shared_ptr<const EncodedWorkload> workload_;
    MachineParameters machine_; ///< calibrated, where the model is
    int threads_;
    mutable std::mutex asking_;
    mutable std::shared_ptr<const Asked> asked_;
};

class GrayBoxCostModel final : public CostModel {
public:
    explicit GrayBoxCostModel(Box of)
        : of_(std::make_shared<const Box>(std::move(of))) {}

    const ModelDescription& description() const override { return of_->model; }

    Result<std::unique_ptr<WorkloadScorer>> embed(const std::shared_ptr<const Payload>& payload,
                                                  const MachineDescription* machine,
                                                  int threads) const override {
        const GrayBox& box = of_->box();
        const auto calibrated = calibrated_machine(of_->parameters);
        if (!calibrated && machine == nullptr)
            return fail(Fault::Input,
                        "the model simulates the machine, and no machine is known: fine-tune the "
                        "model to one");
        return guarded([&]() -> std::unique_ptr<WorkloadScorer> {
            const auto statistics = box.statistics(*payload, threads);
            return std::make_unique<GrayBoxScorer>(
                of_, payload, box.encode_workload(nullptr, statistics, {.threads = threads}),
                calibrated ? *calibrated : box.physics().machine(*machine, any_threads), threads);
        });
    }

    std::size_t last_width() const override {
        return static_cast<std::size_t>(of_->parameters[head_weight].numel()) +
               (of_->box().has_trees() ? 2 : 1);
    }
    std::size_t embedding_width() const override { return 0; }
    Result<std::vector<float>> embed_configurations(std::span<const Configuration>) const override {
        return fail(Fault::Internal, "a gray box has no embeddings");
    }

private:
    static constexpr int any_threads = 0; ///< all that the machine has

    std::shared_ptr<const Box> of_;
};

} // namespace

Result<std::unique_ptr<CostModel>> make_gray_box_cost_model(const Checkpoint& checkpoint,
                                                            std::shared_ptr<const Encoder> encoder) {
    Result<std::vector<NamedArray>> weights =
        match_by_name(checkpoint.weights, shapes_of(encoder->parameters()));
    if (!weights)
        return std::unexpected(std::move(weights).error());
    const auto trees = trees_of(checkpoint, *encoder);
    if (!trees)
        return std::unexpected(trees.error());
    return guarded([&]() -> std::unique_ptr<CostModel> {
        return std::make_unique<GrayBoxCostModel>(
            Box{checkpoint.model, encoder->gray_box()->with_trees(*trees), to_tensors(*weights)});
    });
}

} // namespace sparsight
