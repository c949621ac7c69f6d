#include "learning/ranking_report.h"

#include "learning/ranking_metrics.h"

#include <ATen/core/Tensor.h>
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <numeric>
#include <unordered_set>

namespace sparsight {

namespace {

/// A mean over those that have a value.
class Mean {
public:
    void add(const std::optional<double>& value, double weight = 1) {
        if (!value || !std::isfinite(*value))
            return;
        sum_ += *value * weight;
        weight_ += weight;
    }
    [[nodiscard]] std::optional<double> value() const {
        return weight_ > 0 ? std::optional(sum_ / weight_) : std::nullopt;
    }

private:
    double sum_ = 0;
    double weight_ = 0;
};

double fastest_of_top(std::span<const float> scores, std::span<const double> milliseconds, std::size_t k) {
    std::vector<std::size_t> order(scores.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    k = std::min(k, order.size());
    std::ranges::partial_sort(order, order.begin() + static_cast<std::ptrdiff_t>(k), {},
                              [&](std::size_t s) { return std::pair(scores[s], s); });
    double fastest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < k; ++i)
        fastest = std::min(fastest, milliseconds[order[i]]);
    return fastest;
}

std::optional<double> fixed_csr_time(const MatrixRuntimes& runtimes) {
    for (std::size_t s = 0; s < runtimes.schedules.size(); ++s)
        if (is_fixed_csr(runtimes.schedules[s]) && std::isfinite(runtimes.milliseconds[s]))
            return runtimes.milliseconds[s];
    return std::nullopt;
}

/// What is lost when the model's choice is dropped for fixed CSR; where that was not measured, for the
/// slowest that ran.
std::optional<double> regret_of_fallback(const MatrixRuntimes& runtimes, const std::optional<double>& fixed) {
    std::optional<double> best;
    std::optional<double> worst;
    for (const double milliseconds : runtimes.milliseconds)
        if (std::isfinite(milliseconds)) {
            best = std::min(best.value_or(milliseconds), milliseconds);
            worst = std::max(worst.value_or(milliseconds), milliseconds);
        }
    if (!best)
        return std::nullopt;
    return fixed.value_or(*worst) / *best - 1;
}

} // namespace

std::map<std::string, double> RankingReport::by_name() const {
    std::map<std::string, double> named{{"loss", loss}};
    const auto put = [&](const std::string& metric, const std::optional<double>& value) {
        if (value)
            named[metric] = *value;
    };
    put("ordered_pair_accuracy", ordered_pair_accuracy);
    put("kendall_tau", kendall_tau);
    for (std::size_t k = 0; k < top_counts.size(); ++k) {
        put(fmt::format("regret_at_{}", top_counts[k]), regret[k]);
        put(fmt::format("speedup_at_{}", top_counts[k]), speedup[k]);
    }
    return named;
}

Result<RankingReport> report_ranking(ExampleStore& examples, const NamedTensors& weights, Loss loss,
                                     std::size_t task, std::span<const std::size_t> matrices) {
    const std::unordered_set<std::size_t> wanted(matrices.begin(), matrices.end());
    RankingReport report;
    Mean losses;
    Mean taus;
    std::array<Mean, top_counts.size()> regrets;
    std::array<Mean, top_counts.size()> logarithms;
    PairCounts pairs;
    const Task& on = examples.tasks().tasks[task];
    for (std::size_t r = 0; r < on.runtimes.size(); ++r) {
        const MatrixRuntimes& runtimes = on.runtimes[r];
        if (!wanted.contains(runtimes.matrix))
            continue;
        const auto found = examples.scores(weights, task, r);
        if (!found)
            return std::unexpected(found.error());
        ++report.matrices;
        losses.add(ranking_loss(loss, *found, runtimes.milliseconds, runtimes.spreads).item<double>());
        const at::Tensor on_host = found->to(at::kCPU, at::kFloat).contiguous();
        const std::span<const float> scores(on_host.data_ptr<float>(), runtimes.schedules.size());
        if (!std::ranges::all_of(scores, [](float score) { return std::isfinite(score); }))
            return fail(Fault::Input,
                        fmt::format("the scores of {} are no finite numbers: training diverged, so a rate is "
                                    "probably too high",
                                    examples.tasks().matrices[runtimes.matrix].name));
        const PairCounts of_matrix = count_pairs(scores, runtimes.milliseconds);
        pairs.concordant += of_matrix.concordant;
        pairs.discordant += of_matrix.discordant;
        pairs.tied_scores += of_matrix.tied_scores;
        pairs.tied_runtimes += of_matrix.tied_runtimes;
        pairs.tied_both += of_matrix.tied_both;
        taus.add(kendall_tau_b(of_matrix));
        const auto fixed = fixed_csr_time(runtimes);
        const std::optional<double> fallback = regret_of_fallback(runtimes, fixed);
        for (std::size_t k = 0; k < top_counts.size(); ++k) {
            regrets[k].add(std::min(top_k_regret(scores, runtimes.milliseconds, top_counts[k]), fallback));
            if (fixed)
                logarithms[k].add(std::log(
                    *fixed / std::min(*fixed, fastest_of_top(scores, runtimes.milliseconds, top_counts[k]))));
        }
    }
    report.loss = losses.value().value_or(0);
    report.ordered_pair_accuracy = ordered_pair_accuracy(pairs);
    report.kendall_tau = taus.value();
    for (std::size_t k = 0; k < top_counts.size(); ++k) {
        report.regret[k] = regrets[k].value();
        if (const auto mean = logarithms[k].value())
            report.speedup[k] = std::exp(*mean);
    }
    return report;
}

RankingReport combine(std::span<const RankingReport> reports) {
    RankingReport all;
    Mean losses;
    Mean accuracies;
    Mean taus;
    std::array<Mean, top_counts.size()> regrets;
    std::array<Mean, top_counts.size()> logarithms;
    for (const RankingReport& report : reports) {
        const double weight = report.matrices;
        all.matrices += report.matrices;
        losses.add(report.loss, weight);
        accuracies.add(report.ordered_pair_accuracy, weight);
        taus.add(report.kendall_tau, weight);
        for (std::size_t k = 0; k < top_counts.size(); ++k) {
            regrets[k].add(report.regret[k], weight);
            if (report.speedup[k])
                logarithms[k].add(std::log(*report.speedup[k]), weight);
        }
    }
    all.loss = losses.value().value_or(0);
    all.ordered_pair_accuracy = accuracies.value();
    all.kendall_tau = taus.value();
    for (std::size_t k = 0; k < top_counts.size(); ++k) {
        all.regret[k] = regrets[k].value();
        if (const auto mean = logarithms[k].value())
            all.speedup[k] = std::exp(*mean);
    }
    return all;
}

} // namespace sparsight
