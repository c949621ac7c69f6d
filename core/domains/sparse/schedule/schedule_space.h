// SuperSchedules as configurations: what search and cost models choose among for a sparse matrix.
#pragma once

#include "base/error.h"
#include "domains/sparse/schedule/schedule_decision.h"
#include "domains/sparse/schedule/super_schedule.h"
#include "study/configuration.h"
#include "study/configuration_space.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

struct HybridSchedule {
    SuperSchedule schedule; ///< valid and canonical, with the threads of the first schedule
    /// A loop that came with a split could not stand where its own schedule has it: it was moved inwards.
    bool is_repaired = false;
};

/// All 2^n hybrids of two schedules.
///
/// What the two share in loops is ordered by the order decisions (SharedOrder). An inner loop that only one
/// of them has comes with its split and stands directly inside the loop that it follows in its own schedule,
/// or, where that one is not there, inside the one before. Where the order decisions come from the other
/// schedule this may lie outside its own outer loop: it then stands directly inside that one, the nearest
/// place where it may. So no set of decisions lacks a hybrid; whether its storage can be built depends on the
/// matrix.
class ScheduleHybrids final : public HybridSpace {
public:
    /// Errors (Fault::Input): an invalid schedule, or schedules of different operators.
    [[nodiscard]] static Result<std::shared_ptr<const ScheduleHybrids>> make(const SuperSchedule& from,
                                                                             const SuperSchedule& to);

    [[nodiscard]] const SuperSchedule& from_schedule() const { return from_; } ///< canonical
    /// Canonical, with the threads of from_schedule().
    [[nodiscard]] const SuperSchedule& to_schedule() const { return to_; }
    /// decisions(), in the same places.
    [[nodiscard]] const std::vector<ScheduleDecision>& schedule_decisions() const { return decisions_; }
    [[nodiscard]] HybridSchedule schedule_at(DecisionSet taken) const;

    [[nodiscard]] Hybrid at(DecisionSet taken) const override;
    [[nodiscard]] std::string value(std::size_t decision, const Configuration& configuration) const override;
    [[nodiscard]] std::string_view noun() const override { return "schedule"; }
    /// With the threads of from_schedule().
    [[nodiscard]] std::string text(const Configuration& configuration) const override;

private:
    ScheduleHybrids(const SuperSchedule& from, const SuperSchedule& to,
                    std::vector<ScheduleDecision> decisions);
    [[nodiscard]] const SuperSchedule& source_of(const ScheduleDecision& decision, DecisionSet taken) const;

    SuperSchedule from_;
    SuperSchedule to_;
    std::vector<ScheduleDecision> decisions_;
};

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
