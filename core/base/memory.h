// Memory for the arrays that kernels read: aligned to cache lines and vectors, large arrays on huge pages,
// and not written before its first use, so that the threads that fill it also touch its pages first. Freed
// memory can be kept by the process, which saves clearing the pages again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>
#include <vector>

namespace sparsight {

/// Throws std::bad_alloc. Aligned to 64 bytes, to 2 MiB when large.
[[nodiscard]] void* allocate_aligned(std::size_t bytes);
void free_aligned(void* memory, std::size_t bytes) noexcept;

/// Leaves elements without a given value uninitialised; for trivial types.
template <typename T>
struct AlignedAllocator {
    using value_type = T;

    AlignedAllocator() = default;
    template <typename U>
    AlignedAllocator(const AlignedAllocator<U>&) noexcept {}

    [[nodiscard]] T* allocate(std::size_t count) {
        if (count > PTRDIFF_MAX / sizeof(T))
            throw std::bad_array_new_length();
        return static_cast<T*>(allocate_aligned(count * sizeof(T)));
    }
    void deallocate(T* memory, std::size_t count) noexcept { free_aligned(memory, count * sizeof(T)); }

    template <typename U>
    void construct(U* at) noexcept {
        ::new (static_cast<void*>(at)) U;
    }
    template <typename U, typename... Arguments>
    void construct(U* at, Arguments&&... arguments) {
        ::new (static_cast<void*>(at)) U(std::forward<Arguments>(arguments)...);
    }

    bool operator==(const AlignedAllocator&) const = default;
};

/// A vector whose resize(n) leaves new elements uninitialised; assign(n, value) gives them one.
template <typename T>
using AlignedBuffer = std::vector<T, AlignedAllocator<T>>;
using FloatBuffer = AlignedBuffer<float>;
using IndexBuffer = AlignedBuffer<std::int32_t>;

/// From now on this process keeps the memory it frees and reuses it, instead of returning it to the system,
/// which would have to clear every page before its next use: half of the time of packing a format with much
/// padding. For a process that allocates hundreds of megabytes for one schedule after the other; to be
/// called once, at its start. Does nothing where the C library is not glibc.
void keep_freed_memory();

} // namespace sparsight
