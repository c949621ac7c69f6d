// Whether the loops over compressed levels run as often as the ones before them.
//
// A branch predictor that saw a short loop end after n iterations foresees that the next one does, too. Where
// it ends after another number the exit is guessed wrong, and what was begun beyond it is thrown away: 15 to
// 20 cycles (A. Fog, "The microarchitecture of Intel, AMD and VIA CPUs", on branch prediction in loops and
// misprediction penalties; Intel 64 and IA-32 Architectures Optimization Reference Manual, on branches).
// That is why a graph whose rows are all of different lengths is slower than a mesh of as many entries.
#pragma once

#include "kernel/storage_format.h"
#include "matrix/pattern.h"

#include <cstdint>
#include <vector>

namespace sparsight {

/// About so many entries tell the share within some hundredths.
inline constexpr std::int64_t entries_for_irregularity = 8192;

/// For each level the share of its loops, 0 to 1, that run another number of times than the one entered
/// before; a loop that is empty runs 0 times. 0 for uncompressed levels, and for the outermost one, whose
/// loop is entered once. Of a pattern with more than about `most_entries` a few stretches of the outermost
/// loop are looked at, and of the next one where a single iteration has too many; loops that are too long for
/// that count as regular. Takes time in proportion to what is looked at, and a look at each row or column id.
[[nodiscard]] std::vector<double> loop_irregularity(const StorageFormat& format, const CsrPattern& pattern,
                                                    std::int64_t most_entries = entries_for_irregularity);

} // namespace sparsight
