#include "base/memory.h"

#include <cstdlib>
#include <sys/mman.h>

namespace sparsight {

namespace {

constexpr std::size_t cache_line = 64;
constexpr std::size_t huge_page = std::size_t{2} << 20;

std::align_val_t alignment_of(std::size_t bytes) {
    return std::align_val_t{bytes >= huge_page ? huge_page : cache_line};
}

} // namespace

void* allocate_aligned(std::size_t bytes) {
    void* memory = ::operator new(bytes, alignment_of(bytes));
#ifdef MADV_HUGEPAGE
    // Only advice: a system that does not follow it gives small pages. The last, partly used page is left
    // out because what follows it is not ours.
    if (bytes >= huge_page)
        madvise(memory, bytes / huge_page * huge_page, MADV_HUGEPAGE);
#endif
    return memory;
}

void free_aligned(void* memory, std::size_t bytes) noexcept {
    ::operator delete(memory, alignment_of(bytes));
}

} // namespace sparsight

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace sparsight {

void keep_freed_memory() {
#ifdef __GLIBC__
    mallopt(M_MMAP_MAX, 0);
    mallopt(M_TRIM_THRESHOLD, -1); // never
#endif
}

} // namespace sparsight
