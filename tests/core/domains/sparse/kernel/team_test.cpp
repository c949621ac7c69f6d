#include "base/parallel.h"
#include "domains/sparse/kernel/measurement/team.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <gtest/gtest.h>
#include <mutex>
#include <pthread.h>
#include <sched.h>
#include <vector>

namespace sparsight {
namespace {

// The team hands the context through untouched, so the test may put its counters behind `c`.
void count_visits(KernelContext* context, const std::int64_t* captured, std::int64_t begin,
                  std::int64_t end) {
    for (std::int64_t at = begin; at < end; ++at)
        std::atomic_ref(context->c[at]).fetch_add(static_cast<float>(captured[0]));
}

TEST(Team, RunsEveryIterationOnceWhateverTheChunk) {
    for (const int threads : {1, 2, 5}) {
        Team team(threads);
        EXPECT_EQ(team.size(), threads);
        for (const std::int64_t chunk : {1, 3, 64, 10000}) {
            std::vector<float> visits(1000);
            KernelContext context;
            context.c = visits.data();
            const std::int64_t captured = 1;
            team.run(&context, count_visits, &captured, 0, std::ssize(visits), chunk);
            EXPECT_EQ(std::ranges::count(visits, 1.0F), std::ssize(visits))
                << threads << " threads, chunk " << chunk;
        }
    }
}

TEST(Team, StartsInsideTheRangeItIsGiven) {
    Team team(2);
    std::vector<float> visits(100);
    KernelContext context;
    context.c = visits.data();
    const std::int64_t captured = 2;
    team.run(&context, count_visits, &captured, 40, 60, 4);
    EXPECT_EQ(std::ranges::count(visits, 2.0F), 20);
    EXPECT_EQ(visits[39] + visits[60], 0.0F);
    team.run(&context, count_visits, &captured, 60, 40, 4);
    EXPECT_EQ(std::ranges::count(visits, 2.0F), 20) << "an empty range runs nothing";
}

TEST(Team, SurvivesManyShortRegionsOneAfterTheOther) {
    Team team(3);
    std::vector<float> visits(16);
    KernelContext context;
    context.c = visits.data();
    const std::int64_t captured = 1;
    for (int region = 0; region < 20000; ++region)
        team.run(&context, count_visits, &captured, 0, std::ssize(visits), 1);
    EXPECT_EQ(std::ranges::count(visits, 20000.0F), std::ssize(visits));
}

// Abandons the run from inside, when it meets iteration 40.
void abandon_at_forty(KernelContext* context, const std::int64_t* captured, std::int64_t begin,
                      std::int64_t end) {
    if (begin <= 40 && 40 < end)
        context->abandoned = 1;
    count_visits(context, captured, begin, end);
}

TEST(Team, TakesNoFurtherChunkOnceTheRunIsAbandoned) {
    for (const int threads : {1, 3}) {
        Team team(threads);
        std::vector<float> visits(100000);
        KernelContext context;
        context.c = visits.data();
        const std::int64_t captured = 1;
        team.run(&context, abandon_at_forty, &captured, 0, std::ssize(visits), threads == 1 ? 100000 : 8);
        const auto visited = std::ranges::count(visits, 1.0F);
        EXPECT_EQ(visits[40], 1.0F) << "what has begun is finished";
        const bool is_complete = visited == std::ssize(visits);
        EXPECT_EQ(is_complete, threads == 1);
        EXPECT_EQ(context.abandoned == KernelContext::left_early, !is_complete) << "what is done is not left";
        team.run(&context, count_visits, &captured, 0, std::ssize(visits), 8);
        EXPECT_EQ(std::ranges::count(visits, 1.0F), visited) << "nor begins another region";
        EXPECT_EQ(context.abandoned, KernelContext::left_early);
    }
}

TEST(Team, EndsWithoutHavingRunAnything) {
    const Team team(4);
    EXPECT_EQ(team.size(), 4);
}

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
    placement_.separate_from_caller();
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
        placement_.separate_from_caller();
        EXPECT_GE(place_of(helpers_.front()), 0);
        EXPECT_NE(place_of(helpers_.front()), taken);
    }
}

TEST_F(ThreadPlacementTest, LeavesTheCallerFree) {
    const cpu_set_t before = processors_of(pthread_self());
    start_helpers(available_threads() - 1);
    placement_.place(helpers_);
    placement_.separate_from_caller();
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
        placement_.separate_from_caller();
        for (std::jthread& helper : helpers_)
            EXPECT_EQ(place_of(helper), -1);
    }
}

} // namespace
} // namespace sparsight
