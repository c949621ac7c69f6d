// A case that a model is asked about to find its reasons, without a word of the model.
#pragma once

#include "base/error.h"
#include "domains/sparse/schedule/super_schedule.h"
#include "domains/sparse/simulator/schedule_profile.h"
#include "domains/sparse/tensor/pattern.h"
#include "domains/sparse/tensor/statistics.h"
#include "evaluation/model_reasons/model_reasons.h"
#include "machine/machine_description.h"
#include "machine/machine_parameters.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
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

// The parameters of machines that reasons speak of: those that data sheets and probes tell, which is what
// models read of a machine.

[[nodiscard]] std::span<const MachineParameter> reported_parameters();

/// For people: "cores", "L2 cache", "memory latency".
[[nodiscard]] std::string title(MachineParameter parameter);

/// As reasons tell it, which is in KiB where the parameter counts bytes.
[[nodiscard]] std::string reported_unit(MachineParameter parameter);
[[nodiscard]] double reported_value(MachineParameter parameter, double value);

/// "8", "0.1235", "1.5e+16".
[[nodiscard]] std::string short_number(double value);

// What two schedules take by the mechanistic simulator, for the cases that reasons ask about.

/// A pattern by its place in the list that cases are about.
using PatternsByPlace = std::function<Result<std::shared_ptr<const CsrPattern>>(std::size_t place)>;

/// Used by one thread at a time. Keeps what it counted of the explained pattern, and of one more.
class SimulatedPairs {
public:
    /// `dense` is ignored for SpMV.
    SimulatedPairs(PatternsByPlace patterns, std::int64_t dense)
        : patterns_(std::move(patterns))
        , dense_(dense) {}

    /// Of the case's pattern and machine. A schedule whose storage would exceed the default PackingLimits has
    /// no time.
    [[nodiscard]] Result<PairTimes> times(const ReasonCase& of);

private:
    struct Counted {
        std::shared_ptr<const CsrPattern> pattern;
        std::unique_ptr<ProfiledPattern> counts;
        std::map<SuperSchedule, std::optional<ScheduleProfile>> profiles; ///< absent: too large
    };
    [[nodiscard]] Result<Counted*> counted(std::size_t place);
    [[nodiscard]] Result<std::optional<double>> time(Counted& counted, const SuperSchedule& schedule,
                                                     const MachineParameters& machine) const;

    PatternsByPlace patterns_;
    std::int64_t dense_;
    std::map<std::size_t, Counted> counted_;
};

} // namespace sparsight
