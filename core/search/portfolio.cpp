#include "search/portfolio.h"

#include "base/random.h"
#include "search/predictor_head.h"

#include <Eigen/Core>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>

namespace sparsight {
namespace {

/// [draws, considered]: what each configuration may really be worth, in units of scores.
Eigen::MatrixXd drawn_values(const ConfigurationSpace& space, std::span<const Configuration> configurations,
                             std::span<const Ranked> considered, const PortfolioSettings& settings) {
    std::vector<Configuration> compared;
    compared.reserve(considered.size());
    for (const Ranked& ranked : considered)
        compared.push_back(configurations[ranked.candidate]);
    const std::vector<double> distances = space.distances(compared);
    const auto count = static_cast<Eigen::Index>(considered.size());
    Eigen::MatrixXd correlation = Eigen::Map<const Eigen::MatrixXd>(distances.data(), count, count);
    for (double& each : correlation.reshaped())
        each = std::exp(-each / settings.range);
    // Distances of decisions are no Euclidean ones, so that no errors may correlate just like this: what
    // comes closest is taken, with every error of the same size.
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> parts(correlation);
    Eigen::MatrixXd root = parts.eigenvectors() * parts.eigenvalues().cwiseMax(0).cwiseSqrt().asDiagonal();
    root.rowwise().normalize();
    Random random(settings.seed);
    Eigen::MatrixXd values(count, settings.draws);
    for (Eigen::Index draw = 0; draw < values.cols(); ++draw)
        for (Eigen::Index row = 0; row < count; ++row)
            values(row, draw) = random.normal();
    values = settings.error * (root * values);
    for (Eigen::Index row = 0; row < count; ++row)
        values.row(row).array() += static_cast<double>(considered[static_cast<std::size_t>(row)].score);
    values.transposeInPlace();
    return values;
}

} // namespace

std::vector<std::uint32_t> choose_portfolio(const ConfigurationSpace& space,
                                            std::span<const Configuration> configurations,
                                            std::span<const float> scores,
                                            const PortfolioSettings& settings) {
    std::vector<Ranked> considered = best_of(scores, std::max(settings.considered, settings.k));
    while (considered.size() > settings.k && !std::isfinite(considered.back().score))
        considered.pop_back(); // of what can't be run nothing is expected
    std::vector<std::size_t> chosen;
    if (considered.size() <= settings.k) {
        for (std::size_t at = 0; at < std::min(settings.k, considered.size()); ++at)
            chosen.push_back(at);
    } else {
        const Eigen::MatrixXd values = drawn_values(space, configurations, considered, settings);
        chosen.push_back(0); // the best score, whatever the draws of those that are nearly as good
        Eigen::VectorXd best = values.col(0);
        while (chosen.size() < settings.k) {
            std::size_t next = 0;
            double least = std::numeric_limits<double>::infinity();
            for (Eigen::Index col = 0; col < values.cols(); ++col) {
                const double mean = values.col(col).cwiseMin(best).mean();
                const auto place = static_cast<std::size_t>(col);
                if (mean < least && std::ranges::find(chosen, place) == chosen.end()) {
                    least = mean;
                    next = place;
                }
            }
            chosen.push_back(next);
            best = best.cwiseMin(values.col(static_cast<Eigen::Index>(next)));
        }
    }
    std::ranges::sort(chosen); // the first ones by score come first
    std::vector<std::uint32_t> places;
    places.reserve(chosen.size());
    for (const std::size_t at : chosen)
        places.push_back(considered[at].candidate);
    return places;
}

std::vector<ChosenPlace> choose_hedged_portfolio(const ConfigurationSpace& space,
                                                 std::span<const Configuration> configurations,
                                                 std::span<const float> scores, std::span<const float> second,
                                                 const PortfolioSettings& settings) {
    PortfolioSettings of_first = settings;
    PortfolioSettings of_second = settings;
    // Where all are taken, nothing is chosen.
    of_second.k = second.empty() || configurations.size() <= settings.k ? 0 : settings.k / 4;
    of_first.k = settings.k - of_second.k;
    const std::vector<Ranked> first = best_of(scores, of_first.k);
    std::vector<ChosenPlace> chosen;
    for (const std::uint32_t place : choose_portfolio(space, configurations, scores, of_first)) {
        const bool is_first = std::ranges::find(first, place, &Ranked::candidate) != first.end();
        chosen.push_back({place, is_first ? ChosenBy::Score : ChosenBy::Difference});
    }
    if (of_second.k > 0) {
        std::vector<float> others(second.begin(), second.end());
        for (const ChosenPlace& each : chosen)
            others[each.place] = std::numeric_limits<float>::infinity();
        for (const std::uint32_t place : choose_portfolio(space, configurations, others, of_second))
            if (std::isfinite(others[place]))
                chosen.push_back({place, ChosenBy::Second});
    }
    std::ranges::stable_sort(chosen, {}, [&](const ChosenPlace& each) { return scores[each.place]; });
    return chosen;
}

} // namespace sparsight
