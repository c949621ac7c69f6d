// Which failures the window tells of, whatever page is shown, and when they are over: a message whose cause
// is gone would be read as if it were not.
#pragma once

#include "gui/page/services.h"

namespace sparsight {

class Notices;
class Page;

/// Of workspaces that can't be opened, until one is; of jobs, until they are started again or removed. What
/// is told of one workspace is over with it.
void tell_of_failures(const Services& services, Notices& notices);

/// What a page tells. Its problems are over when it has something better to tell, or when a job is started.
void tell_of_page(Page& page, const Services& services, Notices& notices);

} // namespace sparsight
