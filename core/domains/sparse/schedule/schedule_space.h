// SuperSchedules as configurations: what search and cost models choose among for a sparse matrix.
#pragma once

#include "domains/sparse/schedule/super_schedule.h"
#include "study/configuration.h"
#include "study/configuration_space.h"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace sparsight {

/// Of a valid schedule, however it is written: its canonical form without threads, each member in its place
/// and big-endian, so that configurations compare as canonical schedules with the same number of threads do.
[[nodiscard]] Configuration configuration_of(const SuperSchedule& schedule);
[[nodiscard]] std::vector<Configuration> configurations_of(std::span<const SuperSchedule> schedules);

/// Of what configuration_of() returned: canonical, with these threads.
[[nodiscard]] SuperSchedule schedule_of(const Configuration& configuration, int threads);
[[nodiscard]] std::vector<SuperSchedule> schedules_of(std::span<const Configuration> configurations,
                                                      int threads);

/// The schedules of one operator. Those that are drawn are of SearchSpace (search_space.h); a valid schedule
/// with other splits or chunks has its place here, too.
class ScheduleSpace final : public ConfigurationSpace {
public:
    ScheduleSpace(Operator op, const Extents& extents)
        : op_(op)
        , extents_(extents) {}

    [[nodiscard]] Result<void> check(const Configuration& configuration) const override;
    /// Fixed CSR.
    [[nodiscard]] std::optional<Configuration> baseline() const override;
    /// sample_uniform()
    [[nodiscard]] std::vector<Configuration> sample(std::size_t count, Random& random) const override;
    /// sample_waco()
    [[nodiscard]] std::vector<Configuration> customary_sample(std::size_t count,
                                                              Random& random) const override;
    /// designed_schedules()
    [[nodiscard]] std::vector<Configuration> designs() const override;
    /// One of neighbours(), which are never none.
    [[nodiscard]] std::optional<Configuration> neighbour(const Configuration& configuration,
                                                         Random& random) const override;
    /// sparsight::neighbours()
    [[nodiscard]] std::vector<Configuration> neighbours(const Configuration& configuration) const override;
    [[nodiscard]] std::optional<Configuration> mixture(const Configuration& one, const Configuration& other,
                                                       Random& random) const override;
    /// decision_distance()
    [[nodiscard]] std::vector<double> distances(std::span<const Configuration> configurations) const override;
    /// differing_decisions()
    [[nodiscard]] std::vector<DecisionChange> changes(const Configuration& before,
                                                      const Configuration& after) const override;
    /// ScheduleHybrids; its texts say one thread.
    [[nodiscard]] Result<std::shared_ptr<const HybridSpace>> between(const Configuration& from,
                                                                     const Configuration& to) const override;

private:
    Operator op_;
    Extents extents_;
};

} // namespace sparsight
