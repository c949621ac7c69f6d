#include "machine/large_buffer.h"

#include <new>
#include <sys/mman.h>

namespace sparsight {

LargeBuffer::LargeBuffer(std::size_t bytes)
    : bytes_(bytes) {
    constexpr std::size_t huge_page = std::size_t{2} << 20;
    const std::size_t rounded = (bytes + huge_page - 1) / huge_page * huge_page;
    memory_.reset(static_cast<std::byte*>(std::aligned_alloc(huge_page, rounded)));
    if (!memory_)
        throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
    static_cast<void>(madvise(memory_.get(), rounded, MADV_HUGEPAGE)); // a wish; small pages work too
#endif
}

} // namespace sparsight
