#include "evaluation/diagnosis/refinement.h"

#include "evaluation/diagnosis/measured_lead.h"

#include <algorithm>
#include <cmath>

namespace sparsight {

namespace {

constexpr double small_share = 0.05;
constexpr double known_share = 0.2;
constexpr double worth_repeating = 1.0 / 3;

double contribution(const ErrorBar& bar, std::size_t place, std::span<const double> times,
                    std::span<const double> spreads) {
    const double weight = bar.weights[place];
    const bool shortens = weight * bar.milliseconds > 0;
    return std::abs(weight) * (shortens ? shorter_by(times[place], spreads[place]) : spreads[place]);
}

} // namespace

double ErrorBar::error(std::span<const double> times, std::span<const double> spreads) const {
    double squares = 0;
    for (std::size_t place = 0; place < weights.size(); ++place)
        squares += std::pow(contribution(*this, place, times, spreads), 2);
    return std::sqrt(squares);
}

bool is_settled(const ErrorBar& bar, double error_ms, double difference_ms) {
    return error_ms <=
           std::max(small_share * std::abs(difference_ms), known_share * std::abs(bar.milliseconds));
}

std::vector<std::size_t> times_to_repeat(std::span<const ErrorBar> bars, std::span<const double> times,
                                         std::span<const double> spreads, double difference_ms) {
    std::vector<bool> is_wanted(times.size());
    for (const ErrorBar& bar : bars) {
        if (is_settled(bar, bar.error(times, spreads), difference_ms))
            continue;
        double worst = 0;
        for (std::size_t place = 0; place < times.size(); ++place)
            worst = std::max(worst, contribution(bar, place, times, spreads));
        for (std::size_t place = 0; place < times.size(); ++place)
            if (contribution(bar, place, times, spreads) >= worth_repeating * worst)
                is_wanted[place] = true;
    }
    std::vector<std::size_t> wanted;
    for (std::size_t place = 0; place < times.size(); ++place)
        if (is_wanted[place])
            wanted.push_back(place);
    return wanted;
}

} // namespace sparsight
