#include "machine/probe.h"

#include "base/parallel.h"
#include "machine/instruction_sets.h"
#include "machine/memory_benchmark.h"
#include "machine/processor_facts.h"
#include "machine/timed_team.h"

#include <atomic>
#include <gmock/gmock.h>
#include <new>
#include <vector>

namespace sparsight {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Bounds that any computer of the last and the next decades meets; how fast this one is, no test can know.
TEST(Probe, MeasuresPlausibleFiguresOfThisComputer) {
    std::vector<std::uint64_t> announced;
    const auto machine =
        probe_this_computer({.budget = Seconds(0.05), .stop = {}, .progress = [&](const Progress& progress) {
                                 EXPECT_EQ(progress.total, 5u);
                                 announced.push_back(progress.done);
                             }});
    ASSERT_TRUE(machine.has_value()) << machine.error().message;
    EXPECT_TRUE(validate(*machine).has_value()) << validate(*machine).error().message;
    EXPECT_EQ(machine->source, MachineSource::Probed);
    EXPECT_EQ(machine->threads, available_threads());
    EXPECT_EQ(machine->date->size(), std::string("2025-01-31T12:34:56Z").size());
    EXPECT_FALSE(machine->instruction_sets.empty());
    EXPECT_THAT(announced, ElementsAre(0, 1, 2, 3, 4, 5));

    for (const auto& bandwidth : {machine->copy_bandwidth.one_thread, machine->copy_bandwidth.all_threads})
        if (bandwidth) {                        // unknown on a computer with too little memory
            EXPECT_GT(bandwidth->value, 0.001); // sanitizers slow copies down a hundredfold
            EXPECT_LT(bandwidth->value, 50'000);
        }
    if (machine->memory_latency) {
        EXPECT_GT(machine->memory_latency->count(), 5);
        EXPECT_LT(machine->memory_latency->count(), 50'000);
    }
    ASSERT_TRUE(machine->peak_fma.one_thread && machine->peak_fma.all_threads);
    EXPECT_GT(machine->peak_fma.one_thread->value, 0.05);
    EXPECT_LT(machine->peak_fma.all_threads->value, 1e6);
}

TEST(Probe, WithoutMeasuringIsTheSameComputer) {
    const auto facts = probe_this_computer({.measure = false, .stop = {}, .progress = {}});
    ASSERT_TRUE(facts.has_value());
    EXPECT_EQ(facts->copy_bandwidth.one_thread, std::nullopt);
    const auto again = probe_this_computer({.measure = false, .stop = {}, .progress = {}});
    EXPECT_EQ(facts->fingerprint(), again->fingerprint());
}

TEST(Probe, StopsWhenTheUserWants) {
    std::stop_source source;
    const auto machine =
        probe_this_computer({.stop = source.get_token(), .progress = [&](const Progress& progress) {
                                 if (progress.done == 1)
                                     source.request_stop();
                             }});
    ASSERT_FALSE(machine.has_value());
    EXPECT_EQ(machine.error().fault, Fault::Cancelled);
}

TEST(AllowedProcessors, AreAsManyAsThreadsMayRun) {
    EXPECT_EQ(static_cast<int>(allowed_processors().size()), available_threads());
}

TEST(MemoryBenchmark, GoesFarPastTheCachesThatTheThreadsCanFill) {
    const std::uint64_t mib = 1u << 20;
    MemoryBenchmarkOptions server;
    server.one_cache_bytes = 32 * mib;
    server.all_caches_bytes = 256 * mib;
    server.memory_bytes = 65536 * mib;
    EXPECT_EQ(memory_benchmark_bytes(server, 1), 128 * mib);
    EXPECT_EQ(memory_benchmark_bytes(server, 64), 1024 * mib);
    MemoryBenchmarkOptions shared_cache = server;
    shared_cache.one_cache_bytes = 260 * mib;
    shared_cache.all_caches_bytes = 260 * mib;
    EXPECT_EQ(memory_benchmark_bytes(shared_cache, 1), 520 * mib);
    EXPECT_EQ(memory_benchmark_bytes(shared_cache, 2), 1040 * mib);
    MemoryBenchmarkOptions board;
    board.one_cache_bytes = mib;
    board.memory_bytes = 1024 * mib;
    EXPECT_EQ(memory_benchmark_bytes(board, 1), 64 * mib);
}

TEST(MemoryBenchmark, DoesNotPassOffACacheAsMemory) {
    const std::uint64_t mib = 1u << 20;
    MemoryBenchmarkOptions small;
    small.one_cache_bytes = 32 * mib;
    small.memory_bytes = 128 * mib;
    const auto bytes = memory_benchmark_bytes(small, 1);
    ASSERT_FALSE(bytes.has_value());
    EXPECT_EQ(bytes.error().fault, Fault::Environment);
    EXPECT_THAT(bytes.error().message, HasSubstr("32.0 MiB are too few to go past caches of 32.0 MiB"));
    EXPECT_FALSE(measure_copy_bandwidth({0}, small).has_value());
    EXPECT_FALSE(measure_memory_latency(0, small).has_value());
}

TEST(TimedTeam, RunsEveryRoundOnEveryThread) {
    std::vector<int> prepared(3);
    std::vector<int> rounds(3);
    const auto median =
        median_round({0, 0, 0}, Seconds(0), {},
                     {.prepare = [&](int thread) { ++prepared[static_cast<std::size_t>(thread)]; },
                      .round = [&](int thread) { ++rounds[static_cast<std::size_t>(thread)]; }});
    ASSERT_TRUE(median.has_value());
    EXPECT_THAT(prepared, ElementsAre(1, 1, 1));
    EXPECT_THAT(rounds, ElementsAre(4, 4, 4))
        << "a warm-up and the three rounds that a median takes at least";
}

TEST(TimedTeam, ReportsMissingMemoryAndStartsNoRound) {
    std::atomic<int> rounds = 0;
    const auto median = median_round({0, 0}, Seconds(0), {},
                                     {.prepare =
                                          [](int thread) {
                                              if (thread == 1)
                                                  throw std::bad_alloc();
                                          },
                                      .round = [&](int) { ++rounds; }});
    ASSERT_FALSE(median.has_value());
    EXPECT_EQ(median.error().fault, Fault::Environment);
    EXPECT_EQ(rounds, 0);
}

TEST(InstructionSets, KeepOnlyTheWordsThatMatterInOurOrder) {
    EXPECT_THAT(instruction_sets_among("fpu avx512f xavx2 avx2 sse2"),
                ElementsAre("sse2", "avx2", "avx512f"));
    EXPECT_TRUE(instruction_sets_among("").empty());
}

TEST(InstructionSets, TellTheWidthOfAVector) {
    EXPECT_EQ(float_lanes({"sse2"}), 4);
    EXPECT_EQ(float_lanes({"sse2", "avx2", "fma"}), 8);
    EXPECT_EQ(float_lanes({"avx2", "avx512f"}), 16);
    EXPECT_EQ(float_lanes({"asimd", "sve"}), 4);
    EXPECT_EQ(float_lanes({}), 1);
}

} // namespace
} // namespace sparsight
