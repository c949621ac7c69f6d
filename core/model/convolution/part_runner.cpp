#include "model/convolution/part_runner.h"

#include <ATen/Parallel.h>
#include <atomic>

// at::parallel_for is a template in a header and runs on one thread, silently, where OpenMP is off.
#ifndef _OPENMP
#error "compile this file with -fopenmp"
#endif

namespace sparsight {

namespace {

/// Waking a sleeping thread takes as long as half a part.
constexpr int fewest_parts = 4;

} // namespace

PartRunner torch_part_runner() {
    return [](int parts, const std::function<void(int part)>& body) {
        std::atomic<int> next = 0;
        const std::int64_t threads = parts < fewest_parts ? 1 : std::min(parts, at::get_num_threads());
        at::parallel_for(0, threads, 1, [&](std::int64_t begin, std::int64_t end) {
            for (; begin < end; ++begin)
                for (int part = next++; part < parts; part = next++)
                    body(part);
        });
    };
}

} // namespace sparsight
