// The rematch of an evaluation (collection/collector.h): which configurations are measured again in turns
// (the baseline, the likely best of each model, and candidates for the best of all), and how their times
// enter the evaluation.
//
// The regret compares with the best known. Were that the shortest of many single times, it would be too short
// by luck; were few in the turns, the best might not be there, and the regret would be too small. So the 16
// fastest ever measured contend: four of them in all turns, the others in heats before, whose times choose
// and are told nowhere. The time of the best known comes from turns that did not choose it, too, without
// shrinkage. Where near equals change places it is above the shortest true time, as is that of the model's
// best: by about 1 % for noise of 5 % a turn. In their ratio, the regret, half a percent is left.
#pragma once

#include "base/error.h"
#include "evaluation/model_evaluation.h"
#include "evaluation/time_differences.h"
#include "store/choices.h"
#include "study/configuration.h"
#include "study/domain.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sparsight {

inline constexpr std::size_t contenders_of_a_model = 4;
inline constexpr std::size_t contenders_of_all =
    4; ///< number of the fastest configurations ever measured in this setting
/// … and of those that contend, the others for as many places as challengers_in_turns.
inline constexpr std::size_t known_contenders = 16;
inline constexpr std::size_t challengers_in_turns = 3;

struct Contenders {
    std::vector<Configuration> configurations; ///< the baseline first; without duplicates
    /// The next fastest ones, for fastest_by_halving() (collection/collector.h).
    std::vector<Configuration> challengers{};
    std::vector<std::vector<Configuration>> choices{}; ///< the k of each model
    /// For each model, the places of those configurations that are among its k choices.
    std::vector<std::vector<std::size_t>> of_models{};
    std::string engine_since{}; ///< KnownTimes::engine_since(): turns of before are of another engine

    /// This challenger takes its turns with the others, behind them.
    void add(const Configuration& challenger);

    /// Whether these times show the fastest of each model's k precisely enough, by the bound of its
    /// confidence interval (TurnRatio::is_precise). Also true where more turns cannot help, because the
    /// baseline or all choices of a model have no time. The times are in the order of `configurations`.
    [[nodiscard]] bool are_precise(std::span<const ConfigurationTurns> times) const;
};

/// The configurations to measure, by the known times: the baseline, the fastest of each model's k and its
/// first choice, the fastest of all, and challengers. Empty where the baseline or a model has no time: no
/// comparison is possible there. `name` is that of the workload.
[[nodiscard]] Result<Contenders> contenders(Workspace& workspace, const Domain& domain,
                                            const EvaluationScope& scope, WorkloadId workload,
                                            const std::string& name);

/// The fastest of all that took their turns, by turns that did not choose it.
struct FastestInTurns {
    std::string configuration;
    double speedup = 1;             ///< over the baseline
    std::optional<double> margin{}; ///< half of its 95 % confidence interval; absent below two turns

    /// Compared with the baseline: only what is faster beyond noise wins.
    [[nodiscard]] Verdict verdict() const {
        return verdict_of(speedup, margin ? std::optional(*margin / speedup) : std::nullopt);
    }
    /// As EvaluatedWorkload::is_uncertain().
    [[nodiscard]] bool is_uncertain() const { return margin.value_or(0) > precise_within * speedup; }
};

/// The times of one run and workload; there may be none.
class RematchTimes {
public:
    [[nodiscard]] static Result<RematchTimes> read(Workspace& workspace,
                                                   std::shared_ptr<const ConfigurationCodec> codec, RunId run,
                                                   WorkloadId workload);

    /// Replaces the collected times by those measured in turns, each relative to the baseline in the same
    /// turn. The time of the fastest comes from turns that did not choose it (time_differences.h). Changes
    /// nothing where the baseline or all of the model's k have no time.
    void apply_to(EvaluatedWorkload& evaluated, int k) const;

    /// Absent where the baseline has no time.
    [[nodiscard]] std::optional<FastestInTurns> fastest() const;

    /// The configurations that should have been measured and have no time.
    [[nodiscard]] std::vector<MissedTurns> missed(const std::string& workload) const;

    /// Whether exactly these configurations were measured, or could not be, in `turns` turns or more, and of
    /// the challengers as many as go on.
    [[nodiscard]] bool are_of(const Contenders& contenders, int turns) const;
    /// Whether the likely best of each model were measured, or could not be, and the comparison has its
    /// times: those of the baseline and of at least one choice of each model. The best known may be newer
    /// (EvaluatedWorkload::has_faster_since).
    [[nodiscard]] bool have_likely_best(const Contenders& contenders) const;
    /// Of the contenders, their challengers and all that was chosen, as stored, and of the baseline.
    [[nodiscard]] std::vector<ConfigurationTurns> of(const Contenders& contenders) const;

private:
    struct Time {
        Configuration configuration;
        ConfigurationTurns measured;

        [[nodiscard]] bool has_time() const { return !measured.turns_ms.empty(); }
    };

    [[nodiscard]] const Time* find(const Configuration& configuration) const;
    /// nullptr where it has no time.
    [[nodiscard]] const Time* baseline() const;
    /// nullptr where it has no time, or fewer turns than the baseline.
    [[nodiscard]] const Time* time_of(const Configuration& configuration, const Time& baseline) const;

    std::shared_ptr<const ConfigurationCodec> codec_;
    std::vector<Time> times_; ///< the shortest median first, those without a time last
};

} // namespace sparsight
