// What sparse kernels add to the window beside its general pages.
#pragma once

#include "base/error.h"

#include <functional>
#include <memory>

namespace sparsight {

class Application;
class LoopAnalyst;
struct DemoWorkspace;
struct DomainWords;
struct TrainingOffer;

/// Adds the pages, cards, jobs and settings of the sparse domain. The application lives as long as they do.
/// `make_analyst` is another domain's; without it no hot loops are shown.
void add_sparse_views(Application& application,
                      const std::function<Result<std::unique_ptr<LoopAnalyst>>()>& make_analyst = {});

/// What is trained on matrices alone: WACO's network, the presets of the paper, and simulated machines.
[[nodiscard]] TrainingOffer sparse_training();
/// The demo workspace of matrices, and the data that its lessons add: matrices to learn from, with simulated
/// times on three machines.
[[nodiscard]] DemoWorkspace sparse_demo();

} // namespace sparsight
