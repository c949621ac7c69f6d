#include "evaluation/estimates.h"

#include "base/random.h"
#include "study/student.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

namespace sparsight {

namespace {

/// Of sorted values, linear between them (Hyndman and Fan, "Sample quantiles in statistical packages", 1996,
/// definition 7).
double quantile(const std::vector<double>& sorted, double share) {
    const double place = share * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return std::lerp(sorted[below], sorted[above], place - static_cast<double>(below));
}

using Families = std::vector<std::vector<std::size_t>>; ///< places of their values

Families families_of(std::span<const SampledValue> values) {
    std::map<std::size_t, std::size_t> place_of;
    Families families;
    for (std::size_t place = 0; place < values.size(); ++place) {
        const std::size_t family = place_of.try_emplace(values[place].family, families.size()).first->second;
        families.resize(std::max(families.size(), family + 1));
        families[family].push_back(place);
    }
    return families;
}

/// Half of the interval of a statistic: Student's factor times its standard error over resamples of families.
/// `statistic_of` is given the places that were drawn, and the generator.
template <typename StatisticOf>
std::optional<double> half_width(const Families& families, const StatisticOf& statistic_of,
                                 const BootstrapOptions& options) {
    if (families.size() < fewest_families || options.resamples < 2)
        return std::nullopt;
    Random random(options.seed);
    std::vector<std::size_t> places;
    double centre = 0;
    double squares = 0;
    for (int resample = 1; resample <= options.resamples; ++resample) {
        places.clear();
        for (std::size_t drawn = 0; drawn < families.size(); ++drawn) {
            const auto& family = families[static_cast<std::size_t>(random.below(families.size()))];
            places.insert(places.end(), family.begin(), family.end());
        }
        const double statistic = statistic_of(places, random);
        const double step = statistic - centre; // Welford's sums: equal statistics have no error at all
        centre += step / resample;
        squares += step * (statistic - centre);
    }
    const auto count = static_cast<double>(families.size());
    return student_factor(families.size() - 1) *
           std::sqrt(squares / (options.resamples - 1) * count / (count - 1));
}

std::optional<Interval> interval_around(double value, std::optional<double> half, Scale scale) {
    if (!half)
        return std::nullopt;
    return scale == Scale::Ratio ? Interval{value * std::exp(-*half), value * std::exp(*half)}
                                 : Interval{value - *half, value + *half};
}

/// What is drawn of a sample: its values with the noise of their turns, on the scale of the interval.
class NoisySample {
public:
    NoisySample(std::span<const SampledValue> values, Scale scale)
        : values_(values)
        , scale_(scale) {
        const auto count = static_cast<double>(values.size());
        double noise = 0;
        for (const SampledValue& value : values) {
            centre_ += place_of(value) / count;
            noise += value.error * value.error / count;
        }
        double scatter = 0;
        for (const SampledValue& value : values)
            scatter += (place_of(value) - centre_) * (place_of(value) - centre_) / (count - 1);
        if (noise > 0)
            drawn_together_ = scatter > noise ? std::sqrt(1 - noise / scatter) : 0;
    }

    [[nodiscard]] double draw(std::size_t place, Random& random) const {
        const SampledValue& value = values_[place];
        if (!drawn_together_)
            return value.value;
        double drawn = centre_ + *drawn_together_ * (place_of(value) - centre_);
        if (value.error > 0)
            drawn += value.error * random.normal();
        return scale_ == Scale::Ratio ? std::exp(drawn) : drawn;
    }

private:
    [[nodiscard]] double place_of(const SampledValue& value) const {
        return scale_ == Scale::Ratio ? std::log(value.value) : value.value;
    }

