#include "domains/sparse/tensor/sparse_workload.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace sparsight {

namespace {

class PatternPayload final : public Payload {
public:
    explicit PatternPayload(std::shared_ptr<const CsrPattern> pattern)
        : pattern_(std::move(pattern)) {}

    [[nodiscard]] const CsrPattern& pattern() const { return *pattern_; }

private:
    std::shared_ptr<const CsrPattern> pattern_;
};

using Side = std::array<double, 5>; ///< lines that are not empty, and sums over their lengths

/// A whole number that was computed as a real one: so that it is the same by whichever way, large ones are
/// rounded to eight digits.
double rounded(double number) {
    constexpr double exact_below = 1e8;
    const double size = std::abs(number);
    const double unit = size < exact_below ? 1 : std::pow(10, std::floor(std::log10(size)) - 7);
    return std::round(number / unit) * unit;
}

/// The statistics of lengths change with the number of empty lines, the sums behind them do not: Σ l, Σ l²
/// and Σ i·l over the lengths in ascending order (of which Gini's coefficient is made).
Side side(std::int64_t extent, const LengthStatistics& lengths) {
    const auto lines = static_cast<double>(extent);
    const auto empty = static_cast<double>(lengths.empty);
    const double entries = lines * lengths.mean;
    const double squares = entries * lengths.mean * (1 + std::pow(lengths.coefficient_of_variation, 2));
    const double ranked = (lengths.gini * lines + lines + 1) * entries / 2 - empty * entries;
    return {lines - empty, rounded(entries), static_cast<double>(lengths.max), rounded(squares),
            rounded(ranked)};
}

} // namespace

std::shared_ptr<const Payload> payload_of(CsrPattern pattern) {
    return payload_of(std::make_shared<const CsrPattern>(std::move(pattern)));
}

std::shared_ptr<const Payload> payload_of(std::shared_ptr<const CsrPattern> pattern) {
    return std::make_shared<const PatternPayload>(std::move(pattern));
}

const CsrPattern& pattern_of(const Payload& payload) {
    return static_cast<const PatternPayload&>(payload).pattern();
}

std::vector<double> statistics_vector(const PatternStatistics& of) {
    std::vector<double> numbers;
    numbers.reserve(statistics().size());
    for (const Statistic& statistic : statistics())
        numbers.push_back(statistic.of(of));
    return numbers;
}

PatternStatistics pattern_statistics(std::span<const double> numbers) {
    PatternStatistics made;
    for (std::size_t place = 0; place < numbers.size(); ++place)
        statistics()[place].set(made, numbers[place]);
    return made;
}

std::vector<double> family_key(const PatternStatistics& statistics) {
    Side rows = side(statistics.rows, statistics.row_length);
    Side cols = side(statistics.cols, statistics.column_length);
    if (cols < rows)
        std::swap(rows, cols);
    std::vector<double> key(rows.begin(), rows.end());
    key.insert(key.end(), cols.begin(), cols.end());
    return key;
}

namespace {

/// The text without the digits at its end; the same where there is none.
std::string_view without_digits(std::string_view text) {
    while (!text.empty() && text.back() >= '0' && text.back() <= '9')
        text.remove_suffix(1);
    return text;
}

/// Without digits and then the letter before them; empty where they do not stand there.
std::string_view without_number(std::string_view text, char before) {
    const std::string_view rest = without_digits(text);
    if (rest.size() == text.size() || !rest.ends_with(before))
        return {};
    return rest.substr(0, rest.size() - 1);
}

/// "Trec6" of "Trec6_16x16_9"; empty where the name has no such end.
std::string_view without_resizing(std::string_view name) {
    return without_number(without_number(without_number(name, '_'), 'x'), '_');
}

} // namespace

std::string name_stem(std::string_view name) {
    constexpr std::array<std::string_view, 3> transposed{"_t", "_T", "_transposed"};
    for (;;) {
        std::string_view stem = without_resizing(name);
        for (const std::string_view suffix : transposed)
            if (stem.empty() && name.ends_with(suffix))
                stem = name.substr(0, name.size() - suffix.size());
        if (stem.empty())
            return std::string(name);
        name = stem;
    }
}

} // namespace sparsight
