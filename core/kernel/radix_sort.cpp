#include "kernel/radix_sort.h"

#include "base/parallel.h"

#include <algorithm>

namespace sparsight {

namespace {

/// Digits of at most this many bits: the write position of each of 2^11 buckets stays in the second-level
/// cache and its pages in the TLB. A few entries do not pay for clearing that many counters.
int widest_digit(std::size_t entries) {
    return entries < 4096 ? 6 : 11;
}

/// counts[part][digit] becomes where that part writes its first entry of that digit. Whether the digit tells
/// any entries apart.
bool counts_to_offsets(std::vector<AlignedBuffer<std::uint32_t>>& counts, std::size_t entries) {
    std::uint32_t offset = 0;
    bool is_constant = false;
    for (std::size_t digit = 0; digit < counts.front().size(); ++digit) {
        const std::uint32_t first = offset;
        for (AlignedBuffer<std::uint32_t>& part : counts) {
            const std::uint32_t count = part[digit];
            part[digit] = offset;
            offset += count;
        }
        is_constant = is_constant || offset - first == entries;
    }
    return !is_constant;
}

template <typename Entry>
void sort_by_digit(AlignedBuffer<Entry>& entries, AlignedBuffer<Entry>& scratch, int shift, int width,
                   int threads) {
    const std::uint64_t mask = (std::uint64_t{1} << width) - 1;
    const auto count = static_cast<std::int64_t>(entries.size());
    std::vector<AlignedBuffer<std::uint32_t>> offsets(static_cast<std::size_t>(threads));
    parallel_parts(threads, count, [&](int part, std::int64_t begin, std::int64_t end) {
        AlignedBuffer<std::uint32_t>& counts = offsets[static_cast<std::size_t>(part)];
        counts.assign(mask + 1, 0);
        std::uint32_t* const bucket = counts.data();
        for (const Entry* entry = entries.data() + begin; entry != entries.data() + end; ++entry)
            ++bucket[(key_of(*entry) >> shift) & mask];
    });
    if (!counts_to_offsets(offsets, entries.size()))
        return;
    scratch.resize(entries.size());
    parallel_parts(threads, count, [&](int part, std::int64_t begin, std::int64_t end) {
        std::uint32_t* const bucket = offsets[static_cast<std::size_t>(part)].data();
        Entry* const sorted = scratch.data();
        for (const Entry* entry = entries.data() + begin; entry != entries.data() + end; ++entry)
            sorted[bucket[(key_of(*entry) >> shift) & mask]++] = *entry;
    });
    entries.swap(scratch);
}

} // namespace

template <typename Entry>
void radix_sort(AlignedBuffer<Entry>& entries, int low_bit, int high_bit, int threads,
                const std::stop_token& stop) {
    const int bits = high_bit - low_bit;
    if (bits <= 0 || entries.size() < 2)
        return;
    const int widest = widest_digit(entries.size());
    const int passes = (bits + widest - 1) / widest;
    AlignedBuffer<Entry> scratch;
    int shift = low_bit;
    for (int pass = 0; pass < passes && !stop.stop_requested(); ++pass) {
        const int width = (high_bit - shift + passes - pass - 1) / (passes - pass);
        sort_by_digit(entries, scratch, shift, width, threads);
        shift += width;
    }
}

template void radix_sort(AlignedBuffer<NarrowEntry>&, int, int, int, const std::stop_token&);
template void radix_sort(AlignedBuffer<WideEntry>&, int, int, int, const std::stop_token&);

} // namespace sparsight
