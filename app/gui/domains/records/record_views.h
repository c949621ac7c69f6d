// What the window shows of tuning records beside its general pages.
#pragma once

namespace sparsight {

class Application;

/// Adds the import of tables. The application lives as long as it does.
void add_record_views(Application& application);

} // namespace sparsight
