// Which schedules a collection measures on a matrix.
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

/// As a search by measured times finds them: until so many are measured on each matrix,
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

// A search in the space of schedules whose objective is the measured time: what to measure next on a matrix,
// by what was measured there so far. It finds the best known schedules that models are held against, and
// pools of candidates that are better than random ones.

/// An evolution strategy, one child at a time (a steady state: Whitley, "The GENITOR algorithm and selection
/// pressure", ICGA 1989), since a measurement can't be had in batches: mostly a neighbour of one of the
/// fastest so far, at times a mixture of two of them or a stranger. It begins around fixed CSR.
///
/// What comes next is a function of the arguments and of what is known, in its order, so that a search that
/// was stopped goes on as it would have gone on.
class MeasuredSearch {
public:
    MeasuredSearch(Operator op, const Extents& extents, int threads, Random random);

    /// A schedule that was measured, by this search or before it; no time: it failed or was given up.
    void know(const SuperSchedule& schedule, std::optional<double> median_ms);
    [[nodiscard]] std::size_t known_count() const { return known_.size(); }

    /// A schedule that is not known: valid, canonical, with the threads of the search; fixed CSR first.
    /// Absent when nothing new was to be found.
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
