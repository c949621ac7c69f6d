// What a model says of given configurations: its scores, and of a gray box the times before and after its
// correction. What `sparsight-learn predict` prints, as plain values.
#pragma once

#include "base/error.h"
#include "study/domain.h"

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace sparsight {

/// The key of what a gray box adds that no parameter of the simulator stands for.
inline constexpr std::string_view learned_correction = "learned";

struct PredictedTime {
    std::string configuration{}; ///< as it was asked for
    double score = 0;            ///< lower is faster; only differences within a workload have a meaning
    std::optional<double>
        simulated_ms{}; ///< by the model's own simulator; absent: it has none, or it can't run
    /// The learned time of a gray box. It knows times over that of the baseline, whose time is the measured
    /// one where there is one, else the simulated one.
    std::optional<double> learned_ms{};
    /// Ends of the 95 % interval of the learned time over the measured one of the baseline, of a model that
    /// states its doubt; absent where the baseline was not measured, and of itself.
    std::optional<double> low_ms{};
    std::optional<double> high_ms{};
    /// With which probability it is faster than the baseline, of a model that states its doubt.
    std::optional<double> beats_baseline{};
    /// Of a gray box, what it adds to the logarithm of the simulated time: by the key of a parameter of the
    /// simulator, and learned_correction.
    std::map<std::string, double> corrections{};

    bool operator==(const PredictedTime&) const = default;
};

struct PredictedWorkload {
    std::string name;
    bool is_anchored = false; ///< the time of the baseline was measured
    std::vector<PredictedTime> times;

    bool operator==(const PredictedWorkload&) const = default;
};

struct PredictedTimes {
    std::string model;
    std::string machine; ///< empty: this computer, which the workspace does not know
    /// Whether it says times; other models only say which is faster.
    bool tells_times = false;
    std::vector<PredictedWorkload> workloads; ///< as they were asked for

    /// nullptr: it was not asked for.
    [[nodiscard]] const PredictedTime* find(std::string_view workload, std::string_view configuration) const;
    bool operator==(const PredictedTimes&) const = default;
};

/// In the domain's words; see `sparsight-learn predict --help`.
[[nodiscard]] nlohmann::ordered_json predicted_times_json(const PredictedTimes& predicted,
                                                          const DomainWords& words);
/// Reads the output of predicted_times_json(); other members are ignored. Error (Fault::Internal): any other
/// text, and times that nothing can take.
[[nodiscard]] Result<PredictedTimes> parse_predicted_times(const nlohmann::ordered_json& json,
                                                           const DomainWords& words);

} // namespace sparsight
