// The plans of all windows of this user: each window works on its own copy, and none loses what another one
// has kept.
#pragma once

#include "gui/failures/tuning_state.h"

namespace sparsight {

class UserSettings;

/// Plans are the same by workspace, model, machine, operator and dense extent. What changed here since `read`
/// wins, and what was not changed here is as it is in `theirs`; those that `theirs` has stand first.
[[nodiscard]] std::vector<TuningState> merged_states(const std::vector<TuningState>& read,
                                                     const std::vector<TuningState>& mine,
                                                     const std::vector<TuningState>& theirs);

/// Without those that nobody would miss, and without the oldest beyond `most`: one that a job works for
/// stays.
void forget_old_states(std::vector<TuningState>& states, std::size_t most);

class TuningStates {
public:
    explicit TuningStates(UserSettings& settings);

    /// The newest last. References hold until the next refresh() or keep().
    [[nodiscard]] std::vector<TuningState>& all() { return states_; }
    [[nodiscard]] const std::vector<TuningState>& all() const { return states_; }
    /// With what other windows have kept meanwhile.
    void refresh();
    /// So that other windows, and the next start, find it.
    void keep();

private:
    UserSettings& settings_;
    std::vector<TuningState> states_;
    std::vector<TuningState> read_; ///< as they were stored when they were read or kept last
};

} // namespace sparsight
