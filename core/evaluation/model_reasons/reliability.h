// Whether what a model states comes true: of the order of two configurations how sure it was against how
// often it was right, and of the difference of their times whether it was within the stated interval. One
// temperature makes a model that is too sure, or too careful, as sure as it is right (Guo, Pleiss, Sun,
// Weinberger: On calibration of modern neural networks, ICML 2017).
#pragma once

#include "evaluation/model_reasons/anchor_search.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sparsight {

/// Pairs of configurations by how sure the model was of their order.
struct CalibrationBin {
    double lowest = 0.5; ///< confidence
    double highest = 1;
    double predicted = 0;  ///< mean confidence of the pairs
    BoundedShare observed; ///< of the pairs: in this order by the clock (95 %, Wilson)

    bool operator==(const CalibrationBin&) const = default;
};

/// One pair by how sure the model was, and whether it was right; sorted into ten bins of confidence, from
/// 0.5 to 1.
struct CheckedPair {
    double confidence = 0.5;
    bool is_right = false;
};
[[nodiscard]] std::vector<CalibrationBin> calibration_bins(std::span<const CheckedPair> pairs);
/// Mean over the pairs of |predicted − observed| of their bin (Naeini, Cooper, Hauskrecht, AAAI 2015).
[[nodiscard]] double calibration_error(std::span<const CalibrationBin> bins);

/// What a model with a normal distribution says of two measured configurations of one workload, as
/// differences of the logarithms of their times.
struct StatedDifference {
    std::size_t workload = 0;
    double stated = 0;
    double measured = 0;
    double deviation = 1; ///< that the model states of the difference; above 0
};

/// P(the stated order is right), from 0.5 to 1, of a normal difference whose deviation is `temperature` times
/// the stated one.
[[nodiscard]] double order_confidence(double stated, double deviation, double temperature);

/// What makes stated deviations true. The defaults are those of a normal distribution that needs nothing.
struct DeviationFactors {
    double temperature = 1; ///< for the order
    double reach = 1.96;    ///< so many stated deviations hold 95 % of the differences

    bool operator==(const DeviationFactors&) const = default;
};

/// Fewer workloads say little of others.
inline constexpr std::size_t fewest_to_calibrate_doubt = 3;

/// The temperature under which the order of these pairs is least surprising, and the reach that holds 95 % of
/// their differences and is likely to do so of further ones (split conformal prediction: Vovk, Gammerman,
/// Shafer: Algorithmic learning in a random world, 2005). Absent with too few workloads.
[[nodiscard]] std::optional<DeviationFactors> calibrated_factors(std::span<const StatedDifference> pairs);

struct Reliability {
    std::int64_t pairs = 0; ///< whose times differ
    std::int64_t workloads = 0;
    std::vector<CalibrationBin> bins{}; ///< by confidence, ascending; empty ones are left out
    double error = 0;                   ///< calibration_error()
    double uncalibrated_error = 0;      ///< the same with the factors of a normal distribution
    BoundedShare within{};              ///< of the differences: within the 95 % interval

    bool operator==(const Reliability&) const = default;
};

[[nodiscard]] Reliability reliability_of(std::span<const StatedDifference> pairs,
                                         const DeviationFactors& factors);

/// By name and place, as runs store numbers; and back: absent without pairs.
using ReliabilityNumbers = std::map<std::string, std::map<std::int64_t, double>>;
[[nodiscard]] ReliabilityNumbers to_numbers(const Reliability& reliability);
[[nodiscard]] std::optional<Reliability> from_numbers(const ReliabilityNumbers& numbers);

} // namespace sparsight
