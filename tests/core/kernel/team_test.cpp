#include "kernel/team.h"

#include <atomic>
#include <gtest/gtest.h>
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

} // namespace
} // namespace sparsight
