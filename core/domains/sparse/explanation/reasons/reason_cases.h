// The cases that a model is asked about to find its reasons (two schedules of a pattern on a machine), their
// simulated times, and the machine parameters that reasons name. Nothing here depends on the model.
#pragma once

#include "base/error.h"
#include "base/observer.h"
#include "domains/sparse/explanation/reasons/model_reasons.h"
#include "domains/sparse/schedule/super_schedule.h"
#include "domains/sparse/simulator/schedule_profile.h"
#include "domains/sparse/tensor/density_grid.h"
#include "domains/sparse/tensor/pattern.h"
#include "domains/sparse/tensor/statistics.h"
#include "machine/machine_description.h"
#include "machine/machine_parameters.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace sparsight {

/// Two schedules of a pattern on a machine.
struct ReasonCase {
    /// Place in the list of patterns of the cases; 0 is the explained pattern. A model that reads only
    /// statistics uses `statistics` instead, which may belong to no real pattern.
    std::size_t pattern = 0;
    PatternStatistics statistics{};
    MachineDescription machine{};
    SuperSchedule schedule{};
    SuperSchedule against{};
};

/// For each case the score of `against` less that of the schedule: above 0 where the model prefers the
/// schedule. A function of the cases alone.
using MarginFunction = std::function<Result<std::vector<double>>(std::span<const ReasonCase>)>;

/// The times of both schedules in a case, as far as known; for its pattern, whatever its statistics say.
using TimesFunction = std::function<Result<PairTimes>(const ReasonCase&)>;

/// The machine parameters that reasons name: those on data sheets and from probes, which are also what
/// models read of a machine.
[[nodiscard]] std::span<const MachineParameter> reported_parameters();

/// For people: "cores", "L2 cache", "memory latency".
[[nodiscard]] std::string title(MachineParameter parameter);

/// The unit in which reasons show it: KiB where the parameter counts bytes.
[[nodiscard]] std::string reported_unit(MachineParameter parameter);
[[nodiscard]] double reported_value(MachineParameter parameter, double value);

/// "8", "0.1235", "1.5e+16".
[[nodiscard]] std::string short_number(double value);

/// A pattern by its place in the list that cases are about.
using PatternsByPlace = std::function<Result<std::shared_ptr<const CsrPattern>>(std::size_t place)>;

/// The times of two schedules by the mechanistic simulator. Used by one thread at a time. Caches the counts
/// of the explained pattern and of one more.
class SimulatedPairs {
public:
    /// `dense` is ignored for SpMV.
    SimulatedPairs(PatternsByPlace patterns, std::int64_t dense)
        : patterns_(std::move(patterns))
        , dense_(dense) {}

    /// The times on the case's pattern and machine. A schedule whose storage would exceed the default
    /// PackingLimits has no time.
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

/// The pattern without every `every`-th of its entries in a part, counted from the first one; 1: without any
/// of them. Values are dropped.
[[nodiscard]] CsrPattern without_entries(const CsrPattern& pattern, const Viewport& part,
                                         std::int64_t every = 1);

struct OcclusionRequest {
    const CsrPattern& pattern;
    std::int64_t cells = 16; ///< in each direction
    int threads = 1;
    /// Score of `against` less that of the schedule on a pattern.
    std::function<Result<double>(const CsrPattern&)> margin;
    std::function<bool()>
        is_over{}; ///< says that time is up: cells that were not looked at stay without support
    std::stop_token stop{};
    ProgressSink progress{};
};

/// The fullest cells are looked at first. Errors: a pattern without entries (Fault::Input); those of the
/// margin; Fault::Cancelled.
[[nodiscard]] Result<SaliencyReason> find_saliency(const OcclusionRequest& request);

} // namespace sparsight
