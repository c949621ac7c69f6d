#include "domains/sparse/tensor/sparse_workload.h"

#include <algorithm>
#include <array>
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

using Side = std::array<double, 6>; ///< an extent and its lengths

Side side(std::int64_t extent, const LengthStatistics& lengths) {
    return {static_cast<double>(extent),      lengths.mean, static_cast<double>(lengths.max),
            lengths.coefficient_of_variation, lengths.gini, static_cast<double>(lengths.empty)};
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

} // namespace sparsight
