// Which schedules are taken for a matrix: drawn by a sampler, or those of a list.
#pragma once

#include "base/random.h"
#include "domains/sparse/schedule/super_schedule.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

namespace sparsight {

enum class Sampler : std::uint8_t {
    Waco,    ///< as WACO's generator
    Uniform, ///< uniformly over the search space
};
/// "waco", "uniform".
[[nodiscard]] std::string_view name(Sampler sampler);
[[nodiscard]] std::optional<Sampler> parse_sampler(std::string_view text);

/// Distinct in meaning; fewer than `count` where there are no more.
[[nodiscard]] std::vector<SuperSchedule> draw_schedules(Sampler sampler, Operator op, const Extents& extents,
                                                        int count, int threads, Random& random);

/// Drawn for each matrix from its own extents. The seed and the matrix's name decide, so that a matrix gets
/// the same schedules whatever else is collected beside it.
struct SampledSchedules {
    Sampler sampler = Sampler::Waco;
    int count = 100;
    std::uint64_t seed = 1;
};

/// The same list for every matrix, for instance from a file (read_schedules() of schedule/text.h).
struct ListedSchedules {
    std::vector<SuperSchedule> schedules;
};

using ScheduleChoice = std::variant<SampledSchedules, ListedSchedules>;

/// Fixed CSR first, then the chosen schedules without it, without duplicates, all with `threads` threads.
[[nodiscard]] std::vector<SuperSchedule> schedules_for(const ScheduleChoice& choice, Operator op,
                                                       std::string_view matrix, const Extents& extents,
                                                       int threads);

} // namespace sparsight
