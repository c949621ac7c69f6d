// Times of the hybrids between two configurations, requested in the order in which a blame needs them. Also
// decides which times to measure again, and explains why a hybrid can't be built.
#pragma once

#include "evaluation/diagnosis/blame.h"
#include "study/clock.h"
#include "study/configuration_space.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace sparsight {

/// The decisions that, taken alone from the other configuration, give the hybrid a time.
[[nodiscard]] Result<std::vector<Decision>> build_remedies(const HybridSpace& space, DecisionSet hybrid,
                                                           Clock& clock);

/// "the schedule '…' has no time that could be shared out: …; it would have one with format of k1
/// compressed".
[[nodiscard]] Result<std::string> unbuildable_text(const HybridSpace& space, DecisionSet hybrid,
                                                   const std::string& reason, Clock& clock);

/// A weighted sum of times, and its error from each of them.
struct ErrorBar {
    double milliseconds = 0;
    std::vector<double> weights; ///< of each time

    /// How far the sum may lie nearer to 0, as its times vary independently within their spreads: positive
    /// terms may be shorter (evaluation/diagnosis/paired_measurement.h), negative ones longer.
    [[nodiscard]] double error(std::span<const double> times, std::span<const double> spreads) const;
};

/// Whether the sum is known precisely enough compared with `difference_ms`: within a twentieth of it or,
/// where the sum exceeds its error, within a fifth of the sum itself.
[[nodiscard]] bool is_settled(const ErrorBar& bar, double error_ms, double difference_ms);

/// The times to measure once more so that the error bars shrink: all that contribute at least a third of what
/// the worst time of an unsettled bar contributes. Each is measured again before any is measured twice, so
/// that a slow moment of the computer affects all alike. Empty where all bars are settled.
[[nodiscard]] std::vector<std::size_t> times_to_repeat(std::span<const ErrorBar> bars,
                                                       std::span<const double> times,
                                                       std::span<const double> spreads, double difference_ms);

/// The times of all hybrids by their places in sets(). Where all are too many to list, only the hybrids of
/// drawn orders are there. Hybrids that are one program form a group with one time.
class HybridTimes {
public:
    /// Keeps references to all arguments.
    HybridTimes(const HybridSpace& space, Clock& clock, const BlameOptions& options);

    /// Times the two configurations themselves. Errors: one of them has no time; those of the clock;
    /// Fault::Cancelled.
    [[nodiscard]] Result<void> time_ends();
    /// Times the hybrids in the order of the draws, so that complete draws exist when the budget is used up,
    /// then the rest.
    [[nodiscard]] Result<void> time_hybrids();
    /// Measures a group once more, if that is possible.
    [[nodiscard]] Result<void> repeat(std::size_t group);

    [[nodiscard]] const CoalitionList& sets() const { return sets_; }
    [[nodiscard]] std::size_t last_place() const {
        return sets_.size() - 1;
    } ///< the place of the other configuration
    [[nodiscard]] const std::vector<std::optional<ClockTime>>& by_place() const { return times_; }
    [[nodiscard]] const ClockTime& from() const { return *times_.front(); }
    [[nodiscard]] const ClockTime& to() const { return *times_.back(); }
    [[nodiscard]] bool is_complete() const; ///< every hybrid was timed
    [[nodiscard]] std::vector<bool> has_time() const;
    /// The draws whose hybrids were all timed.
    [[nodiscard]] std::vector<EntryOrder> complete_draws() const;

    /// The values by place, with 0 where there is no time.
    template <typename Value>
    [[nodiscard]] std::vector<double> values(Value value) const {
        std::vector<double> result;
        result.reserve(times_.size());
        for (const auto& time : times_)
            result.push_back(time && time->milliseconds ? value(*time) : 0);
        return result;
    }
    [[nodiscard]] std::vector<double> milliseconds() const;

    [[nodiscard]] std::size_t groups() const { return programs_.size(); }
    [[nodiscard]] std::size_t group(std::size_t place) const { return groups_[place]; }
    [[nodiscard]] bool are_ends_one_program() const { return groups_.front() == groups_.back(); }
    [[nodiscard]] std::vector<double> milliseconds_of_groups() const;
    [[nodiscard]] std::vector<double> spreads_of_groups() const;
    [[nodiscard]] bool can_be_repeated(std::size_t group) const { return can_repeat_[group]; }

    [[nodiscard]] Milliseconds spent() const { return options_.clock() - start_; }
    /// Whether this share of the budget is used up; never without a budget.
    [[nodiscard]] bool is_over(double share_of_budget) const {
        return options_.budget && spent() >= *options_.budget * share_of_budget;
    }
    [[nodiscard]] HybridCounts counts() const;

private:
    [[nodiscard]] Result<void> ask(std::size_t place);
    [[nodiscard]] std::size_t place_of(DecisionSet taken) const { return *sets_.place(taken); }
    [[nodiscard]] std::vector<std::size_t> places_of_first_draw() const;
    [[nodiscard]] std::vector<double> of_groups(const std::vector<double>& of_hybrids) const;

    const HybridSpace& space_;
    Clock& clock_;
    const BlameOptions& options_;
    Milliseconds start_;
    std::vector<EntryOrder> orders_;
    CoalitionList sets_;
    std::vector<Hybrid> hybrids_; ///< by place, as `times_` and `groups_`
    std::vector<std::optional<ClockTime>> times_;
    std::vector<std::size_t> groups_;
    std::unordered_map<std::string, std::size_t> programs_; ///< groups by program
    std::vector<bool> can_repeat_;                          ///< by group
    std::size_t repeated_ = 0;
    std::uint64_t done_ = 0;
    std::uint64_t total_ = 2;
};

} // namespace sparsight
