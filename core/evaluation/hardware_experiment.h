// The experiment on transfer to a machine on which nothing or little was measured: read as printed by
// sparsight-learn, and summarised with intervals.
#pragma once

#include "base/error.h"
#include "evaluation/estimates.h"
#include "evaluation/tuning_experiment.h"

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

/// A workload on a machine that was taken for new.
struct HardwareTarget {
    std::string space; ///< the setting, as text
    std::string workload;
    std::string machine;
    std::size_t configurations = 0;
    std::size_t sources = 0;
    double best = 0;     ///< milliseconds of the fastest
    double headroom = 1; ///< median time over the best
    std::string nearest; ///< machine, by sheet
    double distance = 0;
    std::string most_alike; ///< machine, by the order of its times
    double tau = 0;

    /// Whether no machine of the same maker is among the sources, or none that is like it.
    [[nodiscard]] bool is_far() const { return distance >= 2; }
};

/// How far a choice is from the best: 0.03 for 3 %.
struct HardwarePoint {
    std::size_t target = 0; ///< place in HardwareExperiment::targets
    std::string rule;
    std::size_t measurements = 0; ///< on the target
    int seed = 1;
    double regret = 0;
};

/// How well few measurements tell the order of all configurations: Spearman's ρ.
struct HardwareOrder {
    std::size_t target = 0;
    bool is_without_kind = false; ///< no machine of the target's kind was a source
    int seed = 1;
    double corrected = 0; ///< by the corrected copy
    double source = 0;    ///< by the one machine that orders what was measured the most alike
};

struct HardwareExperiment {
    std::vector<HardwareTarget> targets;
    std::vector<HardwareTarget> flat; ///< left out, as there is nothing to choose
    std::vector<HardwarePoint> points;
    std::vector<WorkloadTuning> tunings;
    std::vector<TunedNetwork> networks;
    std::vector<HardwareOrder> orders;
    std::vector<std::string> notes;
    std::string created_by;
};

/// An error (Fault::Internal) for anything else than what `sparsight-learn hardware` prints.
[[nodiscard]] Result<HardwareExperiment> parse_hardware_experiment(const nlohmann::ordered_json& json);

/// What is chosen without a measurement, what it is held against, and what chooses what to measure.
[[nodiscard]] const std::vector<std::string>& unmeasured_rules();
[[nodiscard]] const std::vector<std::string>& unmeasured_baselines();
[[nodiscard]] const std::vector<std::string>& measuring_rules();
/// For people: "best of the nearest machine by sheet".
[[nodiscard]] std::string rule_title(std::string_view rule);

/// The part of an experiment with this workload in this setting.
[[nodiscard]] HardwareExperiment of_workload(const HardwareExperiment& experiment, std::string_view space,
                                             std::string_view workload);

/// The numbers of measurements above 0 that there are points of, ascending.
[[nodiscard]] std::vector<std::size_t> measured_counts(const HardwareExperiment& experiment);

/// The mean over seeds, for each target; absent where there is no point.
[[nodiscard]] std::vector<std::optional<double>> regrets_of(const HardwareExperiment& experiment,
                                                            std::string_view rule, std::size_t measurements);

/// The mean over targets, with an interval by workloads; absent without points.
[[nodiscard]] std::optional<Estimate> mean_regret(const HardwareExperiment& experiment, std::string_view rule,
                                                  std::size_t measurements);

/// The mean regret of the fastest that whole tunings by the rule have found after each measurement, over
/// targets and seeds; a tuning that ended before counts with what it ended with. Empty without tunings.
[[nodiscard]] std::vector<std::pair<double, double>> mean_progress(const HardwareExperiment& experiment,
                                                                   std::string_view rule);

/// What transfer saves over tuning from scratch by this rule until it is as fast (target_savings()).
struct TuningSaving {
    std::size_t targets = 0;
    std::size_t reached = 0;      ///< targets where it becomes as fast
    std::size_t mostly_saved = 0; ///< targets where at least most_saved of the measurements are saved
    double scratch = 0;           ///< median of the measurements
    double transfer = 0;          ///< likewise
    Estimate measurements;        ///< median of the shares saved, with an interval by workloads
    Estimate time;                ///< likewise of tuning time
};
inline constexpr double most_saved = 0.7;
/// Absent without tunings of the rule.
[[nodiscard]] std::optional<TuningSaving> tuning_saving(const HardwareExperiment& experiment,
                                                        std::string_view scratch_rule);

/// One target, or the mean over targets, where targets are what it is estimated over instead of seeds.
struct OrderEstimate {
    std::optional<std::size_t> target{};
    Estimate corrected;
    Estimate source;
    Estimate difference; ///< of both, draw by draw
};
/// Each target with orders, then the mean; none without orders.
[[nodiscard]] std::vector<OrderEstimate> order_estimates(const HardwareExperiment& experiment,
                                                         bool is_without_kind);

struct HardwareShare {
    std::size_t holding = 0; ///< targets
    std::size_t targets = 0;
    Interval interval{}; ///< Wilson's, of as many draws as there are workloads in settings

    [[nodiscard]] double value() const { return static_cast<double>(holding) / static_cast<double>(targets); }
};
/// Of the targets on which the regret is at most `factor` times that of `other`; absent without such targets.
[[nodiscard]] std::optional<HardwareShare> share_within(const HardwareExperiment& experiment,
                                                        std::string_view rule, std::string_view other,
                                                        std::size_t measurements, double factor = 1);
/// Of the targets, far ones or all others, on which the regret is at most `limit`.
[[nodiscard]] std::optional<HardwareShare> share_below(const HardwareExperiment& experiment,
                                                       std::string_view rule, std::size_t measurements,
                                                       double limit, bool is_far);

} // namespace sparsight
