// A domain that exists in the tests alone: combination locks. A workload is a lock with a secret of four
// digits, a configuration is a combination to try, and the nearer it is to the secret the faster it is.
// Whatever serves every domain serves this one: nothing outside this folder knows it.
#pragma once

#include "study/domain.h"

#include <memory>

namespace sparsight::toy {

/// A file has a line for each lock: its name and its four digits from 0 to 4, with blanks between them.
[[nodiscard]] std::unique_ptr<const Domain> make_lock_domain();

} // namespace sparsight::toy
