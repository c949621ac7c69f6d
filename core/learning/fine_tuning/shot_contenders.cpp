#include "learning/fine_tuning/shot_contenders.h"

#include "learning/fine_tuning/adapted_model.h"
#include "learning/training/tree_training.h"
#include "model/networks/gray_box.h"

#include <utility>

namespace sparsight {
namespace {

/// Fine-tuned weights and, where there was something to weigh them with, their blend.
struct BlendedWeights {
    NamedTensors weights;
    std::optional<SimulatorBlend> blend;
};

Result<BlendedWeights> blended(const ShotDraw& draw, const MetaParameters& start,
                               const FineTuningOptions& options, const SimulatorBlending& blending,
                               int threads) {
    auto weights = fine_tune(draw.examples, draw.task, draw.workloads, options, start, {}, draw.stop);
    if (!weights)
        return std::unexpected(std::move(weights).error());
    BlendedWeights both{*std::move(weights), std::nullopt};
    if (draw.workloads.empty())
        return both;
    auto fitted = blending.fit(draw.examples, draw.task, draw.workloads,
                               {.fine_tuning = options, .threads = threads}, start, draw.stop);
    if (!fitted && fitted.error().fault != Fault::Input) // which says that they tell nothing of the machine
        return std::unexpected(std::move(fitted).error());
    if (fitted)
        both.blend = *std::move(fitted);
    return both;
}

/// Of a gray box that has learned nothing but a calibration.
Result<NamedTensors> calibrated_weights(const ShotDraw& draw) {
    const NamedTensors untrained =
        without_correction(to_tensors(draw_weights(draw.examples.encoder().parameters(), draw.seed)));
    return with_calibration(draw.examples, draw.task, draw.workloads, draw.seed, untrained, draw.stop);
}

} // namespace

ShotContender calibrated_simulator(std::string name) {
    return {std::move(name), [](const ShotDraw& draw) -> Result<ShotRanking> {
                auto weights = calibrated_weights(draw);
                if (!weights)
                    return std::unexpected(std::move(weights).error());
                return [weights = *std::move(weights)](ExampleStore& examples, std::size_t task,
                                                       std::span<const std::size_t> workloads,
                                                       const std::stop_token& stop) {
                    return report_ranking(examples, weights, Loss::TopPairs, task, workloads, stop);
                };
            }};
}

ShotContender blended_network(std::string name, std::function<MetaParameters(std::uint64_t seed)> start,
                              const FineTuningOptions& options, const SimulatorBlending& blending,
                              int threads) {
    return {std::move(name),
            [=, start = std::move(start), &blending](const ShotDraw& draw) -> Result<ShotRanking> {
                FineTuningOptions seeded = options;
                seeded.seed = draw.seed;
                auto both = blended(draw, start(draw.seed), seeded, blending, threads);
                if (!both)
                    return std::unexpected(std::move(both).error());
                return [both = *std::move(both), loss = options.loss, &blending, threads](
                           ExampleStore& examples, std::size_t task, std::span<const std::size_t> workloads,
                           const std::stop_token& stop) -> Result<RankingReport> {
                    if (!both.blend)
                        return report_ranking(examples, both.weights, loss, task, workloads, stop);
                    return blending.report(examples, both.weights, *both.blend, loss, task, workloads,
                                           threads, stop);
                };
            }};
}

ShotContender trees_from_scratch(std::string name, std::shared_ptr<const TreeFeatures> features,
                                 const TreesOptions& options) {
    return {std::move(name),
            [features = std::move(features), options](const ShotDraw& draw) -> Result<ShotRanking> {
                if (draw.workloads.empty())
                    return [](ExampleStore&, std::size_t, std::span<const std::size_t>,
                              const std::stop_token&) { return Result<RankingReport>(RankingReport{}); };
                TreesOptions seeded = options;
                seeded.seed = draw.seed;
                auto trees = train_trees(draw.examples.tasks(), features, draw.workloads, seeded, draw.stop);
                if (!trees)
                    return std::unexpected(std::move(trees).error());
                const Loss loss = trees->predict_times() ? Loss::RelativeError : Loss::PairwiseLogistic;
                return [trees = std::make_shared<const BoostedTrees>(*std::move(trees)),
                        loss](ExampleStore& examples, std::size_t, std::span<const std::size_t> workloads,
                              const std::stop_token& stop) {
                    return report_trees(examples.tasks(), *trees, loss, workloads, stop);
                };
            }};
}

ShotContender trees_on_simulator(std::string name, const TreesOptions& options) {
    return {std::move(name), [options](const ShotDraw& draw) -> Result<ShotRanking> {
                auto weights = calibrated_weights(draw);
                if (!weights)
                    return std::unexpected(std::move(weights).error());
                TreesOptions seeded = options;
                seeded.seed = draw.seed;
                const auto simulator = [&](std::size_t) -> const NamedTensors& { return *weights; };
                auto trees = train_correcting_trees(draw.examples, simulator, draw.task, draw.workloads,
                                                    seeded, draw.stop);
                if (!trees)
                    return std::unexpected(std::move(trees).error());
                return [model = AdaptedModel{*std::move(weights), *std::move(trees)}](
                           ExampleStore& examples, std::size_t task, std::span<const std::size_t> workloads,
                           const std::stop_token& stop) {
                    return report_adapted(examples, model, Loss::TopPairs, task, workloads, stop);
                };
            }};
}

} // namespace sparsight
