#include "evaluation/model_reasons/last_layer.h"

#include "evaluation/model_reasons/nearest_points.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <set>
#include <utility>

namespace sparsight {

void SmallMatrix::add_outer(double weight, std::span<const float> v) {
    for (std::size_t row = 0; row < size_; ++row)
        for (std::size_t column = 0; column <= row; ++column)
            at(row, column) += weight * static_cast<double>(v[row]) * static_cast<double>(v[column]);
}

void SmallMatrix::add_diagonal(double value) {
    for (std::size_t row = 0; row < size_; ++row)
        at(row, row) += value;
}

std::optional<SmallMatrix> cholesky(SmallMatrix matrix) {
    for (std::size_t row = 0; row < matrix.size(); ++row)
        for (std::size_t column = 0; column <= row; ++column) {
            double sum = matrix.at(row, column);
            for (std::size_t k = 0; k < column; ++k)
                sum -= matrix.at(row, k) * matrix.at(column, k);
            if (row != column)
                matrix.at(row, column) = sum / matrix.at(column, column);
            else if (sum > 0)
                matrix.at(row, row) = std::sqrt(sum);
            else
                return std::nullopt;
        }
    return matrix;
}

double inverse_form(const SmallMatrix& triangle, std::span<const float> v) {
    std::vector<double> solved(triangle.size());
    double form = 0;
    for (std::size_t row = 0; row < triangle.size(); ++row) {
        double sum = static_cast<double>(v[row]);
        for (std::size_t k = 0; k < row; ++k)
            sum -= triangle.at(row, k) * solved[k];
        solved[row] = sum / triangle.at(row, row);
        form += solved[row] * solved[row];
    }
    return form;
}

namespace {

constexpr std::size_t folds = 5;
/// Of the typical eigenvalue of what the pairs say: a strong prior, a weak one; and weights that are certain.
constexpr std::array priors{1.0, 0.1, 0.01, 0.001};

double logistic(double x) {
    return 1 / (1 + std::exp(-x));
}

/// −log σ(x), without overflow.
double surprise(double x) {
    return x > 0 ? std::log1p(std::exp(-x)) : -x + std::log1p(std::exp(x));
}

double flattened(double scale, double margin, double variance) {
    return scale * margin / std::sqrt(1 + std::numbers::pi * variance / 8);
}

std::vector<double> scales_for(std::span<const OrderedPair> pairs) {
    std::vector<double> sizes;
    for (const OrderedPair& pair : pairs)
        sizes.push_back(std::abs(pair.margin));
    const double typical = std::max(quantile(sizes, 0.5), 1e-12);
    std::vector<double> scales;
    for (int half_octave = -12; half_octave <= 16; ++half_octave)
        scales.push_back(std::exp2(half_octave / 2.0) / typical);
    return scales;
}

/// The scale by which pairs with these variances are least surprising.
std::pair<double, double> best_scale(std::span<const OrderedPair> pairs, std::span<const double> variances,
                                     std::span<const std::size_t> chosen, std::span<const double> scales) {
    std::pair<double, double> best{std::numeric_limits<double>::infinity(), scales.front()};
    for (const double scale : scales) {
        double sum = 0;
        for (const std::size_t place : chosen)
            sum += surprise(flattened(scale, pairs[place].margin, variances[place]));
        best = std::min(best, std::pair(sum, scale));
    }
    return best;
}

std::vector<std::size_t> workloads_of(std::span<const OrderedPair> pairs) {
    std::set<std::size_t> workloads;
    for (const OrderedPair& pair : pairs)
        workloads.insert(pair.workload);
    return {workloads.begin(), workloads.end()};
}

} // namespace

double LastLayer::deviation(std::span<const float> difference) const {
    return triangle_ && !difference.empty() ? std::sqrt(inverse_form(*triangle_, difference)) / scale_ : 0;
}

double LastLayer::confidence(double margin, std::span<const float> difference) const {
    const double deviation_in_units = deviation(difference) * scale_;
    return logistic(flattened(scale_, std::abs(margin), deviation_in_units * deviation_in_units));
}

/// The weights are those of the model times the scale: in these units they are the most likely ones, and
/// Σ⁻¹ = λ I + Σ over the pairs of p (1 − p) d dᵀ.
class LastLayerFit {
public:
    LastLayerFit(const LastLayerPairs& pairs, std::stop_token stop)
        : told_(pairs.learned.empty() ? pairs.others : pairs.learned)
        , is_held_out_(workloads_of(pairs.others).size() >= fewest_workloads)
        , checked_(is_held_out_ ? pairs.others : pairs.learned)
        , stop_(std::move(stop)) {}

    [[nodiscard]] Result<UncertaintyFit> run() {
        const auto workloads = workloads_of(checked_);
        if (workloads.size() < fewest_workloads)
            return fail(Fault::Input, "confidence can't be estimated: fewer than three workloads have times "
                                      "of two or more configurations");
        scales_ = scales_for(checked_);
        for (std::size_t place = 0; place < workloads.size(); ++place)
            fold_of_.push_back({workloads[place], place % folds});
        if (auto known = weigh_priors(); !known)
            return std::unexpected(std::move(known).error());

        UncertaintyFit fit;
        check(fit.reason);
        fit.layer = final_layer();
        fit.reason.method = variances_.size() == 1 ? "scale" : "last layer";
        fit.reason.scale = fit.layer.scale();
        fit.reason.fitted_pairs = static_cast<std::int64_t>(told_.size());
        fit.reason.fitted_workloads = static_cast<std::int64_t>(workloads_of(told_).size());
        fit.reason.held_out = is_held_out_;
        fit.reason.checked_pairs = static_cast<std::int64_t>(checked_.size());
        fit.reason.checked_workloads = static_cast<std::int64_t>(workloads.size());
        return fit;
    }

private:
    static constexpr std::size_t no_fold = folds;

