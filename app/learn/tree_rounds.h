// How boosted trees became better round by round, told and kept as a network's epochs are.
#pragma once

#include "command/job_events.h"
#include "learn/training_data.h"
#include "learn/training_journal.h"
#include "learning/tree_training.h"

#include <vector>

namespace sparsight {

/// An "epoch" after each tenth of the rounds: its number is that of the rounds, and so is its step. `seconds`
/// is what all of them took.
void tell_rounds(const TrainingData& data, const std::vector<TreesRound>& rounds, double seconds,
                 TrainingJournal& journal, const JobEvents& events);

} // namespace sparsight
