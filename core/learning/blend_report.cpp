#include "learning/blend_report.h"

#include "learning/simulator_blending.h"

#include <map>
#include <utility>

namespace sparsight {
namespace {

/// The scores of one matrix's schedules by each of the three.
struct ThreeScores {
    std::vector<float> network;
    std::vector<float> simulator;
    std::vector<float> both;
};

class BlendScorer {
public:
    BlendScorer(ExampleStore& examples, const NamedTensors& weights, const SimulatorBlend& blend,
                std::size_t task, int threads, const std::stop_token& stop)
        : examples_(examples)
        , weights_(weights)
        , blend_(blend)
        , task_(task)
        , threads_(threads)
        , stop_(stop) {}

    /// Counted and scored once, asked for thrice.
    Result<std::vector<float>> scores(std::size_t runtimes, std::vector<float> ThreeScores::* whose) {
        if (const auto known = known_.find(runtimes); known != known_.end())
            return known->second.*whose;
        const auto network = examples_.scores(weights_, task_, runtimes);
        if (!network)
            return std::unexpected(network.error());
        const TaskSet& set = examples_.tasks();
        const auto profiles = profiles_of(set, set.tasks[task_].runtimes[runtimes], threads_, stop_);
        if (!profiles)
            return std::unexpected(profiles.error());
        const at::Tensor on_host = network->to(at::Device(at::kCPU), at::kFloat).contiguous();
        const std::vector<double> simulated = log_simulated(blend_.machine, *profiles);
        ThreeScores scores;
        scores.network.assign(on_host.data_ptr<float>(), on_host.data_ptr<float>() + on_host.numel());
        for (std::size_t at = 0; at < simulated.size(); ++at) {
            scores.simulator.push_back(static_cast<float>(simulated[at]));
            scores.both.push_back(static_cast<float>(
                blend_.network * static_cast<double>(scores.network[at]) + blend_.simulator * simulated[at]));
        }
        return known_.emplace(runtimes, std::move(scores)).first->second.*whose;
    }

private:
    ExampleStore& examples_;
    const NamedTensors& weights_;
    const SimulatorBlend& blend_;
    std::size_t task_;
    int threads_;
    const std::stop_token& stop_;
    std::map<std::size_t, ThreeScores> known_;
};

} // namespace

Result<BlendReport> report_blend(ExampleStore& examples, const NamedTensors& weights,
                                 const SimulatorBlend& blend, Loss loss, std::size_t task,
                                 std::span<const std::size_t> matrices, int threads,
                                 const std::stop_token& stop) {
    BlendScorer scorer(examples, weights, blend, task, threads, stop);
    const auto report = [&](std::vector<float> ThreeScores::* whose) {
        return report_scores(
            examples.tasks(), [&](std::size_t runtimes) { return scorer.scores(runtimes, whose); }, loss,
            task, matrices, stop);
    };
    BlendReport all;
    for (const auto& [whose, into] :
         {std::pair(&ThreeScores::network, &all.network), std::pair(&ThreeScores::simulator, &all.simulator),
          std::pair(&ThreeScores::both, &all.both)}) {
        auto made = report(whose);
        if (!made)
            return std::unexpected(std::move(made).error());
        *into = *std::move(made);
    }
    return all;
}

} // namespace sparsight
