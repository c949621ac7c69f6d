// What the window shows of basic blocks beside its general pages.
#pragma once

namespace sparsight {

class Application;

/// Adds the page of a single block and the import of tables. The application lives as long as they do.
void add_block_views(Application& application);

} // namespace sparsight
