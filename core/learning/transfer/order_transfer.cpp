#include "learning/transfer/order_transfer.h"

#include "base/random.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

namespace sparsight {
namespace {

std::vector<double> ranks_of(std::span<const double> values) {
    std::vector<std::size_t> places(values.size());
    std::iota(places.begin(), places.end(), std::size_t{0});
    std::ranges::sort(places, {}, [&](std::size_t place) { return values[place]; });
    std::vector<double> ranks(values.size());
    for (std::size_t first = 0; first < places.size();) {
        std::size_t end = first + 1;
        while (end < places.size() && values[places[end]] == values[places[first]])
            ++end;
        for (std::size_t i = first; i < end; ++i)
            ranks[places[i]] = static_cast<double>(first + end - 1) / 2;
        first = end;
    }
    return ranks;
}

/// A failure is slower than all that ran.
std::vector<double> times_of(const TimedColumn& column, std::span<const std::size_t> places) {
    std::vector<double> times;
    for (const std::size_t place : places)
        times.push_back(column.milliseconds[place]);
    return times;
}

} // namespace

double rank_correlation(std::span<const double> one, std::span<const double> other) {
    const std::vector<double> first = ranks_of(one);
    const std::vector<double> second = ranks_of(other);
    const double middle = static_cast<double>(first.size() - 1) / 2;
    double products = 0;
    double squares = 0;
    double other_squares = 0;
    for (std::size_t i = 0; i < first.size(); ++i) {
        products += (first[i] - middle) * (second[i] - middle);
        squares += (first[i] - middle) * (first[i] - middle);
        other_squares += (second[i] - middle) * (second[i] - middle);
    }
    return squares > 0 && other_squares > 0 ? products / std::sqrt(squares * other_squares) : 0;
}

LearnedOrder learned_order(const TransferTarget& target, const CopiedPrior& prior, std::size_t count,
                           std::uint64_t seed) {
    const TimedColumn& truth = target.truth();
    std::vector<std::size_t> tried;
    for (std::size_t i = 0; i < truth.milliseconds.size(); ++i)
        if (truth.was_tried(i))
            tried.push_back(i);
    std::vector<std::size_t> drawn = tried;
    Random random(seed);
    random.shuffle(drawn);
    drawn.resize(std::min(count, drawn.size()));

    CorrectedCopy copy(prior);
    for (const std::size_t i : drawn)
        copy.measured(i, truth.milliseconds[i]);
    std::vector<double> means;
    for (const std::size_t i : tried)
        means.push_back(copy.means()[i]);
    const std::vector<double> times = times_of(truth, tried);
    LearnedOrder learned{.corrected = rank_correlation(means, times)};

    // What a source never tried says nothing of the order: it counts as a failure there.
    const auto source_times = [&](std::size_t source, std::span<const std::size_t> places) {
        std::vector<double> of = times_of(target.space.columns[source], places);
        for (double& time : of)
            if (std::isnan(time))
                time = std::numeric_limits<double>::infinity();
        return of;
    };
    const std::vector<double> measured = times_of(truth, drawn);
    double highest = -2;
    for (const std::size_t source : target.sources)
        if (const double likeness = rank_correlation(source_times(source, drawn), measured);
            likeness > highest) {
            highest = likeness;
            learned.source = rank_correlation(source_times(source, tried), times);
        }
    return learned;
}

std::optional<TransferTarget> without_its_kind(const TransferTarget& target, const KnownSheets& sheets) {
    const auto kind_of = [&](std::string_view machine) {
        const auto& texts = sheets.of(machine).texts;
        const auto found = texts.find("kind");
        return found == texts.end() ? std::string() : found->second;
    };
    const std::string kind = kind_of(target.truth().machine);
    if (kind.empty())
        return std::nullopt;
    TransferTarget other{target.space, target.column, {}, {}};
    const auto may_be_alike = [&](std::string_view machine) { // unknown kinds may be this one
        const std::string of = kind_of(machine);
        return of.empty() || of == kind;
    };
    for (const std::size_t source : target.sources)
        if (!may_be_alike(target.space.columns[source].machine))
            other.sources.push_back(source);
    for (const TimedColumn& kin : target.space.kin)
        if (may_be_alike(kin.machine))
            other.left_out.push_back(kin.machine);
    if (other.sources.empty())
        return std::nullopt;
    return other;
}

} // namespace sparsight