    [[nodiscard]] std::size_t fold(const OrderedPair& pair) const {
        return std::ranges::find(fold_of_, pair.workload, &std::pair<std::size_t, std::size_t>::first)
            ->second;
    }

    /// Pairs of one workload say the same many times: together they count as many as that workload has
    /// configurations, which is about the root of twice their number.
    [[nodiscard]] std::vector<double> weights(std::span<const OrderedPair> pairs) const {
        std::vector<std::size_t> counts;
        for (const OrderedPair& pair : pairs) {
            counts.resize(std::max(counts.size(), pair.workload + 1));
            ++counts[pair.workload];
        }
        std::vector<double> found;
        for (const OrderedPair& pair : pairs) {
            const auto count = static_cast<double>(counts[pair.workload]);
            found.push_back(std::min(1.0, std::sqrt(2 * count) / count));
        }
        return found;
    }

    /// What the pairs say of the weights, without the workloads of a fold.
    [[nodiscard]] SmallMatrix evidence(double scale, std::size_t left_out) const {
        SmallMatrix sum(checked_.front().difference.size());
        const std::vector<double> weight = weights(told_);
        for (std::size_t place = 0; place < told_.size(); ++place) {
            const OrderedPair& pair = told_[place];
            if (&told_ == &checked_ && left_out != no_fold && fold(pair) == left_out)
                continue;
            const double p = logistic(scale * pair.margin);
            sum.add_outer(weight[place] * p * (1 - p), pair.difference);
        }
        return sum;
    }

    [[nodiscard]] static std::optional<SmallMatrix> precision(SmallMatrix evidence, double prior) {
        double trace = 0;
        for (std::size_t row = 0; row < evidence.size(); ++row)
            trace += evidence.at(row, row);
        evidence.add_diagonal(prior * std::max(trace / static_cast<double>(evidence.size()), 1e-12));
        return cholesky(std::move(evidence));
    }

    /// For each prior the variance of every checked pair, by a fit that knows nothing of its workload.
    [[nodiscard]] Result<void> weigh_priors() {
        std::vector<std::size_t> all(checked_.size());
        std::iota(all.begin(), all.end(), std::size_t{0});
        const std::vector<double> certain(checked_.size(), 0.0);
        variances_.push_back(certain);
        first_scale_ = best_scale(checked_, certain, all, scales_).second;
        if (checked_.front().difference.empty() || told_.empty())
            return {};
        std::vector<std::vector<double>> found(priors.size(), certain);
        for (std::size_t each = 0; each < folds; ++each) {
            if (stop_.stop_requested())
                return fail(Fault::Cancelled, "stopped while weighing how sure the model may be");
            const SmallMatrix said = evidence(first_scale_, each);
            for (std::size_t prior = 0; prior < priors.size(); ++prior) {
                const auto triangle = precision(said, priors[prior]);
                for (std::size_t place = 0; triangle && place < checked_.size(); ++place)
                    if (fold(checked_[place]) == each)
                        found[prior][place] = inverse_form(*triangle, checked_[place].difference);
            }
        }
        std::ranges::move(found, std::back_inserter(variances_));
        return {};
    }

    struct Choice {
        std::size_t variances = 0; ///< place in variances_; 0: weights are certain
        double scale = 1;
    };
    [[nodiscard]] Choice best_choice(std::size_t without_fold) const {
        std::vector<std::size_t> chosen;
        for (std::size_t place = 0; place < checked_.size(); ++place)
            if (without_fold == no_fold || fold(checked_[place]) != without_fold)
                chosen.push_back(place);
        Choice best;
        double least = std::numeric_limits<double>::infinity();
        for (std::size_t each = 0; each < variances_.size(); ++each)
            if (const auto [sum, scale] = best_scale(checked_, variances_[each], chosen, scales_);
                sum < least) {
                least = sum;
                best = {each, scale};
            }
        return best;
    }

    void check(UncertaintyReason& reason) const {
        std::vector<CheckedPair> checked(checked_.size());
        for (std::size_t each = 0; each < folds; ++each) {
            const Choice choice = best_choice(each);
            for (std::size_t place = 0; place < checked_.size(); ++place) {
                const OrderedPair& pair = checked_[place];
                if (fold(pair) != each)
                    continue;
                checked[place].confidence = logistic(
                    flattened(choice.scale, std::abs(pair.margin), variances_[choice.variances][place]));
                checked[place].is_right = pair.margin > 0;
            }
        }
        reason.bins = calibration_bins(checked);
        reason.calibration_error = calibration_error(reason.bins);
    }

    [[nodiscard]] LastLayer final_layer() const {
        const Choice choice = best_choice(no_fold);
        LastLayer layer;
        layer.scale_ = choice.scale;
        if (choice.variances > 0)
            layer.triangle_ = precision(evidence(first_scale_, no_fold), priors[choice.variances - 1]);
        return layer;
    }

    const std::vector<OrderedPair>& told_; ///< by which the weights are known
    bool is_held_out_;
    const std::vector<OrderedPair>& checked_;
    std::stop_token stop_;
    std::vector<double> scales_;
    std::vector<std::pair<std::size_t, std::size_t>> fold_of_;
    double first_scale_ = 1;
    std::vector<std::vector<double>> variances_; ///< by prior; the first: none
};

Result<UncertaintyFit> fit_last_layer(const LastLayerPairs& pairs, const std::stop_token& stop) {
    return LastLayerFit(pairs, stop).run();
}

} // namespace sparsight
