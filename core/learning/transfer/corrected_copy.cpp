#include "learning/transfer/corrected_copy.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <utility>

namespace sparsight {
namespace {

// Deviations of the correction's parts, before its scale.
constexpr double of_copy = 0.3;
constexpr double of_sources = 0.3;
constexpr double of_surface = 0.35;
/// How much the level may be off: the copy's 0 is the target's best only if the copy is right.
constexpr double variance_of_level = 1;
/// Times beyond e³ of the best are far from being chosen, however slow they are.
constexpr double slowest_copied = 3;
constexpr double failure_step = 0.7; ///< logarithm by which a failure is slower than all so far
constexpr double deviations_below = 0.6;

constexpr std::array scales{0.3, 1.0, 3.0};
constexpr std::array noises{0.03, 0.1, 0.3};

} // namespace

namespace {

CopiedPrior prior_of(const TransferTarget& target, const SourceLogs& sources, std::vector<double> copy,
                     const TimedSpace::Surface& surface) {
    const std::size_t count = target.space.configurations.size();
    CopiedPrior prior;
    prior.copy = std::move(copy);
    for (double& log : prior.copy)
        log = std::min(log, slowest_copied);
    prior.width = 1 + sources.logs.size() + surface.width;
    prior.numbers.reserve(count * prior.width);
    const double share =
        of_sources *
        std::min(1.0, std::sqrt(10.0 / static_cast<double>(std::max<std::size_t>(sources.logs.size(), 1))));
    for (std::size_t i = 0; i < count; ++i) {
        prior.is_possible.push_back(target.truth().was_tried(i));
        prior.numbers.push_back(static_cast<float>(of_copy * prior.copy[i]));
        for (std::size_t source = 0; source < sources.logs.size(); ++source) {
            const bool is_known = sources.known[source][i];
            const double log = std::min(sources.logs[source][i], slowest_copied);
            prior.numbers.push_back(is_known ? static_cast<float>(share * (log - prior.copy[i])) : 0.0F);
        }
        for (const float number :
             std::span<const float>(surface.numbers).subspan(i * surface.width, surface.width))
            prior.numbers.push_back(static_cast<float>(of_surface) * number);
    }
    return prior;
}

} // namespace

CopiedPrior copied_prior(const TransferTarget& target, const KnownSheets& sheets) {
    const SourceLogs sources = source_logs_with_kin(target, sheets);
    return prior_of(target, sources, weighted_copy(sources), target.space.response_surface());
}

CopiedPrior order_prior(const TransferTarget& target, const KnownSheets& sheets) {
    SourceLogs sources = source_logs_with_kin(target, sheets);
    for (std::size_t source = 0; source < sources.distances.size(); ++source)
        sources.distances[source] = source < target.sources.size() ? 0 : distance_of_kin;
    return prior_of(target, sources, weighted_copy(sources), target.space.value_surface());
}

CopiedPrior prior_on(const TransferTarget& target, std::vector<double> copy) {
    return prior_of(target, {}, std::move(copy), target.space.response_surface());
}

CopiedPrior plain_prior(const TransferTarget& target) {
    return prior_on(target, std::vector<double>(target.space.configurations.size(), 0.0));
}

CorrectedCopy::CorrectedCopy(CopiedPrior prior)
    : prior_(std::move(prior))
    , was_measured_(prior_.copy.size(), false) {
    std::vector<double> lengths;
    for (std::size_t i = 0; i < prior_.copy.size(); ++i) {
        double length = 0;
        for (const float number :
             std::span<const float>(prior_.numbers).subspan(i * prior_.width, prior_.width))
            length += static_cast<double>(number) * static_cast<double>(number);
        lengths.push_back(length);
    }
    for (const double scale : scales)
        for (const double noise : noises) {
            Posterior posterior{.scale = scale, .noise = noise, .means = prior_.copy, .variances = lengths};
            for (double& variance : posterior.variances)
                variance = scale * scale * variance + variance_of_level;
            posteriors_.push_back(std::move(posterior));
        }
}

const CorrectedCopy::Posterior& CorrectedCopy::likeliest() const {
    return *std::ranges::max_element(posteriors_, {}, &Posterior::evidence);
}

std::span<const double> CorrectedCopy::means() const {
    return likeliest().means;
}

std::optional<std::size_t> CorrectedCopy::next() const {
    const Posterior& posterior = likeliest();
    std::optional<std::size_t> best;
    double lowest = 0;
    for (std::size_t i = 0; i < prior_.copy.size(); ++i) {
        if (was_measured_[i] || !prior_.is_possible[i])
            continue;
        const double bound =
            measured_.empty()
                ? prior_.copy[i]
                : posterior.means[i] - deviations_below * std::sqrt(std::max(posterior.variances[i], 0.0));
        if (!best || bound < lowest) {
            best = i;
            lowest = bound;
        }
    }
    return best;
}

void CorrectedCopy::measured(std::size_t configuration, double milliseconds) {
    double value = 0;
    if (std::isfinite(milliseconds)) {
        const double log = std::log(milliseconds);
        if (!level_)
            level_ = log - prior_.copy[configuration];
        value = log - *level_;
    } else {
        const double slowest = measured_.empty() ? std::ranges::max(prior_.copy) : slowest_;
        value = slowest + failure_step;
    }
    slowest_ = measured_.empty() ? value : std::max(slowest_, value);
    measured_.push_back(configuration);
    was_measured_[configuration] = true;

    const std::span<const float> all = prior_.numbers;
    const auto row = all.subspan(configuration * prior_.width, prior_.width);
    std::vector<double> products;
    products.reserve(prior_.copy.size());
    for (std::size_t i = 0; i < prior_.copy.size(); ++i) {
        const auto other = all.subspan(i * prior_.width, prior_.width);
        float product = 0;
        for (std::size_t k = 0; k < prior_.width; ++k)
            product += row[k] * other[k];
        products.push_back(static_cast<double>(product));
    }
    for (Posterior& posterior : posteriors_)
        update(posterior, configuration, products, value);
}

/// One observation at a time, so that nothing has to be inverted.
void CorrectedCopy::update(Posterior& posterior, std::size_t configuration, std::span<const double> products,
                           double value) const {
    const double squared = posterior.scale * posterior.scale;
    std::vector<double> covariances(products.begin(), products.end());
    for (double& covariance : covariances)
        covariance = squared * covariance + variance_of_level;
    for (const std::vector<double>& earlier : posterior.explained) {
        const double here = earlier[configuration];
        for (std::size_t i = 0; i < covariances.size(); ++i)
            covariances[i] -= earlier[i] * here;
    }
    const double variance = std::max(covariances[configuration], 0.0) + posterior.noise * posterior.noise;
    const double surprise = value - posterior.means[configuration];
    posterior.evidence -= 0.5 * (surprise * surprise / variance + std::log(variance));
    const double deviation = std::sqrt(variance);
    for (std::size_t i = 0; i < covariances.size(); ++i) {
        posterior.means[i] += covariances[i] * surprise / variance;
        posterior.variances[i] -= covariances[i] * covariances[i] / variance;
        covariances[i] /= deviation;
    }
    posterior.explained.push_back(std::move(covariances));
}

} // namespace sparsight
