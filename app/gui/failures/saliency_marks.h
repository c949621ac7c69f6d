// Which parts of the pattern moved the choice of a model, as marks on the sparsity plot.
#pragma once

#include "evaluation/model_reasons/saliency.h"
#include "widgets/plot/plot_scene.h"

#include <vector>

namespace sparsight {

/// The cells that move it most: in the colour of losing where their entries speak for the chosen schedule, in
/// that of winning where they speak for the other one.
[[nodiscard]] std::vector<PlotOverlayRect> saliency_marks(const SaliencyReason& reason);

} // namespace sparsight
