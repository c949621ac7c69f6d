// The part of the experiment on transfer between machines that follows whole tunings: what they have found
// after each measurement, and what the measurements took, of workloads and of networks.
#pragma once

#include "workflow/learning/experiments/experiment_record.h"
#include "workflow/learning/experiments/hardware_study.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace sparsight {

class HardwareTuning {
public:
    /// A run of its own in the workspace. Nothing is to be done where the request tunes nothing.
    [[nodiscard]] static Result<HardwareTuning> claim(Workspace& workspace, const HardwareRequest& request,
                                                      const HardwareStudy& study,
                                                      const HardwareOutcome& outcome);

    [[nodiscard]] bool is_finished() const { return !record_ || record_->is_finished(); }
    [[nodiscard]] std::uint64_t all() const { return cells_.size() + networks_.size(); }
    [[nodiscard]] std::uint64_t done() const;
    /// `before` is how much of other work was done, `behind` how much follows.
    [[nodiscard]] Result<void> run(const HardwareOutcome& outcome, Observer& observer,
                                   const std::stop_token& stop, std::uint64_t before, std::uint64_t behind);
    [[nodiscard]] Result<RunEnd> finish(const Result<void>& done) { return record_->finish(done); }
    /// Adds what is known to the outcome.
    void read(HardwareOutcome& outcome) const;

private:
    struct NetworkCell {
        std::size_t network = 0;
        int seed = 1;
    };

    HardwareTuning(const HardwareRequest& request, const HardwareStudy& study);
    [[nodiscard]] bool is_known(const TuningCell& cell) const;
    [[nodiscard]] bool is_known(const NetworkCell& cell) const;
    [[nodiscard]] Result<void> tune(const TuningCell& cell, const HardwareOutcome& outcome,
                                    Observer& observer, const std::stop_token& stop);
    [[nodiscard]] Result<void> tune(const NetworkCell& cell, Observer& observer, const std::stop_token& stop);
    [[nodiscard]] std::vector<TuningStep> steps_at(const std::string& series) const;
    [[nodiscard]] std::vector<NetworkTaskTuning> tunings_of(const NetworkCell& cell) const;

    const HardwareRequest& request_;
    const HardwareStudy& study_;
    std::optional<ExperimentRecord> record_;
    std::vector<TuningCell> cells_;
    std::vector<NetworkCell> networks_;
};

} // namespace sparsight
