#include "domains/sparse/clock/timeline_recording.h"

#include "core/domains/sparse/kernel/kernel_cases.h"
#include "domains/sparse/clock/chunk_recorder.h"
#include "domains/sparse/kernel/measurement/thread_timeline.h"
#include "domains/sparse/schedule/text.h"
#include "support/timelines.h"

#include <atomic>
#include <bit>
#include <chrono>
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <thread>

namespace sparsight {
namespace {

using ::testing::HasSubstr;

class TimelineRecording : public ::testing::Test {
protected:
    Result<ThreadTimeline> record(const char* schedule, int threads, RecordingOptions options = {},
                                  std::int64_t dense = 8) {
        auto inputs = KernelInputs::make(pattern, Operator::SpMM, dense, threads).value();
        Team team(threads);
        options.least_turns = 3;
        options.most_turns = std::min(options.most_turns, 3);
        return record_timeline(parse_schedule(Operator::SpMM, schedule).value(), inputs, compiler, team,
                               options);
    }

    Random random{1};
    CsrPattern pattern = testing::random_pattern(1024, 1024, 0.01, random);
    KernelCompiler compiler = KernelCompiler::make().value();
};

#if defined(__x86_64__)
TEST(ChunkRecorder, ReadsTheProcessorsCounterOnlyWhereLinuxTakesItsTimeFromIt) {
    const char* const steady = "flags\t\t: fpu tsc constant_tsc rep_good nonstop_tsc";
    EXPECT_TRUE(is_counter_steady("tsc", steady));
    EXPECT_TRUE(is_counter_steady("tsc", "")) << "Linux has tested it";
    EXPECT_TRUE(is_counter_steady("kvm-clock", steady));
    EXPECT_FALSE(is_counter_steady("kvm-clock", "flags\t\t: fpu tsc constant_tsc"));
    EXPECT_FALSE(is_counter_steady("hpet", steady)) << "Linux found the counter unstable";
    EXPECT_FALSE(is_counter_steady("", steady)) << "Linux hides its choice";
}
#endif

TEST_F(TimelineRecording, HoldsEveryChunkAndEveryRowOnce) {
    for (const int threads : {1, 2, 5}) {
        const auto recorded = record("1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 2 32", threads);
        ASSERT_TRUE(recorded) << recorded.error().text();
        expect_whole(*recorded);
        EXPECT_TRUE(recorded->measured);
        EXPECT_EQ(recorded->threads, threads);
        EXPECT_EQ(recorded->iterations, pattern.rows);
        EXPECT_EQ(recorded->chunks, pattern.rows / 32);
        EXPECT_EQ(recorded->regions, 1);
        EXPECT_GT(*recorded->plain_ms, 0);
        ASSERT_TRUE(recorded->overhead);
        EXPECT_EQ(std::ssize(recorded->waiting_ns), threads);
        EXPECT_TRUE(load_balance(*recorded).waiting_ms);
    }
}

TEST_F(TimelineRecording, CountsTheChunksOfEveryRegion) {
    const auto recorded = record("1 1 1 k1 k0 i1 i0 j1 j0 1 1 1 1 i1 2 64", 2);
    ASSERT_TRUE(recorded) << recorded.error().text();
    expect_whole(*recorded);
    EXPECT_EQ(recorded->regions, pattern.cols);
    EXPECT_EQ(recorded->iterations, pattern.cols * pattern.rows);
    EXPECT_EQ(recorded->chunks, pattern.cols * (pattern.rows / 64));
    EXPECT_GT(recorded->opening_ns, 0) << "C is cleared before";
    EXPECT_EQ(recorded->waiting_ns.size(), 2U);
    EXPECT_GE(load_balance(*recorded).imbalance.value(), 1);
}

TEST_F(TimelineRecording, MergesChunksWhereThereAreMoreThanAreDrawn) {
    const auto recorded = record("1 1 1 k1 k0 i1 i0 j1 j0 1 1 1 1 i1 2 16", 2);
    ASSERT_TRUE(recorded) << recorded.error().text();
    EXPECT_EQ(recorded->chunks, pattern.cols * (pattern.rows / 16));
    EXPECT_TRUE(recorded->is_merged());
    EXPECT_LE(std::ssize(recorded->intervals), most_intervals + 2);
    expect_whole(*recorded);
}

TEST_F(TimelineRecording, OfBlocksKnowsTheirRows) {
    const auto recorded = record("4 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 2 8", 2);
    ASSERT_TRUE(recorded) << recorded.error().text();
    EXPECT_EQ(recorded->iterations, pattern.rows / 4);
    const auto first = std::ranges::find(recorded->intervals, 0, &ChunkInterval::chunk);
    ASSERT_NE(first, recorded->intervals.end());
    EXPECT_EQ(place_of(*recorded, *first), (ChunkPlace{1, 32}));
}

TEST_F(TimelineRecording, ComesBackFromJsonAsItWas) {
    const auto recorded = record("1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 2 32", 2);
    ASSERT_TRUE(recorded) << recorded.error().text();
    const auto back = timeline_from_json(Json::parse(timeline_json(*recorded).dump()));
    ASSERT_TRUE(back) << back.error().text();
    EXPECT_EQ(*back, *recorded);
    EXPECT_FALSE(timeline_from_json(Json::object()));
    Json foreign = timeline_json(*recorded);
    foreign["intervals"][0]["thread"] = 3;
    EXPECT_FALSE(timeline_from_json(foreign)) << "there are two threads";
}

TEST_F(TimelineRecording, HasALineForEachIntervalInItsTable) {
    const auto recorded = record("1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 2 32", 2);
    ASSERT_TRUE(recorded) << recorded.error().text();
    const std::string csv = timeline_csv(*recorded);
    EXPECT_TRUE(
        csv.starts_with("source,thread,chunk,chunks,first iteration,iterations,begin [ns],end [ns],"));
    EXPECT_EQ(std::ranges::count(csv, '\n'), 1 + std::ssize(recorded->intervals));
}

TEST_F(TimelineRecording, IsStoppedBetweenRuns) {
    std::stop_source stop;
    RecordingOptions options;
    options.stop = stop.get_token();
    options.progress = [&](const Progress&) { stop.request_stop(); };
    const auto recorded = record("1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 2 32", 2, options);
    ASSERT_FALSE(recorded);
    EXPECT_EQ(recorded.error().fault, Fault::Cancelled);
}

TEST_F(TimelineRecording, GivesUpARunThatTakesTooLong) {
    pattern = testing::random_pattern(4096, 1024, 0.01, random);
    RecordingOptions options;
    options.longest_run = Milliseconds(0);
    const auto recorded = record("1 1 1 k1 k0 i1 i0 j1 j0 1 1 1 1 i1 2 64", 1, options, 64);
    ASSERT_FALSE(recorded);
    EXPECT_EQ(recorded.error().fault, Fault::Limit);
    EXPECT_THAT(recorded.error().message, HasSubstr("takes longer than 0 s"));
}

TEST(RecordingOverheadOfTurns, CombinesTheMediansOfBothOrdersWithTheirError) {
    const std::vector<Milliseconds> plain(8, Milliseconds(10));
    std::vector<Milliseconds> recorded;
    for (const double time : {10.5, 10.1, 10.6, 10.2, 10.4, 10.1, 15.0, 10.0}) // one turn is disturbed
        recorded.emplace_back(time);
    const RecordingOverhead overhead = recording_overhead(plain, recorded);
    EXPECT_NEAR(overhead.share, std::sqrt(1.055 * 1.01) - 1, 1e-9);
    EXPECT_GT(overhead.error, 0);
    EXPECT_LT(overhead.error, 0.05);
    EXPECT_EQ(recording_overhead({}, {}), RecordingOverhead{});
}

TEST(RecordingOverheadOfTurns, IsUndecidedWhereItsErrorReachesOverTheLimit) {
    EXPECT_TRUE((RecordingOverhead{0.08, 0.01}).disturbs());
    EXPECT_TRUE((RecordingOverhead{-0.01, 0.75}).is_undecided());
    EXPECT_FALSE((RecordingOverhead{0.01, 0.02}).is_undecided());
    EXPECT_FALSE((RecordingOverhead{0.08, 0.01}).is_undecided()) << "it is said to disturb";
    EXPECT_TRUE((RecordingOverhead{0.14, 0.27}).is_undecided());
    EXPECT_FALSE((RecordingOverhead{0.14, 0.27}).disturbs()) << "within its error";
}

TEST(LoadBalanceOfATimeline, SaysWhoWorksLongestAndHowLongTheOthersWait) {
    ThreadTimeline timeline{.threads = 3};
    timeline.intervals = {{.thread = 0, .busy_ns = 1'000'000},
                          {.thread = 1, .busy_ns = 1'000'000},
                          {.thread = 1, .busy_ns = 2'000'000},
                          {.thread = 2, .busy_ns = 2'000'000}};
    const LoadBalance balance = load_balance(timeline);
    EXPECT_EQ(balance.busiest, 1);
    EXPECT_DOUBLE_EQ(balance.busiest_ms, 3);
    EXPECT_DOUBLE_EQ(balance.waiting_ms.value(), 1.5);
    EXPECT_DOUBLE_EQ(balance.imbalance.value(), 1.5);
    EXPECT_FALSE(balance.is_even());
}

/// In each of two regions another thread works 10 ms while the other one waits.
ThreadTimeline taking_turns() {
    constexpr std::int64_t ms = 1'000'000;
    return {.measured = true,
            .threads = 2,
            .regions = 2,
            .chunks = 2,
            .iterations = 2,
            .total_ns = 20 * ms,
            .intervals = {{.thread = 0, .iterations = 1, .end_ns = 10 * ms, .busy_ns = 10 * ms},
                          {.thread = 1,
                           .chunk = 1,
                           .iterations = 1,
                           .begin_ns = 10 * ms,
                           .end_ns = 20 * ms,
                           .busy_ns = 10 * ms}},
            .waiting_ns = {10 * ms, 10 * ms}};
}

TEST(LoadBalanceOfATimeline, OfSeveralRegionsIsNotThatOfTheirSums) {
    const ThreadTimeline timeline = taking_turns();
    const LoadBalance balance = load_balance(timeline);
    EXPECT_DOUBLE_EQ(balance.busiest_ms, balance.mean_ms) << "over both regions they work as long";
    EXPECT_DOUBLE_EQ(balance.waiting_ms.value(), 10) << "half of the run";
    EXPECT_DOUBLE_EQ(balance.imbalance.value(), 2);
    EXPECT_FALSE(balance.is_even());
    const Json json = timeline_json(timeline);
    EXPECT_EQ(json["balance"]["waiting_ms"], 10);
    EXPECT_EQ(json["balance"]["imbalance"], 2);
    EXPECT_EQ(timeline_from_json(json).value(), timeline);
}

TEST(LoadBalanceOfATimeline, OfSeveralRegionsWhoseWaitingWasNotRecordedIsNotKnown) {
    ThreadTimeline timeline = taking_turns();
    timeline.waiting_ns.clear();
    EXPECT_FALSE(load_balance(timeline).waiting_ms);
    EXPECT_FALSE(load_balance(timeline).imbalance);
    EXPECT_FALSE(load_balance(timeline).is_even());
    Json json = timeline_json(timeline);
    EXPECT_TRUE(json["balance"]["waiting_ms"].is_null());
    EXPECT_TRUE(json["balance"]["imbalance"].is_null());
    json.erase("waiting_ns"); // as a program of an earlier version told it
    EXPECT_EQ(timeline_from_json(json).value(), timeline);
}

/// Both threads of a region take a chunk each; then one of them works on, the other one ends.
struct TurnsOfThreads {
    std::thread::id first = std::this_thread::get_id();
    std::atomic<int> arrived{0};
    int region = 0;

