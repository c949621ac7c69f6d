#include "domains/records/record_source.h"

#include <fmt/format.h>
#include <utility>

namespace sparsight {

Measurement measurement_of(const RecordRow& row) {
    Measurement measurement;
    measurement.status = row.status;
    measurement.median = row.median;
    measurement.spread = row.spread;
    // As of all imported times whose spread is not known.
    measurement.repeats = row.spread.count() > 0 ? row.repeats : 0;
    measurement.reason = row.reason;
    return measurement;
}

Setting record_setting(std::string_view space, std::string_view variant) {
    return {std::string(records_domain),
            variant.empty() ? std::string(space) : fmt::format("{}/{}", space, variant)};
}

void RecordProblems::add(Error error) {
    ++count;
    if (first.size() < most_kept)
        first.push_back(std::move(error));
}

} // namespace sparsight
