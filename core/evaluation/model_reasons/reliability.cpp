#include "evaluation/model_reasons/reliability.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <set>
#include <utility>

namespace sparsight {

namespace {

constexpr std::size_t bin_count = 10;
constexpr double bin_width = 0.5 / static_cast<double>(bin_count);

double lowest_of(std::size_t bin) {
    return 0.5 + bin_width * static_cast<double>(bin);
}

CalibrationBin bin_of(std::size_t place, double predicted, std::int64_t right, std::int64_t pairs) {
    return {.lowest = lowest_of(place),
            .highest = lowest_of(place + 1),
            .predicted = predicted,
            .observed = wilson_bounds(right, pairs)};
}

double normal_share(double x) {
    return std::erfc(-x / std::numbers::sqrt2) / 2;
}

/// The logarithm of normal_share(), also where that is nothing.
double log_normal_share(double x) {
    constexpr double far = -30;
    if (x > far)
        return std::log(normal_share(x));
    return -x * x / 2 - std::log(-x * std::sqrt(2 * std::numbers::pi));
}

} // namespace

std::vector<CalibrationBin> calibration_bins(std::span<const CheckedPair> pairs) {
    struct Sums {
        std::int64_t pairs = 0;
        std::int64_t right = 0;
        double confidence = 0;
    };
    std::array<Sums, bin_count> sums;
    for (const CheckedPair& pair : pairs) {
        if (!std::isfinite(pair.confidence)) // of scores that are no numbers: nothing was said
            continue;
        const auto place = static_cast<std::size_t>((pair.confidence - 0.5) * 2 * bin_count);
        Sums& bin = sums[std::min(place, bin_count - 1)];
        ++bin.pairs;
        bin.right += pair.is_right ? 1 : 0;
        bin.confidence += pair.confidence;
    }
    std::vector<CalibrationBin> bins;
    for (std::size_t place = 0; place < bin_count; ++place)
        if (const Sums& bin = sums[place]; bin.pairs > 0)
            bins.push_back(
                bin_of(place, bin.confidence / static_cast<double>(bin.pairs), bin.right, bin.pairs));
    return bins;
}

double calibration_error(std::span<const CalibrationBin> bins) {
    double error = 0;
    double pairs = 0;
    for (const CalibrationBin& bin : bins) {
        const auto count = static_cast<double>(bin.observed.draws);
        error += count * std::abs(bin.predicted - bin.observed.value);
        pairs += count;
    }
    return pairs > 0 ? error / pairs : 0;
}

double order_confidence(double stated, double deviation, double temperature) {
    return normal_share(std::abs(stated) / (temperature * deviation));
}

namespace {

bool has_order(const StatedDifference& pair) {
    return pair.measured != 0 && pair.stated != 0;
}

bool is_right(const StatedDifference& pair) {
    return (pair.stated > 0) == (pair.measured > 0);
}

std::size_t count_workloads(std::span<const StatedDifference> pairs) {
    std::set<std::size_t> workloads;
    for (const StatedDifference& pair : pairs)
        workloads.insert(pair.workload);
    return workloads.size();
}

/// The surprise of the orders at the logarithm of a temperature. One that is far from 1 has to be worth it:
/// where few pairs are all right, none would be too low.
double surprise(std::span<const StatedDifference> pairs, double log_temperature) {
    double sum = log_temperature * log_temperature / 2;
    for (const StatedDifference& pair : pairs)
        if (has_order(pair)) {
            const double margin = std::abs(pair.stated) / pair.deviation * std::exp(-log_temperature);
            sum -= log_normal_share(is_right(pair) ? margin : -margin);
        }
    return sum;
}

/// By golden section: the surprise has one valley.
double best_temperature(std::span<const StatedDifference> pairs) {
    constexpr double widest = 4;
    constexpr int steps = 40;
    const double ratio = 1 / std::numbers::phi;
    double low = -widest;
    double high = widest;
    double left = high - ratio * (high - low);
    double right = low + ratio * (high - low);
    double at_left = surprise(pairs, left);
    double at_right = surprise(pairs, right);
    for (int step = 0; step < steps; ++step) {
        if (at_left < at_right) {
            high = std::exchange(right, left);
            at_right = at_left;
            left = high - ratio * (high - low);
            at_left = surprise(pairs, left);
        } else {
            low = std::exchange(left, right);
            at_left = at_right;
            right = low + ratio * (high - low);
            at_right = surprise(pairs, right);
        }
    }
    return std::exp((low + high) / 2);
}

constexpr double share_within = 0.95;

double reach_of(std::span<const StatedDifference> pairs) {
    std::vector<double> away;
    away.reserve(pairs.size());
    for (const StatedDifference& pair : pairs)
        away.push_back(std::abs(pair.measured - pair.stated) / pair.deviation);
    std::ranges::sort(away);
    const auto place =
        static_cast<std::size_t>(std::ceil(share_within * static_cast<double>(away.size() + 1)));
    return away[std::min(place, away.size()) - 1];
}

std::vector<CalibrationBin> bins_at(std::span<const StatedDifference> pairs, double temperature) {
    std::vector<CheckedPair> checked;
    for (const StatedDifference& pair : pairs)
        if (has_order(pair))
            checked.push_back({order_confidence(pair.stated, pair.deviation, temperature), is_right(pair)});
    return calibration_bins(checked);
}

std::int64_t count_pairs(std::span<const CalibrationBin> bins) {
    std::int64_t pairs = 0;
    for (const CalibrationBin& bin : bins)
        pairs += bin.observed.draws;
    return pairs;
}

} // namespace

std::optional<DeviationFactors> calibrated_factors(std::span<const StatedDifference> pairs) {
    if (count_workloads(pairs) < fewest_to_calibrate_doubt)
        return std::nullopt;
    return DeviationFactors{best_temperature(pairs), reach_of(pairs)};
}

Reliability reliability_of(std::span<const StatedDifference> pairs, const DeviationFactors& factors) {
    Reliability reliability;
    reliability.bins = bins_at(pairs, factors.temperature);
    reliability.pairs = count_pairs(reliability.bins);
    reliability.workloads = static_cast<std::int64_t>(count_workloads(pairs));
    reliability.error = calibration_error(reliability.bins);
    reliability.uncalibrated_error = calibration_error(bins_at(pairs, DeviationFactors{}.temperature));
    const auto within = std::ranges::count_if(pairs, [&](const StatedDifference& pair) {
        return std::abs(pair.measured - pair.stated) <= factors.reach * pair.deviation;
    });
    reliability.within = wilson_bounds(within, static_cast<std::int64_t>(pairs.size()));
    return reliability;
}

namespace {

std::int64_t count_right(const BoundedShare& share) {
    return std::llround(share.value * static_cast<double>(share.draws));
}

std::optional<double> number_at(const ReliabilityNumbers& numbers, const std::string& name,
                                std::int64_t place = 0) {
    const auto named = numbers.find(name);
    if (named == numbers.end())
        return std::nullopt;
    const auto found = named->second.find(place);
    return found == named->second.end() ? std::nullopt : std::optional(found->second);
}

} // namespace

ReliabilityNumbers to_numbers(const Reliability& reliability) {
    ReliabilityNumbers numbers;
    for (const CalibrationBin& bin : reliability.bins) {
        const std::int64_t place = std::llround((bin.lowest - 0.5) / bin_width);
        numbers["predicted"][place] = bin.predicted;
        numbers["right"][place] = static_cast<double>(count_right(bin.observed));
        numbers["pairs"][place] = static_cast<double>(bin.observed.draws);
    }
    numbers["workloads"][0] = static_cast<double>(reliability.workloads);
    numbers["uncalibrated_error"][0] = reliability.uncalibrated_error;
    numbers["within"][0] = static_cast<double>(count_right(reliability.within));
    numbers["differences"][0] = static_cast<double>(reliability.within.draws);
    return numbers;
}

std::optional<Reliability> from_numbers(const ReliabilityNumbers& numbers) {
    const auto whole = [&](const std::string& name, std::int64_t place = 0) {
        return std::llround(number_at(numbers, name, place).value_or(0));
    };
    Reliability reliability;
    for (std::size_t place = 0; place < bin_count; ++place) {
        const auto at = static_cast<std::int64_t>(place);
        const auto predicted = number_at(numbers, "predicted", at);
        if (predicted && whole("pairs", at) > 0)
            reliability.bins.push_back(bin_of(place, *predicted, whole("right", at), whole("pairs", at)));
    }
    if (reliability.bins.empty())
        return std::nullopt;
    reliability.pairs = count_pairs(reliability.bins);
    reliability.workloads = whole("workloads");
    reliability.error = calibration_error(reliability.bins);
    reliability.uncalibrated_error = number_at(numbers, "uncalibrated_error").value_or(0);
    reliability.within = wilson_bounds(whole("within"), whole("differences"));
    return reliability;
}

} // namespace sparsight
