// What two schedules take by the mechanistic simulator, for the cases that reasons ask about.
#pragma once

#include "evaluation/model_reasons/reason_case.h"
#include "machine/machine_parameters.h"
#include "machine/mechanistic/schedule_profile.h"
#include "matrix/pattern.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>

namespace sparsight {

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
