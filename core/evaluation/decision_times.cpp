#include "evaluation/decision_times.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace sparsight {

namespace {

constexpr std::size_t most_values = std::numeric_limits<std::uint16_t>::max();

/// Absent for what is no finite number.
std::optional<double> number_of(std::string_view text) {
    double number = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc() || stop != end || !std::isfinite(number))
        return std::nullopt;
    return number;
}

/// Sorts numbers before texts and the empty value last.
struct ValueOrder {
    std::string_view text;
    int kind = 0;
    double number = 0;

    explicit ValueOrder(std::string_view value)
        : text(value) {
        const auto parsed = number_of(value);
        kind = value.empty() ? 2 : parsed ? 0 : 1;
        number = parsed.value_or(0);
    }
    bool operator<(const ValueOrder& other) const {
        return std::tie(kind, number, text) < std::tie(other.kind, other.number, other.text);
    }
};

const std::string& value_of(const std::vector<std::string>& values, std::size_t decision) {
    static const std::string none;
    return decision < values.size() ? values[decision] : none;
}

/// The places of a decision in all rows; its values are sorted.
std::vector<std::uint16_t> places_of(std::span<const std::vector<std::string>> rows, std::size_t decision,
                                     std::vector<std::string>& values) {
    std::unordered_map<std::string_view, std::uint16_t> known;
    for (const auto& row : rows)
        if (known.try_emplace(value_of(row, decision)).second && known.size() > most_values)
            return {};
    std::vector<ValueOrder> sorted;
    for (const auto& [value, place] : known)
        sorted.emplace_back(value);
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t place = 0; place < sorted.size(); ++place) {
        known[sorted[place].text] = static_cast<std::uint16_t>(place);
        values.emplace_back(sorted[place].text);
    }
    std::vector<std::uint16_t> places;
    places.reserve(rows.size());
    for (const auto& row : rows)
        places.push_back(known.at(value_of(row, decision)));
    return places;
}

double explained_by(std::span<const std::uint16_t> places, std::size_t values,
                    std::span<const double> logarithms) {
    std::vector<double> sums(values, 0);
    std::vector<double> counts(values, 0);
    for (std::size_t row = 0; row < logarithms.size(); ++row) {
        sums[places[row]] += logarithms[row];
        counts[places[row]] += 1;
    }
    const auto count = static_cast<double>(logarithms.size());
    const double mean = std::accumulate(logarithms.begin(), logarithms.end(), 0.0) / count;
    double within = 0;
    double all = 0;
    for (std::size_t row = 0; row < logarithms.size(); ++row) {
        within += std::pow(logarithms[row] - sums[places[row]] / counts[places[row]], 2);
        all += std::pow(logarithms[row] - mean, 2);
    }
    const auto groups = static_cast<double>(std::ranges::count_if(counts, [](double n) { return n > 0; }));
    if (!(all > 0) || groups < 2 || groups >= count)
        return 0;
    return std::max(0.0, 1 - (within / (count - groups)) / (all / (count - 1)));
}

} // namespace

DecisionTimes decision_times(std::span<const std::vector<std::string>> values,
                             std::span<const double> milliseconds) {
    DecisionTimes times;
    times.rows = values.size();
    times.timed = std::min(milliseconds.size(), values.size());
    std::vector<double> logarithms;
    for (const double time : milliseconds.first(times.timed))
        logarithms.push_back(std::log(std::max(time, std::numeric_limits<double>::min())));
    std::size_t decisions = 0;
    for (const auto& row : values)
        decisions = std::max(decisions, row.size());
    std::vector<std::vector<std::uint16_t>> columns;
    for (std::size_t decision = 0; decision < decisions; ++decision) {
        DecisionScale scale{.decision = decision, .values = {}, .explained = 0};
        auto places = places_of(values, decision, scale.values);
        if (scale.values.size() == 1)
            ++times.constant;
        if (scale.values.size() < 2)
            continue;
        scale.explained = explained_by(places, scale.values.size(), logarithms);
        times.scales.push_back(std::move(scale));
        columns.push_back(std::move(places));
    }
    times.places.reserve(times.rows * columns.size());
    for (std::size_t row = 0; row < times.rows; ++row)
        for (const auto& column : columns)
            times.places.push_back(column[row]);
    return times;
}

std::vector<std::size_t> telling_scales(const DecisionTimes& times, std::size_t count) {
    std::vector<std::size_t> order(times.scales.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::ranges::greater(),
                             [&](std::size_t scale) { return times.scales[scale].explained; });
    order.resize(std::min(order.size(), count));
    std::ranges::sort(order);
    return order;
}

std::vector<PairedTimes> paired_times(const DecisionTimes& times, std::size_t across, std::size_t down,
                                      std::span<const std::size_t> rows) {
    const std::size_t width = times.scales[across].values.size();
    std::vector<PairedTimes> pairs(width * times.scales[down].values.size());
    for (const std::size_t row : rows) {
        PairedTimes& pair = pairs[times.place(row, down) * width + times.place(row, across)];
        ++pair.tried;
        if (!pair.fastest && row < times.timed)
            pair.fastest = row;
    }
    return pairs;
}

std::size_t TimeHistogram::bin_of(double milliseconds) const {
    const auto behind = std::ranges::upper_bound(edges, milliseconds);
    const auto bin = std::max<std::ptrdiff_t>(0, behind - edges.begin() - 1);
    return std::min(static_cast<std::size_t>(bin), counts.size() - 1);
}

TimeHistogram time_histogram(std::span<const double> milliseconds) {
    std::vector<double> times;
    std::ranges::copy_if(milliseconds, std::back_inserter(times),
                         [](double time) { return time > 0 && std::isfinite(time); });
    TimeHistogram histogram;
    if (times.empty())
        return histogram;
    const auto [low, high] = std::ranges::minmax(times);
    constexpr double least_factor = 1.01; // equal times have a bin, too
    const double factor = std::max(high / low, least_factor);
    const double wanted = std::sqrt(static_cast<double>(times.size()));
    const auto bins = static_cast<std::size_t>(std::clamp(std::ceil(wanted), 5.0, 60.0));
    for (std::size_t edge = 0; edge <= bins; ++edge)
        histogram.edges.push_back(low *
                                  std::pow(factor, static_cast<double>(edge) / static_cast<double>(bins)));
    histogram.counts.assign(bins, 0);
    for (const double time : times)
        ++histogram.counts[histogram.bin_of(time)];
    return histogram;
}

} // namespace sparsight
