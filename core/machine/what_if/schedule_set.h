// The schedules whose ranking is worth watching: known ones, and of many drawn ones those that would be the
// best on some machine.
#pragma once

#include "machine/mechanistic/schedule_profile.h"
#include "schedule/validity.h"

#include <cstdint>
#include <vector>

namespace sparsight {

/// As many as a schedule may ask for: it takes all that a machine has, however many the sliders give it.
inline constexpr int all_threads = maximum_threads;

struct ScheduleSet {
    std::vector<SuperSchedule> schedules; ///< canonical, each meaning once, with all_threads
    std::vector<ScheduleProfile> profiles;
};

struct ScheduleSetRequest {
    Operator op = Operator::SpMM;
    std::int64_t dense = 256;           ///< ignored for SpMV
    std::vector<SuperSchedule> known{}; ///< taken whatever they are, after fixed CSR, which comes first
    /// In all, as far as there are so many; 0: none but the known ones.
    std::size_t count = 20;
    std::uint64_t seed = 1; ///< of the drawn ones
};

/// The drawn ones are half near fixed CSR, half by WACO's generator. Those are kept that win on the presets
/// and on machines of the sampled family, then those that come second, and so on.
[[nodiscard]] Result<ScheduleSet> schedule_set(const ProfiledPattern& pattern,
                                               const ScheduleSetRequest& request,
                                               const ProfilingOptions& options = {});

} // namespace sparsight
