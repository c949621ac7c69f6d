// A case that a model is asked about to find its reasons, without a word of the model.
#pragma once

#include "base/error.h"
#include "evaluation/model_reasons/sensitivity.h"
#include "machine/machine_description.h"
#include "matrix/statistics.h"
#include "schedule/super_schedule.h"

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace sparsight {

/// Two schedules of a pattern on a machine.
struct ReasonCase {
    /// Place in the list of patterns that the cases are about; 0 is the explained one. A model that reads
    /// statistics alone looks at `statistics` instead, which may be none of that pattern.
    std::size_t pattern = 0;
    PatternStatistics statistics{};
    MachineDescription machine{};
    SuperSchedule schedule{};
    SuperSchedule against{};
};

/// Of each case the score of `against` less that of the schedule: above 0 where the model prefers the
/// schedule. A function of the cases alone.
using MarginFunction = std::function<Result<std::vector<double>>(std::span<const ReasonCase>)>;

/// What both schedules take in a case, as far as that is known; of its pattern, whatever its statistics say.
using TimesFunction = std::function<Result<PairTimes>(const ReasonCase&)>;

} // namespace sparsight
