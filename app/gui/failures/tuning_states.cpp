#include "gui/failures/tuning_states.h"

#include "gui/settings/settings.h"

#include <algorithm>

namespace sparsight {

namespace {

/// Older ones are forgotten.
constexpr std::size_t most_kept = 20;

bool is_same_plan(const TuningState& one, const TuningState& other) {
    return one.workspace == other.workspace && one.model == other.model && one.machine == other.machine &&
           one.op == other.op && one.dense == other.dense;
}

const TuningState* same_plan_in(const std::vector<TuningState>& states, const TuningState& plan) {
    const auto found =
        std::ranges::find_if(states, [&](const TuningState& each) { return is_same_plan(each, plan); });
    return found == states.end() ? nullptr : &*found;
}

} // namespace

std::vector<TuningState> merged_states(const std::vector<TuningState>& read,
                                       const std::vector<TuningState>& mine,
                                       const std::vector<TuningState>& theirs) {
    const auto is_as_read = [&](const TuningState& state) {
        const TuningState* const before = same_plan_in(read, state);
        return before != nullptr && *before == state;
    };
    std::vector<TuningState> merged;
    for (const TuningState& their : theirs) {
        if (const TuningState* const own = same_plan_in(mine, their))
            merged.push_back(is_as_read(*own) ? their : *own);
        else if (!is_as_read(their)) // otherwise it was removed here
            merged.push_back(their);
    }
    for (const TuningState& own : mine)
        if (same_plan_in(theirs, own) == nullptr && !is_as_read(own)) // otherwise they removed it
            merged.push_back(own);
    return merged;
}

void forget_old_states(std::vector<TuningState>& states, std::size_t most) {
    std::erase_if(states, [](const TuningState& state) { return state.is_empty(); });
    std::size_t too_many = states.size() > most ? states.size() - most : 0;
    std::erase_if(states, [&](const TuningState& state) {
        if (too_many == 0 || state.has_job())
            return false;
        --too_many;
        return true;
    });
}

TuningStates::TuningStates(UserSettings& settings)
    : settings_(settings) {
    refresh();
}

void TuningStates::refresh() {
    settings_.read_again();
    std::vector<TuningState> theirs = parse_tuning_states(settings_.tuning.get());
    states_ = merged_states(read_, states_, theirs);
    read_ = std::move(theirs);
}

void TuningStates::keep() {
    settings_.change_together([this] {
        refresh();
        forget_old_states(states_, most_kept);
        settings_.tuning.set(tuning_states_json(states_));
    });
    read_ = states_;
}

} // namespace sparsight
