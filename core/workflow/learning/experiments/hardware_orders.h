// The part of the experiment on transfer between machines that asks for the order of all configurations
// rather than for the best one, as estimates of latency do.
#pragma once

#include "workflow/learning/experiments/experiment_record.h"
#include "workflow/learning/experiments/hardware_study.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

namespace sparsight {

class HardwareOrders {
public:
    /// A run of its own in the workspace. Nothing is to be done where the request asks for no orders.
    [[nodiscard]] static Result<HardwareOrders> claim(Workspace& workspace, const HardwareRequest& request,
                                                      const HardwareStudy& study,
                                                      const HardwareOutcome& outcome);

    [[nodiscard]] bool is_finished() const { return !record_ || record_->is_finished(); }
    [[nodiscard]] std::uint64_t all() const { return cells_.size(); }
    [[nodiscard]] std::uint64_t done() const;
    /// `before` is how much of other work was done.
    [[nodiscard]] Result<void> run(const HardwareOutcome& outcome, Observer& observer,
                                   const std::stop_token& stop, std::uint64_t before);
    [[nodiscard]] Result<RunEnd> finish(const Result<void>& done) { return record_->finish(done); }
    /// Adds what is known to the outcome.
    void read(HardwareOutcome& outcome) const;

private:
    HardwareOrders(const HardwareRequest& request, const HardwareStudy& study);
    [[nodiscard]] std::optional<LearnedOrder> known(const OrderCell& cell) const;

    const HardwareRequest& request_;
    const HardwareStudy& study_;
    std::optional<ExperimentRecord> record_;
    std::vector<OrderCell> cells_;
};

} // namespace sparsight
