#include "kernel/thread_placement.h"

#include "base/parallel.h"

#include <algorithm>
#include <condition_variable>
#include <gtest/gtest.h>
#include <mutex>
#include <pthread.h>
#include <sched.h>

namespace sparsight {
namespace {

cpu_set_t processors_of(pthread_t thread) {
    cpu_set_t set;
    CPU_ZERO(&set);
    EXPECT_EQ(pthread_getaffinity_np(thread, sizeof set, &set), 0);
    return set;
}

/// The only processor that a thread may use; -1 when there are several.
int place_of(std::jthread& thread) {
    const cpu_set_t set = processors_of(thread.native_handle());
    if (CPU_COUNT(&set) != 1)
        return -1;
    for (int processor = 0;; ++processor)
        if (CPU_ISSET(processor, &set))
            return processor;
}

/// The calling thread runs there, and where it ran before when this ends.
class OnProcessor {
public:
    explicit OnProcessor(int processor)
        : before_(processors_of(pthread_self())) {
        cpu_set_t one;
        CPU_ZERO(&one);
        CPU_SET(processor, &one);
        EXPECT_EQ(pthread_setaffinity_np(pthread_self(), sizeof one, &one), 0);
    }
    ~OnProcessor() { pthread_setaffinity_np(pthread_self(), sizeof before_, &before_); }
    OnProcessor(const OnProcessor&) = delete;
    OnProcessor& operator=(const OnProcessor&) = delete;

private:
    cpu_set_t before_;
};

class ThreadPlacementTest : public ::testing::Test {
protected:
    void start_helpers(int count) {
        for (int h = 0; h < count; ++h)
            helpers_.emplace_back([this](const std::stop_token& stop) {
                std::unique_lock lock(mutex_);
                never_.wait(lock, stop, [] { return false; });
            });
    }

    std::mutex mutex_;
    std::condition_variable_any never_;
    std::vector<std::jthread> helpers_;
    ThreadPlacement placement_;
};

TEST_F(ThreadPlacementTest, GivesEachHelperAProcessorOfItsOwnApartFromTheCaller) {
    if (available_threads() < 2)
        GTEST_SKIP() << "this computer has one processor";
    start_helpers(available_threads() - 1);
    placement_.place(helpers_);
    placement_.apart_from_caller();
    const int caller = sched_getcpu();
    std::vector<int> places;
    for (std::jthread& helper : helpers_)
        places.push_back(place_of(helper));
    std::ranges::sort(places);
    EXPECT_EQ(std::ranges::adjacent_find(places), places.end());
    EXPECT_GE(places.front(), 0);
    if (sched_getcpu() == caller) { // or it was moved while we looked
        EXPECT_FALSE(std::ranges::binary_search(places, caller));
    }
}

TEST_F(ThreadPlacementTest, MovesAHelperOutOfTheCallersWay) {
    if (available_threads() < 2)
        GTEST_SKIP() << "this computer has one processor";
    start_helpers(available_threads() - 1);
    placement_.place(helpers_);
    for (int turn = 0; turn < 3; ++turn) {
        const int taken = place_of(helpers_.front());
        const OnProcessor here(taken);
        placement_.apart_from_caller();
        EXPECT_GE(place_of(helpers_.front()), 0);
        EXPECT_NE(place_of(helpers_.front()), taken);
    }
}

TEST_F(ThreadPlacementTest, LeavesTheCallerFree) {
    const cpu_set_t before = processors_of(pthread_self());
    start_helpers(available_threads() - 1);
    placement_.place(helpers_);
    placement_.apart_from_caller();
    const cpu_set_t after = processors_of(pthread_self());
    EXPECT_TRUE(CPU_EQUAL(&before, &after));
}

TEST_F(ThreadPlacementTest, LeavesThreadsAloneThatAreMoreOrFewerThanTheProcessors) {
    if (available_threads() == 1)
        GTEST_SKIP() << "this computer has one processor";
    for (const int count : {available_threads(), available_threads() - 2}) {
        helpers_.clear();
        start_helpers(count);
        placement_.place(helpers_);
        placement_.apart_from_caller();
        for (std::jthread& helper : helpers_)
            EXPECT_EQ(place_of(helper), -1);
    }
}

} // namespace
} // namespace sparsight
