// Which schedules a collection measures on a matrix.
#pragma once

#include "base/random.h"
#include "schedule/super_schedule.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
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

/// As a search by measured times finds them (measured_search.h): until so many are measured on each matrix,
/// those stored before included. The seed and the matrix's name decide, and the times.
struct SearchedSchedules {
    int count = 1000;
    std::uint64_t seed = 1;
};

/// A list of its own for each matrix, by name: what a model chose. Nothing but fixed CSR for the others.
struct SchedulesByMatrix {
    std::map<std::string, std::vector<SuperSchedule>, std::less<>> schedules;
};

using ScheduleChoice = std::variant<SampledSchedules, ListedSchedules, SearchedSchedules, SchedulesByMatrix>;

/// The random numbers that belong to a matrix, whatever else is collected beside it.
[[nodiscard]] Random random_of_matrix(std::uint64_t seed, std::string_view matrix);

/// Fixed CSR first, then the chosen ones without it; each meaning once; all with `threads` threads. Of a
/// search it is fixed CSR alone.
[[nodiscard]] std::vector<SuperSchedule> schedules_for(const ScheduleChoice& choice, Operator op,
                                                       std::string_view matrix, const Extents& extents,
                                                       int threads);

} // namespace sparsight
