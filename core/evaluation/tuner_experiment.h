// The experiment on tuners of tensor programs: read as printed by sparsight-learn, and summarised with
// intervals.
#pragma once

#include "base/error.h"
#include "evaluation/estimates.h"

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sparsight {

/// A tuner that learned the times of one space, split in one way, from a sample or from all of them.
struct TunerResult {
    std::string space;
    std::string split;  ///< what was new in the test: "row", "workload", "machine"
    std::string tuner;  ///< "trees", "leaf-wise", "perceptron", "attention"
    std::string sample; ///< "all", "random", "hardware-aware"
    int seed = 1;
    /// "measurements", "kept", "seconds", "ordered_pair_accuracy", "speed_error", "regret_at_1",
    /// "regret_at_5"
    std::map<std::string, double, std::less<>> figures;
    std::vector<std::pair<std::int64_t, double>> curve; ///< speed error of the validation by epoch or round
};

struct TunerExperiment {
    std::vector<TunerResult> results;
    std::vector<std::string> notes;
    std::string created_by;

    /// In the order in which they come.
    [[nodiscard]] std::vector<std::string> splits() const;
    [[nodiscard]] std::vector<std::string> tuners() const;
    [[nodiscard]] std::vector<std::string> samples() const;
};

/// An error (Fault::Internal) for anything else than what `sparsight-learn tuners` prints.
[[nodiscard]] Result<TunerExperiment> parse_tuner_experiment(const nlohmann::ordered_json& json);

inline constexpr std::string_view all_data = "all"; ///< a sample that leaves nothing out

struct TunerCase {
    std::string split;
    std::string tuner;
    std::string sample;
};

/// The mean over spaces and seeds, which are drawn both; absent without results.
[[nodiscard]] std::optional<Estimate> mean_figure(const TunerExperiment& experiment, const TunerCase& of,
                                                  std::string_view figure);
/// Likewise of the figure less that with all data, on the same space and seed.
[[nodiscard]] std::optional<Estimate> figure_change(const TunerExperiment& experiment, const TunerCase& of,
                                                    std::string_view figure);
/// Likewise of 1 − the ratio of both: the share of training time or data that a sample saves.
[[nodiscard]] std::optional<Estimate> share_saved(const TunerExperiment& experiment, const TunerCase& of,
                                                  std::string_view figure);
/// The mean of the curves by epoch, over those that have the epoch.
[[nodiscard]] std::vector<std::pair<double, double>> mean_curve(const TunerExperiment& experiment,
                                                                const TunerCase& of);

} // namespace sparsight
