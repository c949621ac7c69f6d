// Which schedules a collection measures on a matrix: sampled, listed, or found by a search whose objective
// is the measured time.
#pragma once

#include "base/random.h"
#include "domains/sparse/schedule/super_schedule.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
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

/// Found by a search over measured times, until `count` schedules are measured on each matrix, those stored
/// before included. The seed, the matrix's name and the times decide.
struct SearchedSchedules {
    int count = 1000;
    std::uint64_t seed = 1;
};

/// A list for each matrix, by its name: what a model chose. For other matrices fixed CSR alone.
struct SchedulesByMatrix {
    std::map<std::string, std::vector<SuperSchedule>, std::less<>> schedules;
};

using ScheduleChoice = std::variant<SampledSchedules, ListedSchedules, SearchedSchedules, SchedulesByMatrix>;

/// The random numbers for a matrix; they do not depend on what else is collected.
[[nodiscard]] Random random_of_matrix(std::uint64_t seed, std::string_view matrix);

/// Fixed CSR first, then the chosen schedules without it, without duplicates, all with `threads` threads.
/// For a search, fixed CSR alone.
[[nodiscard]] std::vector<SuperSchedule> schedules_for(const ScheduleChoice& choice, Operator op,
                                                       std::string_view matrix, const Extents& extents,
                                                       int threads);

/// A search for fast schedules by their measured times: what to measure next on a matrix, given what was
/// measured there before. It finds the best known schedules, against which models are compared, and pools of
/// candidates that are better than random ones.
///
/// An evolution strategy, one child at a time (a steady state: Whitley, "The GENITOR algorithm and selection
/// pressure", ICGA 1989), since measurements are made one by one: mostly a neighbour of one of the fastest
/// so far, at times a mixture of two of them or a random schedule. It begins around fixed CSR.
///
/// The next schedule is a function of the arguments and of the known times, in their order, so a stopped
/// search resumes as it would have continued.
class MeasuredSearch {
public:
    MeasuredSearch(Operator op, const Extents& extents, int threads, Random random);

    /// Records a schedule that was measured, by this search or before it; without a time, it failed or was
    /// abandoned.
    void know(const SuperSchedule& schedule, std::optional<double> median_ms);
    [[nodiscard]] std::size_t known_count() const { return known_.size(); }

    /// A schedule that is not known yet: valid, canonical, with the threads of the search; fixed CSR first.
    /// Absent when no new one was found.
    [[nodiscard]] std::optional<SuperSchedule> next() const;

private:
    struct Parent {
        SuperSchedule schedule;
        double median_ms;
    };

    [[nodiscard]] SuperSchedule child(Random& random) const;
    [[nodiscard]] SuperSchedule stranger(Random& random) const;
    [[nodiscard]] const SuperSchedule& parent(Random& random) const;

    Operator op_;
    Extents extents_;
    int threads_;
    Random random_;
    std::unordered_set<SuperSchedule> known_; ///< canonical
    std::vector<Parent> parents_;             ///< the fastest, in their order
};

} // namespace sparsight
