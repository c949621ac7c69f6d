// Least-significant-digit radix sort, which leaves out what is in order already.
#pragma once

#include "base/aligned_buffer.h"
#include "kernel/keyed_entry.h"

#include <stop_token>

namespace sparsight {

/// Sorts by bits [low_bit, high_bit) of the key; entries that agree on these keep their order. At most
/// 2^32 − 1 entries. Needs as much memory again while it runs. When stopped, the order is unspecified.
template <typename Entry>
void radix_sort(AlignedBuffer<Entry>& entries, int low_bit, int high_bit, int threads,
                const std::stop_token& stop = {});

extern template void radix_sort(AlignedBuffer<NarrowEntry>&, int, int, int, const std::stop_token&);
extern template void radix_sort(AlignedBuffer<WideEntry>&, int, int, int, const std::stop_token&);

} // namespace sparsight
