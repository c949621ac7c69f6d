// What is true of every timeline of threads.
#pragma once

#include "domains/sparse/kernel/measurement/thread_timeline.h"

#include <gtest/gtest.h>
#include <set>

namespace sparsight {

/// The intervals of a thread do not overlap, all lie within the run, and together they hold every chunk and
/// every iteration once.
inline void expect_whole(const ThreadTimeline& timeline) {
    std::int64_t chunks = 0;
    std::int64_t iterations = 0;
    std::set<std::int64_t> begun;
    const ChunkInterval* before = nullptr;
    for (const ChunkInterval& each : timeline.intervals) {
        const bool is_first = before == nullptr || before->thread != each.thread;
        EXPECT_GE(each.begin_ns, is_first ? 0 : before->end_ns);
        EXPECT_LE(each.begin_ns, each.end_ns);
        EXPECT_LE(each.end_ns, timeline.total_ns);
        EXPECT_LE(each.busy_ns, each.end_ns - each.begin_ns);
        EXPECT_LT(each.thread, timeline.threads);
        EXPECT_TRUE(begun.insert(each.chunk).second) << "chunk " << each.chunk << " was taken twice";
        chunks += each.chunks;
        iterations += each.iterations;
        before = &each;
    }
    EXPECT_EQ(chunks, timeline.chunks);
    EXPECT_EQ(iterations, timeline.iterations);
}

} // namespace sparsight
