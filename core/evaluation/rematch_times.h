// The rematch of an evaluation (collection/collector.h): which configurations are measured again in turns
// (the baseline, the likely best of each model, and candidates for the best of all), and how their times
// enter the evaluation.
#pragma once

#include "base/error.h"
#include "evaluation/model_evaluation.h"
#include "store/choices.h"
#include "study/configuration.h"
#include "study/domain.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace sparsight {

inline constexpr std::size_t contenders_of_a_model = 4;
inline constexpr std::size_t contenders_of_all =
    4; ///< number of the fastest configurations ever measured in this setting

struct Contenders {
    std::vector<Configuration> configurations; ///< the baseline first; without duplicates
    /// For each model, the places of those configurations that are among its k choices.
    std::vector<std::vector<std::size_t>> of_models{};

    /// Whether these times show the fastest of each model's k precisely enough, by the bound of its
    /// confidence interval (TurnRatio::is_precise). Also true where more turns cannot help, because the
    /// baseline or all choices of a model have no time. The times are in the order of `configurations`.
    [[nodiscard]] bool are_precise(std::span<const ConfigurationTurns> times) const;
};

/// The configurations to measure, by the known times: the baseline, the fastest of each model's k and its
/// first choice, the fastest of all. Empty where the baseline or a model has no time: no comparison is
/// possible there. `name` is that of the workload.
[[nodiscard]] Result<Contenders> contenders(Workspace& workspace, const Domain& domain,
                                            const EvaluationScope& scope, WorkloadId workload,
                                            const std::string& name);

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

    /// The configurations that should have been measured and have no time.
    [[nodiscard]] std::vector<MissedTurns> missed(const std::string& workload) const;

    /// Whether exactly these configurations were measured, or could not be, in `turns` turns or more.
    [[nodiscard]] bool are_of(const std::vector<Configuration>& configurations, int turns) const;

private:
    struct Time {
        Configuration configuration;
        ConfigurationTurns measured;

        [[nodiscard]] bool has_time() const { return !measured.turns_ms.empty(); }
    };

    [[nodiscard]] const Time* find(const Configuration& configuration) const;
    /// nullptr where it has no time, or fewer turns than the baseline.
    [[nodiscard]] const Time* time_of(const Configuration& configuration, const Time& baseline) const;

    std::shared_ptr<const ConfigurationCodec> codec_;
    std::vector<Time> times_; ///< the shortest median first, those without a time last
};

} // namespace sparsight
