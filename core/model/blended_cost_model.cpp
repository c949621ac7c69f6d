#include "base/parallel.h"
#include "machine/mechanistic/mechanistic_simulator.h"
#include "model/cost_model_kinds.h"

#include <cmath>
#include <mutex>
#include <utility>

namespace sparsight {
namespace {

class BlendedScorer final : public PatternScorer {
public:
    BlendedScorer(std::unique_ptr<PatternScorer> network, const SimulatorBlend& blend, CsrPattern pattern,
                  int threads)
        : network_(std::move(network))
        , blend_(blend)
        , pattern_(std::move(pattern))
        , profiled_(pattern_)
        , threads_(threads) {}

    Result<std::vector<float>> score(std::span<const SuperSchedule> schedules) const override {
        Result<std::vector<float>> scores = network_->score(schedules);
        if (!scores)
            return scores;
        std::mutex mutex;
        std::optional<Error> error;
        parallel_parts(threads_, static_cast<std::int64_t>(schedules.size()),
                       [&](int, std::int64_t begin, std::int64_t end) {
                           for (auto at = static_cast<std::size_t>(begin); std::cmp_less(at, end); ++at) {
                               const auto profile = profiled_.profile(schedules[at], blend_.dense);
                               if (!profile) {
                                   const std::scoped_lock lock(mutex);
                                   error = profile.error();
                                   return;
                               }
                               (*scores)[at] = blended((*scores)[at], *profile);
                           }
                       });
        if (error)
            return std::unexpected(*std::move(error));
        return scores;
    }

    Result<std::vector<float>> score_embeddings(std::span<const float> embeddings) const override {
        return network_->score_embeddings(embeddings);
    }

    std::span<const float> embedding() const override { return network_->embedding(); }

private:
    [[nodiscard]] float blended(float score, const ScheduleProfile& profile) const {
        const double simulated = std::log(simulate(blend_.machine, profile).total());
        return static_cast<float>(blend_.network * static_cast<double>(score) + blend_.simulator * simulated);
    }

    std::unique_ptr<PatternScorer> network_;
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
    Result<std::unique_ptr<PatternScorer>> embed(const CsrPattern& pattern, const MachineDescription* machine,
                                                 int threads) const override {
        auto scorer = network_->embed(pattern, machine, threads);
        if (!scorer)
            return scorer;
        return std::make_unique<BlendedScorer>(*std::move(scorer), *description().blend, pattern, threads);
    }
    std::size_t embedding_width() const override { return network_->embedding_width(); }
    Result<std::vector<float>> embed_schedules(std::span<const SuperSchedule> schedules) const override {
        return network_->embed_schedules(schedules);
    }

private:
    std::unique_ptr<CostModel> network_;
};

} // namespace

std::unique_ptr<CostModel> blend_with_simulator(std::unique_ptr<CostModel> network) {
    return std::make_unique<BlendedCostModel>(std::move(network));
}

} // namespace sparsight
