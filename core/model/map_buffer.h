// Memory for what a kernel map keeps: written once from front to back, read once in order by each pass, so
// that huge pages would save next to nothing (AlignedBuffer). They would cost where a hypervisor takes free
// ones back from its guest (free page reporting of virtio-balloon, by whole huge pages): each that a process
// touches first has to be made again on the host, up to 4 ms for 2 MiB, which was three quarters of the time
// of a fresh process's first map.
#pragma once

#include "base/aligned_buffer.h"

#include <cstddef>
#include <cstdint>
#include <new>
#include <vector>

namespace sparsight {

/// Aligned to cache lines; elements without a given value stay uninitialised. For trivial types.
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

} // namespace sparsight
