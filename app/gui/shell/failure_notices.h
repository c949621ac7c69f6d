// Which failures the window tells of, whatever page is shown, and when they are over: a message whose cause
// is gone would be read as if it were not.
#pragma once

#include "gui/page/services.h"

namespace sparsight {

class Notices;
class Page;
class WorkspaceSession;

/// Of workspaces that can't be opened, until one is; of jobs, until they are started again or removed. What
/// is told of one workspace is over with it.
void tell_of_failures(const Services& services, Notices& notices);

/// Whether another window has the same workspace open, and that it has no more.
void tell_of_other_windows(const WorkspaceSession& session, Notices& notices);

/// What a page tells. Its problems stay until they are closed, the workspace is, or the same action of the
/// same page goes well: that something else did, or was started by whomever, says nothing of what did not.
void tell_of_page(Page& page, Notices& notices);

} // namespace sparsight
