// Opening combination locks: on this computer, with a clock that needs none, and on machines that exist as a
// description alone.
#pragma once

#include "collection/measuring_domain.h"
#include "workflow/evaluation/simulating_domain.h"

#include <memory>

namespace sparsight::toy {

/// A combination takes 1 ms, and another one for each step that a digit lies off the secret. A lock whose
/// digits are not known can't be tried. "4444" jams every lock.
[[nodiscard]] std::unique_ptr<const MeasuringDomain> make_lock_measuring();

/// A simulated machine takes twice as long. On a lock without times there, "1111" is tried as well.
[[nodiscard]] std::unique_ptr<const SimulatingDomain> make_lock_simulating();

} // namespace sparsight::toy
