// What the window offers to train on basic blocks.
#pragma once

#include "gui/train/training_fields.h"

namespace sparsight {

[[nodiscard]] TrainingOffer blocks_training();

} // namespace sparsight
