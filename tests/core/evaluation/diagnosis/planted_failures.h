// Schedules that are bad by one known decision, amid decisions that differ, too, but do no harm: what a
// diagnosis must see through.
#pragma once

#include "base/random.h"
#include "domains/sparse/schedule/schedule_decision.h"
#include "domains/sparse/tensor/pattern.h"
#include "study/clock.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace sparsight::testing {

enum class Plant : std::uint8_t {
    ExplodingLevel,    ///< blocks of columns are stored with all their zeros
    SerialisingChunk,  ///< one thread gets all rows
    DiscontiguousLoop, ///< the innermost loop no longer runs along memory
    FarFromBlockSize,  ///< dense blocks of 2 columns become dense blocks of 64
};
inline constexpr std::array all_plants{Plant::ExplodingLevel, Plant::SerialisingChunk,
                                       Plant::DiscontiguousLoop, Plant::FarFromBlockSize};
[[nodiscard]] std::string_view name(Plant plant);

struct PlantedFailure {
    Plant plant{};
    ScheduleDecision planted;
    SuperSchedule good;
    SuperSchedule bad;
    std::size_t harmless = 0; ///< decisions that differ besides the planted one
    double slower = 1;        ///< what the planted decision alone does: bad with it over bad without it
};

/// What counts as harmless and as a failure, by the evaluator's own times.
inline constexpr double harmless_factor = 1.2;
inline constexpr double failure_factor = 1.5;

/// Harmless decisions are drawn, and kept where each alone and all together change the time by less than
/// harmless_factor; then the bad one is planted. Nothing where the operator has no such failure, where it
/// can't be built, where it is not failure_factor slower on this matrix, or where fewer than two decisions
/// were harmless.
[[nodiscard]] Result<std::optional<PlantedFailure>> plant_failure(Plant plant, Operator op,
                                                                  const CsrPattern& pattern, int threads,
                                                                  Clock& evaluator, Random& random);

} // namespace sparsight::testing
