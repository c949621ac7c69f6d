#include "domains/sparse/schedule/schedule_space.h"
#include "domains/sparse/simulator/mechanistic_simulator.h"
#include "model/cost_model.h"

#include <cmath>
#include <limits>
#include <utility>

namespace sparsight {
namespace {

/// A profile does not depend on the threads of its schedule.
constexpr int profiled_threads = 1;

class BlendedScorer final : public WorkloadScorer {
public:
    BlendedScorer(std::unique_ptr<WorkloadScorer> network, const SimulatorBlend& blend, CsrPattern pattern,
                  int threads)
        : network_(std::move(network))
        , blend_(blend)
        , pattern_(std::move(pattern))
        , profiled_(pattern_)
        , threads_(threads) {}

    Result<std::vector<float>> score(std::span<const Configuration> configurations) const override {
        Result<std::vector<float>> scores = network_->score(configurations);
        if (!scores)
            return scores;
        const std::vector<SuperSchedule> schedules = schedules_of(configurations, profiled_threads);
        const auto profiles = profile_all(profiled_, schedules, blend_.dense, {.threads = threads_});
        if (!profiles)
            return std::unexpected(profiles.error());
        for (std::size_t at = 0; at < schedules.size(); ++at)
            (*scores)[at] = is_too_large(pattern_, schedules[at], (*profiles)[at])
                                ? std::numeric_limits<float>::infinity() // it would never run
                                : static_cast<float>(blend_.network * static_cast<double>((*scores)[at]) +
                                                     simulated_share((*profiles)[at]));
        return scores;
    }

    /// Those of the network, by its share, and what the simulator adds.
    Result<std::vector<float>> last_inputs(std::span<const Configuration> configurations) const override {
        const Result<std::vector<float>> inputs = network_->last_inputs(configurations);
        const std::vector<SuperSchedule> schedules = schedules_of(configurations, profiled_threads);
        const auto profiles = profile_all(profiled_, schedules, blend_.dense, {.threads = threads_});
        if (!inputs || !profiles)
            return std::unexpected(inputs ? profiles.error() : inputs.error());
        const std::size_t width = schedules.empty() ? 0 : inputs->size() / schedules.size();
        std::vector<float> rows;
        rows.reserve(inputs->size() + schedules.size());
        for (std::size_t at = 0; at < schedules.size(); ++at) {
            for (std::size_t place = 0; place < width; ++place)
                rows.push_back(
                    static_cast<float>(blend_.network * static_cast<double>((*inputs)[at * width + place])));
            rows.push_back(static_cast<float>(simulated_share((*profiles)[at])));
        }
        return rows;
    }

    Result<std::vector<float>> score_embeddings(std::span<const float> embeddings) const override {
        return network_->score_embeddings(embeddings);
    }

    std::span<const float> embedding() const override { return network_->embedding(); }

private:
    /// What the simulator adds to a score.
    [[nodiscard]] double simulated_share(const ScheduleProfile& profile) const {
        return blend_.simulator * std::log(simulate(blend_.machine, profile).total());
    }

    std::unique_ptr<WorkloadScorer> network_;
    const SimulatorBlend blend_;
    const CsrPattern pattern_; ///< a copy: the scorer outlives what it was made from
    const ProfiledPattern profiled_;
    int threads_;
};

class BlendedCostModel final : public CostModel {
public:
    explicit BlendedCostModel(std::unique_ptr<CostModel> network)
        : network_(std::move(network)) {}

    const ModelDescription& description() const override { return network_->description(); }
    Result<std::unique_ptr<WorkloadScorer>>
    embed(const CsrPattern& pattern, const MachineDescription* machine, int threads) const override {
        auto scorer = network_->embed(pattern, machine, threads);
        if (!scorer)
            return scorer;
        return std::make_unique<BlendedScorer>(*std::move(scorer), *description().blend, pattern, threads);
    }
    std::size_t last_width() const override { return network_->last_width() + 1; }
    std::size_t embedding_width() const override { return network_->embedding_width(); }
    Result<std::vector<float>>
    embed_configurations(std::span<const Configuration> configurations) const override {
        return network_->embed_configurations(configurations);
    }

private:
    std::unique_ptr<CostModel> network_;
};

} // namespace

std::unique_ptr<CostModel> blend_with_simulator(std::unique_ptr<CostModel> network) {
    return std::make_unique<BlendedCostModel>(std::move(network));
}

} // namespace sparsight
