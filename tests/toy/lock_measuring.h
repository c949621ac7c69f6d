// Opening combination locks on this computer: a clock that needs none.
#pragma once

#include "collection/measuring_domain.h"

#include <memory>

namespace sparsight::toy {

/// A combination takes 1 ms, and another one for each step that a digit lies off the secret. A lock whose
/// digits are not known can't be tried. "4444" jams every lock.
[[nodiscard]] std::unique_ptr<const MeasuringDomain> make_lock_measuring();

} // namespace sparsight::toy
