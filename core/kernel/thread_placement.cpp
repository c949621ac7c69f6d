#include "kernel/thread_placement.h"

#include <algorithm>
#include <pthread.h>
#include <sched.h>

namespace sparsight {

namespace {

std::vector<int> allowed_processors() {
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    std::vector<int> processors;
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) // more than 1024 of them
        return processors;
    for (int processor = 0; processor < CPU_SETSIZE; ++processor)
        if (CPU_ISSET(processor, &allowed))
            processors.push_back(processor);
    return processors;
}

bool keep_on(pthread_t thread, int processor) {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(processor, &one);
    return pthread_setaffinity_np(thread, sizeof one, &one) == 0;
}

} // namespace

void ThreadPlacement::place(std::span<std::jthread> helpers) {
    std::vector<int> processors = allowed_processors();
    // Where processors are left over the scheduler has better places to choose from: it knows which are idle,
    // and which share a core.
    if (processors.size() != helpers.size() + 1)
        return;
    const auto own = std::ranges::find(processors, sched_getcpu());
    if (own == processors.end())
        return;
    caller_processor_ = *own;
    processors.erase(own);
    for (std::size_t h = 0; h < helpers.size(); ++h)
        if (keep_on(helpers[h].native_handle(), processors[h]))
            places_.push_back({helpers[h].native_handle(), processors[h]});
}

void ThreadPlacement::apart_from_caller() {
    if (places_.empty())
        return;
    const int current = sched_getcpu();
    if (current == caller_processor_)
        return;
    const auto taken = std::ranges::find(places_, current, &Place::processor);
    if (taken != places_.end()) {
        if (!keep_on(taken->helper, caller_processor_))
            return;
        taken->processor = caller_processor_;
    }
    caller_processor_ = current;
}

} // namespace sparsight
