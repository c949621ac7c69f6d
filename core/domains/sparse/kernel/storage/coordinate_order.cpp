#include "domains/sparse/kernel/storage/coordinate_order.h"

#include "base/parallel.h"
#include "domains/sparse/tensor/pattern.h"

#include <algorithm>
#include <fmt/format.h>

namespace sparsight {

namespace {

std::int64_t length_of(const StorageFormat& format, const StorageLevel& level) {
    return format.sizes[level.mode];
}

/// An inner coordinate never exceeds the index itself, however large the split.
int bits_of(const StorageFormat& format, const StorageLevel& level) {
    const std::int64_t coordinates = std::min(level.extent, length_of(format, level));
    return coordinates <= 1 ? 0
                            : static_cast<int>(std::bit_width(static_cast<std::uint64_t>(coordinates - 1)));
}

/// The place of a level in row-major order, where entries come as i1 i0 k1 k0.
int row_major_rank(const StorageLevel& level) {
    return 2 * static_cast<int>(level.mode) + (level.loop.part == Part::Outer ? 0 : 1);
}

/// Entries that agree on the levels before an ascending run of ranks are already in order of that run.
std::size_t leading_levels_to_sort(const StorageFormat& format) {
    std::size_t first = format.levels.size() - 1;
    while (first > 0 && row_major_rank(format.levels[first - 1]) < row_major_rank(format.levels[first]))
        --first;
    return first;
}

std::string axis_defect(const StorageFormat& format, std::size_t mode) {
    static constexpr std::array<const char*, most_order> names{"rows", "columns", "third mode",
                                                               "fourth mode"};
    const char* const axis = names[mode];
    const std::int64_t length = format.sizes[mode];
    if (length < 0 || length > max_extent)
        return fmt::format("{} {} are outside 0..{}", length, axis, max_extent);
    int outer = 0;
    int inner = 0;
    std::int64_t split = 1;
    for (const StorageLevel& level : format.levels) {
        if (level.mode != mode)
            continue;
        if (level.split < 1 || (outer + inner > 0 && level.split != split))
            return fmt::format("the levels of the {} are split by {} and {}", axis, split, level.split);
        split = level.split;
        const bool is_outer = level.loop.part == Part::Outer;
        ++(is_outer ? outer : inner);
        const std::int64_t extent = is_outer ? length / split + (length % split != 0 ? 1 : 0) : split;
        if (level.extent != extent)
            return fmt::format("a level of the {} has extent {}; {} {} split by {} need {}", axis,
                               level.extent, length, axis, split, extent);
    }
    if (outer != 1 || inner != (split > 1 ? 1 : 0))
        return fmt::format("the {}, split by {}, have {} outer and {} inner levels", axis, split, outer,
                           inner);
    return {};
}

} // namespace

std::pair<int, int> KeyLayout::bits_to_sort() const {
    if (levels_to_sort == 0)
        return {0, 0};
    return {fields[levels_to_sort - 1].shift, bits + free_bits};
}

int coordinate_bits(const StorageFormat& format) {
    int bits = 0;
    for (const StorageLevel& level : format.levels)
        bits += bits_of(format, level);
    return bits;
}

KeyLayout key_layout(const StorageFormat& format, int free_bits) {
    KeyLayout layout;
    layout.levels = format.levels.size();
    layout.bits = coordinate_bits(format);
    layout.free_bits = free_bits;
    layout.levels_to_sort = leading_levels_to_sort(format);
    int shift = layout.bits + free_bits;
    for (std::size_t l = 0; l < layout.levels; ++l) {
        const StorageLevel& level = format.levels[l];
        const int width = bits_of(format, level);
        shift -= width;
        layout.fields[l] = {shift, (std::uint64_t{1} << width) - 1};
        AxisKey& axis = layout.axes[level.mode];
        axis.split = static_cast<std::uint32_t>(std::min(level.split, max_extent + 1));
        (level.loop.part == Part::Outer ? axis.outer_shift : axis.inner_shift) = shift;
    }
    return layout;
}

std::string defect(const StorageFormat& format) {
    for (std::size_t mode = 0; mode < format.sizes.size(); ++mode)
        if (std::string what = axis_defect(format, mode); !what.empty())
            return what;
    return {};
}

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
