// Memory for measurements of memory: large, and in huge pages where they are to
// be had, so that address translation disturbs as little as it does in a program with large arrays.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>

namespace sparsight {

class LargeBuffer {
public:
    LargeBuffer() = default;
    /// Not touched yet: pages come into being near the thread that writes them. Throws std::bad_alloc.
    explicit LargeBuffer(std::size_t bytes);

    [[nodiscard]] std::byte* data() const { return memory_.get(); }
    [[nodiscard]] std::size_t size() const { return bytes_; }

private:
    struct Free {
        void operator()(std::byte* memory) const { std::free(memory); }
    };
    std::unique_ptr<std::byte, Free> memory_;
    std::size_t bytes_ = 0;
};

} // namespace sparsight
