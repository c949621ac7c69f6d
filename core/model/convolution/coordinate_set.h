// The coordinates of one layer of a sparse network: sorted by row, then column, each once; with the memory
// that kernel maps keep, and loops specialised for common strides and kernel sizes.
#pragma once

#include "base/memory.h"

#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace sparsight {

/// Memory for a kernel map, aligned to cache lines; elements without a given value stay uninitialised. For
/// trivial types.
///
/// It is written once from front to back and read once in order by each pass, so huge pages (AlignedBuffer)
/// would save almost nothing. They would cost where a hypervisor takes free pages back from its guest (free
/// page reporting of virtio-balloon, by whole huge pages): each page that a process touches first is then
/// made again on the host, up to 4 ms for 2 MiB, which was three quarters of the time of a fresh process's
/// first map.
template <typename T>
struct MapAllocator : AlignedAllocator<T> {
    using value_type = T;

    MapAllocator() = default;
    template <typename U>
    MapAllocator(const MapAllocator<U>&) noexcept {}

    [[nodiscard]] T* allocate(std::size_t count) {
        if (count > PTRDIFF_MAX / sizeof(T))
            throw std::bad_array_new_length();
        return static_cast<T*>(::operator new(count * sizeof(T), cache_line));
    }
    void deallocate(T* memory, std::size_t) noexcept { ::operator delete(memory, cache_line); }

    bool operator==(const MapAllocator&) const = default;

private:
    static constexpr std::align_val_t cache_line{64};
};

/// A vector whose resize(n) leaves new elements uninitialised.
template <typename T>
using MapBuffer = std::vector<T, MapAllocator<T>>;

// Strides are nearly always 1 or 2, and kernels 3 or 5 wide. Where the compiler knows them, a division costs
// one cycle instead of twenty, and loops over a kernel's row are unrolled.

/// Calls use(stride) with a constant where there is specialised code for it, otherwise with the number
/// itself.
template <typename Use>
void with_constant_stride(int stride, Use&& use) {
    switch (stride) {
    case 1:
        use(std::integral_constant<int, 1>());
        break;
    case 2:
        use(std::integral_constant<int, 2>());
        break;
    default:
        use(stride);
    }
}

/// Calls use(kernel size, stride) likewise.
template <typename Use>
void with_constant_layer(int kernel_size, int stride, Use&& use) {
    with_constant_stride(stride, [&](auto constant_stride) {
        switch (kernel_size) {
        case 3:
            use(std::integral_constant<int, 3>(), constant_stride);
            break;
        case 5:
            use(std::integral_constant<int, 5>(), constant_stride);
            break;
        default:
            use(kernel_size, constant_stride);
        }
    });
}

/// Row and column in one number, ordered by row, then column. Rows and columns are below 2^31, so
/// neighbours outside the border (row or column -1, -2) still compare correctly and equal no coordinate.
[[nodiscard]] constexpr std::int64_t pack_coordinate(std::int64_t row, std::int64_t column) {
    return row * (std::int64_t{1} << 32) + column;
}
[[nodiscard]] constexpr std::int64_t row_of(std::int64_t packed) {
    return packed >> 32;
}
[[nodiscard]] constexpr std::int64_t column_of(std::int64_t packed) {
    return packed & 0xFFFF'FFFF;
}

/// Strictly ascending packed coordinates.
using CoordinateSet = MapBuffer<std::int64_t>;

/// The number of threads, at most `threads`, that this many coordinates keep busy for longer than it takes
/// to start them.
[[nodiscard]] int useful_threads(int threads, std::int64_t coordinates);

/// Compressed sparse rows of any type that calls its parts by these names; valid as long as the object. Row
/// r has the columns column_ids[row_pointers[r]] … column_ids[row_pointers[r + 1] − 1], strictly ascending.
struct CompressedRowsView {
    template <typename Pattern>
        requires requires(const Pattern& pattern) {
            pattern.row_pointers.data();
            pattern.column_ids.data();
        }
    CompressedRowsView(const Pattern& pattern) // NOLINT(google-explicit-constructor): as that of std::span
        : row_pointers(pattern.row_pointers)
        , column_ids(pattern.column_ids) {}

    std::span<const std::int64_t> row_pointers; ///< [rows + 1], at least one
    std::span<const std::int32_t> column_ids;

    [[nodiscard]] std::int64_t rows() const { return std::ssize(row_pointers) - 1; }
    [[nodiscard]] std::int64_t nnz() const { return std::ssize(column_ids); }
};

[[nodiscard]] CoordinateSet coordinates_of(const CompressedRowsView& pattern, int threads);

/// The unique cells (⌊row / stride⌋, ⌊column / stride⌋): the output coordinates of a layer with that stride,
/// in units of cells. (MinkowskiEngine keeps the units of the first layer and a growing "tensor stride".)
/// Linear in the coordinates. `stride` ≥ 1.
[[nodiscard]] CoordinateSet stride_cells(const CoordinateSet& coordinates, int stride, int threads);

} // namespace sparsight
