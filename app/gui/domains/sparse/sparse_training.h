// What is trained on matrices alone: WACO's network, the presets of the paper, and simulated machines.
#pragma once

#include "gui/train/training_fields.h"

namespace sparsight {

[[nodiscard]] TrainingOffer sparse_training(const DomainWords& words);

} // namespace sparsight