    std::span<const SampledValue> values_;
    Scale scale_;
    double centre_ = 0;
    std::optional<double> drawn_together_; ///< absent: without noise
};

} // namespace

double mean(std::span<const double> values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double geometric_mean(std::span<const double> values) {
    double logarithms = 0;
    for (const double value : values)
        logarithms += std::log(value);
    return std::exp(logarithms / static_cast<double>(values.size()));
}

double median(std::span<const double> values) {
    std::vector<double> sorted(values.begin(), values.end());
    std::ranges::sort(sorted);
    return quantile(sorted, 0.5);
}

Estimate estimate_by_family(std::span<const SampledValue> values, const SampleStatistic& statistic,
                            Scale scale, const BootstrapOptions& options) {
    std::vector<double> drawn;
    for (const SampledValue& value : values)
        drawn.push_back(value.value);
    const double told = statistic(drawn);
    const NoisySample sample(values, scale);
    const auto half = half_width(
        families_of(values),
        [&](const std::vector<std::size_t>& places, Random& random) {
            drawn.clear();
            for (const std::size_t place : places)
                drawn.push_back(sample.draw(place, random));
            const double of_drawn = statistic(drawn);
            return scale == Scale::Ratio ? std::log(of_drawn) : of_drawn;
        },
        options);
    return {told, interval_around(told, half, scale)};
}

Estimate bootstrap(std::span<const double> values, const SampleStatistic& statistic,
                   const BootstrapOptions& options) {
    std::vector<SampledValue> alone;
    for (const double value : values)
        alone.push_back({.value = value, .family = alone.size()});
    return estimate_by_family(alone, statistic, Scale::Plain, options);
}

namespace {

/// The variance of the mean by means of clusters.
struct Clustered {
    std::size_t clusters = 0;
    double variance = 0;
};

template <typename Key>
Clustered clustered(std::span<const CrossedValue> values, double centre, const Key& key_of) {
    std::map<std::pair<std::size_t, std::size_t>, double> sums;
    for (const CrossedValue& each : values)
        sums[key_of(each)] += each.value - centre;
    const auto count = static_cast<double>(values.size());
    const auto clusters = static_cast<double>(sums.size());
    double squares = 0;
    for (const auto& [key, sum] : sums)
        squares += sum * sum;
    return {sums.size(), sums.size() < 2 ? 0 : squares / (count * count) * clusters / (clusters - 1)};
}

} // namespace

Estimate estimate_crossed(std::span<const CrossedValue> values) {
    using Key = std::pair<std::size_t, std::size_t>;
    double centre = 0;
    for (const CrossedValue& each : values)
        centre += each.value / static_cast<double>(values.size());
    const Clustered by_seed =
        clustered(values, centre, [](const CrossedValue& each) { return Key(each.seed, 0); });
    const Clustered by_family =
        clustered(values, centre, [](const CrossedValue& each) { return Key(each.family.value_or(0), 0); });
    const Clustered alone = clustered(
        values, centre, [](const CrossedValue& each) { return Key(each.seed, each.family.value_or(0)); });
    const bool have_families =
        std::ranges::any_of(values, [](const CrossedValue& each) { return each.family.has_value(); });
    const std::size_t fewest =
        have_families ? std::min(by_seed.clusters, by_family.clusters) : by_seed.clusters;
    if (fewest < fewest_families)
        return {centre, std::nullopt};
    const double variance = std::max(
        {by_seed.variance + by_family.variance - alone.variance, by_seed.variance, by_family.variance});
    return {centre, interval_around(centre, student_factor(fewest - 1) * std::sqrt(variance), Scale::Plain)};
}

namespace {

/// The family of each workload, from 0.
std::vector<std::size_t> families_of(std::span<const WorkloadSpeedup> speedups) {
    std::map<std::string, std::size_t> known;
    std::vector<std::size_t> families;
    std::size_t count = 0;
    for (const WorkloadSpeedup& speedup : speedups) {
        const bool is_alone = speedup.family.empty();
        const std::size_t next = count;
        families.push_back(is_alone ? next : known.try_emplace(speedup.family, next).first->second);
        count += families.back() == next ? 1 : 0;
    }
    return families;
}

Estimate less_one(Estimate ratio) {
    ratio.value -= 1;
    if (ratio.interval)
        ratio.interval = Interval{ratio.interval->low - 1, ratio.interval->high - 1};
    return ratio;
}

Estimate share_by_family(double share, std::size_t families) {
    if (families < fewest_families)
        return {share, std::nullopt};
    const ShareBounds bounds = wilson(share, static_cast<double>(families));
    return {share, Interval{bounds.lowest, bounds.highest}};
}

} // namespace

std::optional<SpeedupSummary> summarise_speedups(std::span<const WorkloadSpeedup> speedups,
                                                 const BootstrapOptions& options) {
    if (speedups.empty())
        return std::nullopt;
    const std::vector<std::size_t> families = families_of(speedups);
    std::vector<SampledValue> ratios;
    std::vector<SampledValue> with_fallback;
    std::vector<SampledValue> distances;
    std::size_t slower = 0;
    std::size_t within_noise = 0;
    std::size_t noise_unknown = 0;
    for (std::size_t place = 0; place < speedups.size(); ++place) {
        const WorkloadSpeedup& each = speedups[place];
        const std::size_t family = families[place];
        ratios.push_back({each.speedup(), each.speedup_error, family});
        // Who falls back on the baseline has its time, which is no ratio of two noisy ones.
        with_fallback.push_back(
            {each.speedup_with_fallback(), each.speedup() > 1 ? each.speedup_error : 0, family});
        distances.push_back({1 + each.regret(), each.regret_error, family});
        slower += each.is_slower() ? 1 : 0;
        within_noise += each.is_loss_within_noise() ? 1 : 0;
        noise_unknown += each.is_loss_of_unknown_noise() ? 1 : 0;
    }
    const std::size_t family_count = 1 + std::ranges::max(families);
    const auto of = [&](const std::vector<SampledValue>& values, const SampleStatistic& statistic) {
        return estimate_by_family(values, statistic, Scale::Ratio, options);
    };
    const auto worst = std::ranges::min_element(speedups, {}, &WorkloadSpeedup::speedup);
    return SpeedupSummary{
        .workloads = speedups.size(),
        .families = family_count,
        .mean_relative = less_one(of(ratios, &mean)),
        .mean_relative_with_fallback = less_one(of(with_fallback, &mean)),
        .geometric_mean = of(ratios, &geometric_mean),
        .median = of(ratios, &median),
        .losing = noise_unknown > 0 ? std::nullopt
                                    : std::optional(share_by_family(static_cast<double>(slower) /
                                                                        static_cast<double>(speedups.size()),
                                                                    family_count)),
        .slower = slower,
        .within_noise = within_noise,
        .noise_unknown = noise_unknown,
        .regret = less_one(of(distances, &geometric_mean)),
        .worst = worst->speedup(),
        .worst_workload = worst->workload};
}

std::optional<SpeedupComparison> compare_speedups(std::span<const WorkloadSpeedup> first,
                                                  std::span<const WorkloadSpeedup> second,
                                                  const BootstrapOptions& options,
                                                  std::span<const RatioNoise> ratio_noise) {
    if (first.empty() || first.size() != second.size())
        return std::nullopt;
    const std::vector<std::size_t> families = families_of(first);
    SpeedupComparison comparison;
    std::vector<SampledValue> ratios;
    std::vector<SampledValue> differences;
    for (std::size_t at = 0; at < first.size(); ++at) {
        const auto [error, noise] = ratio_noise.empty() ? RatioNoise() : ratio_noise[at];
        const double ratio = second[at].best_ms / first[at].best_ms;
        ratios.push_back({ratio, error, families[at]});
        // Noise of the baseline is in both speedups; what is not in common is that of the ratio.
        differences.push_back(
            {first[at].speedup() - second[at].speedup(), error * first[at].speedup(), families[at]});
        if (ratio == 1)
            continue;
        switch (verdict_of(ratio, noise)) {
        case Verdict::Faster:
            ++comparison.first_faster;
            break;
        case Verdict::WithinNoise:
            ++comparison.within_noise;
            break;
        case Verdict::Slower:
            ++comparison.second_faster;
            break;
        case Verdict::NoiseUnknown:
            ++comparison.noise_unknown;
            break;
        }
    }
    comparison.mean_relative_difference = estimate_by_family(differences, &mean, Scale::Plain, options);
    comparison.geometric_ratio = estimate_by_family(ratios, &geometric_mean, Scale::Ratio, options);
    return comparison;
}

} // namespace sparsight
