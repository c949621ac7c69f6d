// What the window shows of sparse matrices beside its general pages.
#pragma once

namespace sparsight {

class Application;

/// Adds the pages and cards of the sparse domain. The application lives as long as they do.
void add_sparse_views(Application& application);

} // namespace sparsight
