// What sparse kernels add to the window beside its general pages.
#pragma once

namespace sparsight {

class Application;
class MainWindow;
struct DemoWorkspace;
struct DomainWords;
struct Services;
struct TrainingOffer;

/// Adds the pages, cards, jobs and settings of the sparse domain. The application lives as long as they do.
void add_sparse_views(Application& application);

/// What is trained on matrices alone: WACO's network, the presets of the paper, and simulated machines.
[[nodiscard]] TrainingOffer sparse_training(const DomainWords& words);
/// The demo workspace of matrices, with the tour from a matrix to its best schedule and the demos of What if.
[[nodiscard]] DemoWorkspace sparse_demo(const Services& services, MainWindow& window);

} // namespace sparsight
