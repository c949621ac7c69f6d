// The times of the configurations of one workload on several machines, side by side: what transfer from
// machine to machine works on, whatever the domain.
#pragma once

#include "learning/tasks/task.h"
#include "study/configuration_space.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace sparsight {

struct TimedColumn {
    std::string task;    ///< Task::machine, unique in its space
    std::string machine; ///< Task::machine_name(): two installations of one machine share it
    /// Of each configuration: infinite where it failed, not a number where it was never tried.
    std::vector<double> milliseconds;

    [[nodiscard]] double best() const;    ///< infinite where nothing ran
    [[nodiscard]] double slowest() const; ///< of what ran; 0 where nothing did
    [[nodiscard]] double median() const;  ///< of what ran; 0 where nothing did
    [[nodiscard]] bool was_tried(std::size_t configuration) const;
    /// How much slower than the best: 0.03 for 3 %. A failure counts as the slowest that ran.
    [[nodiscard]] double regret(std::size_t configuration) const;
    /// The logarithm of each time over the best. A failure is twice as slow as the slowest that ran; not a
    /// number stays so.
    [[nodiscard]] std::vector<double> relative_logs() const;
};

struct TimedSpace {
    std::string setting{};
    std::string workload{};
    std::vector<Configuration> configurations{}; ///< ascending
    std::vector<TimedColumn> columns{};
    /// The times of kindred workloads by these configurations: see add_kin().
    std::vector<TimedColumn> kin{};
    std::vector<std::string> decisions{};              ///< their names, ascending
    std::vector<std::vector<std::string>> values{};    ///< of each decision, sorted
    std::vector<std::vector<std::uint16_t>> choices{}; ///< [configuration][decision]; values.size(): none

    /// A response surface of the decisions: of each whose values are numbers or equally many factors
    /// (decision_factors()) each number (its logarithm where all are above 0), its square and its products
    /// with the others, of any other one 1 for the value that is chosen. Columns are standardised, and scaled
    /// so that a row has about the length 1. [configurations, width]
    struct Surface {
        std::size_t width = 0;
        std::vector<float> numbers;
    };
    [[nodiscard]] Surface response_surface() const;
    /// For times that depend on what is chosen rather than how much of it: 1 for the value of each decision,
    /// and how many decisions choose each value that several of them have. Both kinds of columns weigh alike.
    [[nodiscard]] Surface value_surface() const;
    /// For trees: the number that each decision chooses, or the place of its value. [configurations,
    /// decisions]
    [[nodiscard]] std::vector<float> decision_numbers() const;
};

/// A target where best and median differ by less has nothing to choose.
inline constexpr double flat_below = 0.02;
[[nodiscard]] bool is_flat(const TimedColumn& column);

/// What this workload took on all machines.
[[nodiscard]] TimedSpace timed_space(const TaskSet& set, const ConfigurationCodec& codec,
                                     std::size_t workload);
/// One for each workload of the set that at least `fewest` different machines have times of.
[[nodiscard]] std::vector<TimedSpace> timed_spaces(const TaskSet& set, const ConfigurationCodec& codec,
                                                   std::size_t fewest);

/// Gives each space the columns of those other spaces that have all of its decisions, such as the same kernel
/// on an input of another size: a configuration has the shortest time of those that agree with it in these.
/// Columns that know less than a third of the configurations are left out.
void add_kin(std::vector<TimedSpace>& spaces);

/// The columns of other machines than this one: also those of the same machine under another condition are
/// left out, since nothing of it is known.
[[nodiscard]] std::vector<std::size_t> sources_of(const TimedSpace& space, std::size_t target);

} // namespace sparsight
