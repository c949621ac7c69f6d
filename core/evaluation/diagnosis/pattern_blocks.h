// Patterns whose blocks are emptier, fuller, or hold the same entries in fewer of them.
#pragma once

#include "base/error.h"
#include "evaluation/diagnosis/pattern_edit.h"

#include <stop_token>

namespace sparsight {

/// `strength` is of all entries, those in the blocks with the fewest: they are removed, whole blocks of them.
[[nodiscard]] CsrPattern with_emptier_blocks(const CsrPattern& pattern, double strength, BlockShape shape,
                                             const std::stop_token& stop);
/// `strength` is of the occupied blocks, those with the most entries: they are filled up. Errors: as
/// edited().
[[nodiscard]] Result<CsrPattern> with_fuller_blocks(const CsrPattern& pattern, double strength,
                                                    BlockShape shape, const std::stop_token& stop);
/// `strength` is of all entries, those in the blocks with the fewest: whole blocks of them move to the free
/// places of the blocks with the most. The number of entries stays.
[[nodiscard]] CsrPattern with_gathered_blocks(const CsrPattern& pattern, double strength, BlockShape shape,
                                              const std::stop_token& stop);

} // namespace sparsight
