// Whether processes that train together have anything to train: the first of them finds that out, and none
// goes on where another can't.
#pragma once

#include "learning/process_group.h"

#include <stop_token>

namespace sparsight {

enum class CommonStart {
    Train,
    NothingToDo, ///< the first says so
};

/// All call it once, before train(), also those that failed or were asked to stop before: what is `mine`, and
/// what all do then. Errors: `mine`; another process failed (Fault::Environment) or was stopped
/// (Fault::Cancelled).
[[nodiscard]] Result<CommonStart> agree_on_start(ProcessGroup& group, Result<CommonStart> mine,
                                                 const std::stop_token& stop);

} // namespace sparsight