    static void run_chunk(KernelContext*, const std::int64_t* captured, std::int64_t, std::int64_t) {
        auto& turns = *std::bit_cast<TurnsOfThreads*>(*captured);
        ++turns.arrived;
        while (turns.arrived < 2 * (turns.region + 1))
            std::this_thread::yield();
        if ((std::this_thread::get_id() == turns.first) == (turns.region == 0))
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
};

TEST(ChunkRecorder, AddsUpTheWaitingAtTheEndOfEachRegion) {
    Team team(2);
    ChunkRecorder recorder(2);
    recorder.prepare(4, 1);
    TurnsOfThreads turns;
    KernelContext context;
    context.team = &team;
    context.recorder = &recorder;
    const auto captured = std::bit_cast<std::int64_t>(&turns);
    recorder.begin_run();
    for (turns.region = 0; turns.region < 2; ++turns.region)
        recorder.run_region(&context, &TurnsOfThreads::run_chunk, &captured, 0, 2);
    recorder.end_run();
    ThreadTimeline timeline;
    recorder.tell(timeline);
    expect_whole(timeline);
    ASSERT_EQ(timeline.waiting_ns.size(), 2U);
    for (const std::int64_t waiting : timeline.waiting_ns) // a busy computer may wake a thread late
        EXPECT_GT(waiting, 10'000'000) << "each waits in one of both regions";
    EXPECT_GT(load_balance(timeline).waiting_ms.value(), 10);
    EXPECT_FALSE(load_balance(timeline).is_even()) << "though both work as long";
}

TEST(ChunkRecorder, OfAThreadWithoutAChunkAddsTheWholeRegion) {
    Team team(2);
    ChunkRecorder recorder(2);
    recorder.prepare(1, 1);
    KernelContext context;
    context.team = &team;
    context.recorder = &recorder;
    const std::int64_t captured = 0;
    recorder.begin_run();
    recorder.run_region(
        &context,
        [](KernelContext*, const std::int64_t*, std::int64_t, std::int64_t) {
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        },
        &captured, 0, 1);
    recorder.end_run();
    ThreadTimeline timeline;
    recorder.tell(timeline);
    ASSERT_EQ(timeline.waiting_ns.size(), 2U);
    EXPECT_EQ(timeline.waiting_ns[0], 0) << "it is the last one";
    EXPECT_GE(timeline.waiting_ns[1], timeline.intervals.at(0).busy_ns);
}

} // namespace
} // namespace sparsight
