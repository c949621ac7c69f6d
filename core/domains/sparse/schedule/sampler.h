// Schedules to measure: those of a list, or drawn at random. Everything here is a function of its arguments
// and the random numbers: the same seed gives the same schedules on every machine. The returned schedules are
// distinct in meaning; fewer than `count` are returned only when there are no more.
#pragma once

#include "base/random.h"
#include "domains/sparse/schedule/super_schedule.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

namespace sparsight {

/// What the free part of WACO's generator draws the splits of A's indices from. (Its template part always has
/// 1, 2, 4 … 32.)
enum class FreeSplits {
    /// As in the generator scripts that WACO published: 1, 2, 4 … 32 for SpMM, whatever the matrix; for SpMV
    /// and SDDMM the same as UpToDimension.
    AsPublished,
    /// As in the runtimes that WACO published: powers of two below the largest one in the dimension (4096
    /// rows
    /// and 8191 rows: 1 … 2048), for every operator.
    UpToDimension,
};

/// WACO's generator (its training data for a matrix are 100 schedules): two parts, each drawn uniformly
/// decision by decision, in this order:
///   SpMM   32 % template (order i1 k1 j1 i0 k0 j0; i0 and k0 uncompressed, k1 compressed), 68 % free
///   SDDMM  32 % free, 68 % template (i1 and j1, k1, then i0 and j0, k0; i0 and j0 uncompressed)
///   SpMV   free only, as operators are that WACO does not have
/// Free orders have each outer before its inner loop, for SpMM i1 before j1, and the dense index's inner loop
/// last, directly inside its outer one when its split is below 8. Chunks are 1 … 256, for SDDMM 1 … 32.
/// Parallel is i1, for SDDMM the first of i1 and j1; SDDMM never has all its levels uncompressed. `threads`
/// stands for WACO's 48. Schedules come back as the generator writes them, not canonical; unlike the
/// generator, which only compares texts, this one counts two that mean the same as one. When a part runs out,
/// the other one fills up.
[[nodiscard]] std::vector<SuperSchedule> sample_waco(Operator op, const Extents& extents, int count,
                                                     int threads, Random& random,
                                                     FreeSplits free_splits = FreeSplits::AsPublished);

/// Uniform over the distinct schedules of SearchSpace; canonical, in random order.
[[nodiscard]] std::vector<SuperSchedule> sample_uniform(Operator op, const Extents& extents, int count,
                                                        int threads, Random& random);

/// The schedules nearest to a valid one (which is left out), counted in steps of neighbours(): all that are
/// one step away in random order, then those two steps away, and so on. Canonical.
[[nodiscard]] std::vector<SuperSchedule> sample_near(const SuperSchedule& start, const Extents& extents,
                                                     int count, Random& random);

/// The `steps` schedules that a random walk from a valid one visits, each a uniformly drawn neighbour of the
/// one before it; the only sampler that may return a schedule twice. Canonical.
[[nodiscard]] std::vector<SuperSchedule> random_walk(const SuperSchedule& start, const Extents& extents,
                                                     int steps, Random& random);

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
