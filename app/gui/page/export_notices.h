// Whoever saves a picture or a table is told where it went, or why it did not.
#pragma once

namespace sparsight {

class Page;

/// Turns what the charts, tables, plots and pictures on the page say about their files into notices of the
/// page. Call it when all of them are there.
void tell_of_exports(Page& page);

} // namespace sparsight
