#include "evaluation/diagnosis/change_words.h"

#include "evaluation/noise.h"

#include <fmt/ranges.h>

namespace sparsight {

std::string changed_decisions(const ScheduleChange& change, const SuperSchedule& before) {
    std::vector<std::string> parts;
    parts.reserve(change.decisions.size());
    for (const Decision& decision : change.decisions)
        parts.push_back(fmt::format("{} {} → {}", name(decision, before.op), value_of(decision, before),
                                    value_of(decision, change.schedule)));
    return fmt::format("{}", fmt::join(parts, ", "));
}

std::string verdict(const ScheduleChange& change, const HybridTime& from) {
    return differ_beyond_noise(*change.time.milliseconds - *from.milliseconds,
                               change.time.spread_ms + from.spread_ms)
               ? "it wins"
               : "it wins, though within the noise";
}

} // namespace sparsight
