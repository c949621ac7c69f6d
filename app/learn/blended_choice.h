// Choosing by a score that the simulator has a share in (model/simulator_blend.h): schedules are simulated,
// and a portfolio of them is kept, a part of it by what the simulator says alone.
#pragma once

#include "base/error.h"
#include "base/progress.h"
#include "learn/matrix_choice.h"
#include "model/cost_model.h"

#include <span>
#include <stop_token>
#include <vector>

namespace sparsight {

/// For one matrix; the model is blended, the scorer its own, and has looked at the matrix. Refers to all that
/// it is made of.
class BlendedChoice {
public:
    BlendedChoice(const CostModel& model, const PatternScorer& scorer, const ChoiceSettings& settings)
        : model_(model)
        , scorer_(scorer)
        , settings_(settings) {}

    /// A portfolio by their whole scores becomes the candidates. Stopped: Fault::Cancelled.
    [[nodiscard]] Result<void> choose(std::span<const SuperSchedule> schedules, MatrixChoice& choice,
                                      const std::stop_token& stop, const ProgressSink& progress) const;

    /// The same of what was scored before.
    [[nodiscard]] Result<void> keep_portfolio(std::span<const SuperSchedule> schedules,
                                              std::span<const float> scores, MatrixChoice& choice) const;

private:
    /// The simulator's share in the scores; empty where one of the two is all of them.
    [[nodiscard]] Result<std::vector<float>> of_simulator(std::span<const SuperSchedule> schedules,
                                                          std::span<const float> scores) const;

    const CostModel& model_;
    const PatternScorer& scorer_;
    const ChoiceSettings& settings_;
};

/// What network and simulator say of the candidates, and of all that the map shows.
[[nodiscard]] Result<void> add_score_parts(const CostModel& model, const PatternScorer& scorer,
                                           const CsrPattern& pattern, int threads, MatrixChoice& choice);

} // namespace sparsight
