#include "base/parallel.h"

#include <exception>
#include <sched.h>
#include <thread>
#include <vector>

namespace sparsight {

int available_threads() {
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0)
        return CPU_COUNT(&set);
    const unsigned count = std::thread::hardware_concurrency();
    return count > 0 ? static_cast<int>(count) : 1;
}

void parallel_parts(int threads, std::int64_t count,
                    const std::function<void(int part, std::int64_t begin, std::int64_t end)>& body) {
    if (threads <= 1) {
        body(0, 0, count);
        return;
    }
    std::vector<std::exception_ptr> failures(static_cast<std::size_t>(threads));
    auto run_part = [&](int part) {
        const std::int64_t begin = count / threads * part + std::min<std::int64_t>(part, count % threads);
        const std::int64_t end = begin + count / threads + (part < count % threads ? 1 : 0);
        try {
            body(part, begin, end);
        } catch (...) {
            failures[static_cast<std::size_t>(part)] = std::current_exception();
        }
    };
    {
        std::vector<std::jthread> helpers;
        helpers.reserve(static_cast<std::size_t>(threads) - 1);
        for (int part = 1; part < threads; ++part)
            helpers.emplace_back(run_part, part);
        run_part(0);
    }
    for (const std::exception_ptr& failure : failures)
        if (failure)
            std::rethrow_exception(failure);
}

} // namespace sparsight
