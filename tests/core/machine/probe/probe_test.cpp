#include "base/parallel.h"
#include "machine/probe/probe.h"
#include "machine/probe/processor_facts.h"
#include "machine/probe/system_files.h"
#include "support/test_files.h"

#include <atomic>
#include <filesystem>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <new>
#include <vector>

namespace sparsight {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// A made-up /proc and /sys in a folder of its own, so that any computer can be probed on any other.
class FakeSystem {
public:
    void write(const std::filesystem::path& file, std::string_view text) const {
        std::filesystem::create_directories((folder_ / file).parent_path());
        testing::write_file(folder_ / file, fmt::format("{}\n", text));
    }
    void online(std::string_view list) const { write("sys/devices/system/cpu/online", list); }
    void place(int processor, int socket, std::string_view thread_siblings) const {
        const std::filesystem::path topology = of(processor) / "topology";
        write(topology / "physical_package_id", std::to_string(socket));
        write(topology / "thread_siblings_list", thread_siblings);
    }
    void cache(int processor, int index, int level, std::string_view type, std::string_view size,
               std::string_view sharing) const {
        const std::filesystem::path folder = of(processor) / "cache" / fmt::format("index{}", index);
        write(folder / "level", std::to_string(level));
        write(folder / "type", type);
        write(folder / "size", size);
        write(folder / "coherency_line_size", "64");
        write(folder / "shared_cpu_list", sharing);
    }

    [[nodiscard]] const std::filesystem::path& root() const { return folder_.path(); }
    [[nodiscard]] static std::filesystem::path of(int processor) {
        return fmt::format("sys/devices/system/cpu/cpu{}", processor);
    }

private:
    testing::TemporaryFolder folder_;
};

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

TEST(ReadMachine, KnowsATwoSocketServerWithTwoThreadsACore) {
    const FakeSystem system;
    std::string cpuinfo;
    for (int processor = 0; processor < 8; ++processor) {
        cpuinfo += fmt::format("processor\t: {}\nmodel name\t: Intel(R) Xeon(R) CPU E5-2680 v3 @ 2.50GHz\n"
                               "cpu MHz\t\t: {}\nflags\t\t: fpu sse2 avx fma avx2 ht\n\n",
                               processor, 1200 + processor);
        // Processors 0–3 are the first threads of the cores, 4–7 the second; even ones are on socket 0.
        const int core = processor % 4;
        const int socket = core % 2;
        const std::string siblings = fmt::format("{},{}", core, core + 4);
        const std::string package = socket == 0 ? "0,2,4,6" : "1,3,5,7";
        system.place(processor, socket, siblings);
        system.cache(processor, 0, 1, "Data", "32K", siblings);
        system.cache(processor, 1, 1, "Instruction", "32K", siblings);
        system.cache(processor, 2, 2, "Unified", "256K", siblings);
        system.cache(processor, 3, 3, "Unified", "30M", package);
        system.write(FakeSystem::of(processor) / "cpufreq/cpuinfo_max_freq", "3300000");
    }
    system.write("proc/cpuinfo", cpuinfo);
    system.online("0-7");
    system.write("sys/devices/system/node/node0/cpulist", "0,2,4,6");
    system.write("sys/devices/system/node/node1/cpulist", "1,3,5,7");
    system.write("sys/devices/system/node/possible", "0-1");
    system.write("proc/meminfo", "MemTotal:       131072 kB\nMemFree:  5 kB");

    const MachineDescription machine = read_machine(system.root());
    EXPECT_EQ(machine.cpu_model, "Intel(R) Xeon(R) CPU E5-2680 v3 @ 2.50GHz");
    EXPECT_EQ(machine.sockets, 2);
    EXPECT_EQ(machine.cores, 4);
    EXPECT_EQ(machine.threads, 8);
    EXPECT_EQ(machine.numa_nodes, 2);
    EXPECT_EQ(machine.clock, Gigahertz{3.3});
    EXPECT_THAT(machine.instruction_sets, ElementsAre("sse2", "avx", "fma", "avx2"));
    EXPECT_EQ(machine.float_lanes, 8);
    EXPECT_EQ(machine.memory_bytes, 131072u * 1024);
    EXPECT_THAT(machine.caches,
                ElementsAre(CacheLevel{1, 32u << 10, 64, 2, 4}, CacheLevel{2, 256u << 10, 64, 2, 4},
                            CacheLevel{3, 30u << 20, 64, 4, 2}));
    EXPECT_EQ(machine.last_cache_bytes(), 30u << 20);
    EXPECT_EQ(machine.all_last_caches_bytes(), 60u << 20);
    EXPECT_TRUE(validate(machine).has_value()) << validate(machine).error().message;
}

TEST(ReadMachine, CountsOnlyTheProcessorsThatTheProcessMayUse) {
    const FakeSystem system;
    for (int processor = 0; processor < 4; ++processor) {
        system.place(processor, processor / 2, std::to_string(processor));
        system.cache(processor, 0, 2, "Unified", "1M", processor < 2 ? "0-1" : "2-3");
    }
    system.online("0-3");
    system.write("sys/devices/system/node/node0/cpulist", "0-1");
    system.write("sys/devices/system/node/node1/cpulist", "2-3");
    const MachineDescription machine = read_machine(system.root(), {2});
    EXPECT_EQ(machine.threads, 1);
    EXPECT_EQ(machine.cores, 1);
    EXPECT_EQ(machine.sockets, 1);
    EXPECT_EQ(machine.numa_nodes, 1);
    EXPECT_THAT(machine.caches, ElementsAre(CacheLevel{2, 1u << 20, 64, 1, 1}));
}

TEST(ReadMachine, LeavesUnknownWhatAVirtualMachineHides) {
    const FakeSystem system;
    system.write("proc/cpuinfo", "processor\t: 0\nmodel name\t: QEMU Virtual CPU\ncpu MHz\t\t: 2400.000\n"
                                 "flags\t\t: sse2\n\nprocessor\t: 1\nmodel name\t: QEMU Virtual CPU\n");
    const MachineDescription machine = read_machine(system.root());
    EXPECT_EQ(machine.cpu_model, "QEMU Virtual CPU");
    EXPECT_EQ(machine.threads, 2);
    EXPECT_EQ(machine.clock, Gigahertz{2.4});
    EXPECT_EQ(machine.cores, std::nullopt);
    EXPECT_EQ(machine.sockets, std::nullopt);
    EXPECT_EQ(machine.numa_nodes, std::nullopt);
    EXPECT_EQ(machine.memory_bytes, std::nullopt);
    EXPECT_TRUE(machine.caches.empty());
    EXPECT_EQ(machine.last_cache_bytes(), std::nullopt);
    EXPECT_EQ(machine.all_last_caches_bytes(), std::nullopt);
    EXPECT_TRUE(validate(machine).has_value());
}

TEST(ReadMachine, TakesCoresFromCpuinfoWhereTheTopologyIsHidden) {
    const FakeSystem system;
    std::string cpuinfo;
    for (int processor = 0; processor < 8; ++processor) // 2 sockets × 2 cores × 2 threads, core ids repeat
        cpuinfo += fmt::format("processor : {}\nphysical id : {}\ncore id : {}\n\n", processor, processor / 4,
                               processor % 2);
    system.write("proc/cpuinfo", cpuinfo);
    const MachineDescription machine = read_machine(system.root());
    EXPECT_EQ(machine.sockets, 2);
    EXPECT_EQ(machine.cores, 4);
    EXPECT_EQ(machine.threads, 8);
}

TEST(ReadMachine, NamesAnArmServerByItsPartNumber) {
    const FakeSystem system;
    std::string cpuinfo;
    for (int processor = 0; processor < 4; ++processor) {
        cpuinfo += fmt::format("processor\t: {}\nBogoMIPS\t: 243.75\nFeatures\t: fp asimd aes asimddp\n"
                               "CPU implementer\t: 0x41\nCPU architecture: 8\nCPU part\t: 0xd0c\n\n",
                               processor);
        system.place(processor, 0, std::to_string(processor));
    }
    system.write("proc/cpuinfo", cpuinfo);
    system.online("0-3");
    const MachineDescription machine = read_machine(system.root());
    EXPECT_EQ(machine.cpu_model, "ARM Neoverse-N1");
    EXPECT_EQ(machine.float_lanes, 4);
    EXPECT_THAT(machine.instruction_sets, ElementsAre("asimd", "asimddp"));
    EXPECT_EQ(machine.cores, 4);
    EXPECT_EQ(machine.clock, std::nullopt);
}

TEST(ReadMachine, ListsBothKindsOfCoreOfAHybridProcessor) {
    const FakeSystem system;
    // One fast core with two threads and a cluster of two slow ones.
    system.online("0-3");
    for (int processor = 0; processor < 2; ++processor) {
        system.place(processor, 0, "0-1");
        system.cache(processor, 0, 1, "Data", "48K", "0-1");
        system.cache(processor, 1, 2, "Unified", "1280K", "0-1");
        system.cache(processor, 2, 3, "Unified", "12288K", "0-3");
        system.write(FakeSystem::of(processor) / "cpufreq/cpuinfo_max_freq", "4700000");
    }
    for (int processor = 2; processor < 4; ++processor) {
        system.place(processor, 0, std::to_string(processor));
        system.cache(processor, 0, 1, "Data", "32K", std::to_string(processor));
        system.cache(processor, 1, 2, "Unified", "2048K", "2-3");
        system.cache(processor, 2, 3, "Unified", "12288K", "0-3");
        system.write(FakeSystem::of(processor) / "cpufreq/cpuinfo_max_freq", "3500000");
    }
    const MachineDescription machine = read_machine(system.root());
    EXPECT_EQ(machine.cores, 3);
    EXPECT_EQ(machine.threads, 4);
    EXPECT_EQ(machine.clock, Gigahertz{4.7});
    EXPECT_THAT(machine.caches,
                ElementsAre(CacheLevel{1, 32u << 10, 64, 1, 2}, CacheLevel{1, 48u << 10, 64, 2, 1},
                            CacheLevel{2, 1280u << 10, 64, 2, 1}, CacheLevel{2, 2048u << 10, 64, 2, 1},
                            CacheLevel{3, 12288u << 10, 64, 4, 1}));
    EXPECT_TRUE(validate(machine).has_value());
}

TEST(ReadMachine, TakesTheLowerOfMemoryAndTheLimitsOfControlGroups) {
    const FakeSystem system;
    system.write("proc/meminfo", "MemTotal: 1048576 kB");
    system.write("proc/self/cgroup", "0::/system.slice/job.scope");
    system.write("sys/fs/cgroup/system.slice/job.scope/memory.max", "max");
    EXPECT_EQ(read_machine(system.root()).memory_bytes, 1u << 30);
    system.write("sys/fs/cgroup/system.slice/memory.max",
                 "536870912"); // the group around it is the narrower one
    EXPECT_EQ(read_machine(system.root()).memory_bytes, 1u << 29);
}

TEST(ReadMachine, KnowsControlGroupsOfVersionOne) {
    const FakeSystem system;
    system.write("proc/meminfo", "MemTotal: 1048576 kB");
    system.write("proc/self/cgroup", "5:cpu:/\n4:memory:/docker/abc\n0::/");
    system.write("sys/fs/cgroup/memory/memory.limit_in_bytes",
                 "9223372036854771712"); // its way to say: no limit
    EXPECT_EQ(read_machine(system.root()).memory_bytes, 1u << 30);
    system.write("sys/fs/cgroup/memory/docker/abc/memory.limit_in_bytes", "268435456");
    EXPECT_EQ(read_machine(system.root()).memory_bytes, 1u << 28);
}

TEST(ReadMachine, TreatsNonsenseAsUnknown) {
    const FakeSystem system;
    system.write("proc/cpuinfo",
                 "processor\t: 99999999999\nmodel name : x\n:\n\nprocessor : 0\ncpu MHz : fast");
    system.write("proc/meminfo", "MemTotal: lots");
    system.online("0-");
    system.cache(0, 0, 3, "Unified", "-1K", "0");
    system.cache(0, 1, 0, "Unified", "32K", "0");
    system.cache(0, 2, 2, "Unified", "99999999999999999999K", "0");
    const MachineDescription machine = read_machine(system.root());
    EXPECT_EQ(machine.threads, 1);
    EXPECT_EQ(machine.cpu_model, std::nullopt);
    EXPECT_EQ(machine.clock, std::nullopt);
    EXPECT_EQ(machine.memory_bytes, std::nullopt);
    EXPECT_TRUE(machine.caches.empty());
}

TEST(ReadMachine, IsUnknownThroughoutWhereThereIsNothingToRead) {
    const FakeSystem system;
    const MachineDescription machine = read_machine(system.root() / "absent");
    EXPECT_EQ(machine.name, "unknown processor");
    EXPECT_EQ(machine.threads, std::nullopt);
    EXPECT_TRUE(validate(machine).has_value());
}

TEST(ProcessorList, ReadsNumbersAndRanges) {
    EXPECT_THAT(*parse_processor_list("0-3,8"), ElementsAre(0, 1, 2, 3, 8));
    EXPECT_THAT(*parse_processor_list("5,1,5"), ElementsAre(1, 5));
    EXPECT_TRUE(parse_processor_list("")->empty());
}

TEST(ProcessorList, RefusesAnythingElse) {
    for (const char* text : {"x", "3-1", "-1", "1-", ",", "1;2", "70000", "0-4000000000"})
        EXPECT_FALSE(parse_processor_list(text).has_value()) << text;
}

constexpr Seconds tick(0.01);

TEST(BackgroundLoad, ReadsWhatTheProcessorsOfThisProcessDid) {
    const FakeSystem system;
    system.write("proc/stat", "cpu  999 0 0 999 0 0 0 0 0 0\n"
                              "cpu0 100 20 30 800 40 1 2 7 50 0\n"
                              "cpu1 0 0 0 1000 0 0 0 0 0 0\n"
                              "cpu10 500 0 0 500 0 0 0 0 0 0\n"
                              "intr 1 2 3");
    const SystemFiles files(system.root());
    const auto first = processor_time(files, {0}, tick);
    ASSERT_TRUE(first.has_value());
    EXPECT_NEAR(first->busy.count(), 1.6, 1e-9) << "all but idle and waiting for a disk; stolen time counts";
    EXPECT_NEAR(first->total.count(), 10, 1e-9) << "guests are part of user time";
    EXPECT_NEAR(first->stolen.count(), 0.07, 1e-9);
    EXPECT_NEAR(processor_time(files, {0, 1}, tick)->total.count(), 20, 1e-9);
    EXPECT_NEAR(processor_time(files, {1}, tick)->busy.count(), 0, 1e-9) << "cpu10 is another";
    EXPECT_FALSE(processor_time(files, {0, 2}, tick).has_value());
    EXPECT_FALSE(processor_time(SystemFiles("/nowhere"), {0}, tick).has_value());
}

TEST(WaitingTime, AddsUpWhatTheThreadsOfThisProcessWaited) {
    const FakeSystem system;
    EXPECT_FALSE(waiting_time(SystemFiles(system.root())).has_value());
    system.write("proc/self/task/10/schedstat", "7000000000 2000000000 31");
    system.write("proc/self/task/11/schedstat", "1 500000000 2");
    system.write("proc/self/task/12/status", "a kernel that counts nothing");
    EXPECT_EQ(waiting_time(SystemFiles(system.root())), Seconds(2.5));
}

class StolenTime : public ::testing::Test {
protected:
    /// Ticks of the one processor: its own, those that were stolen, and idle ones.
    void write(int own, int stolen, int idle) const {
        system_.write("proc/stat", fmt::format("cpu0 {} 0 0 {} 0 0 0 {} 0 0\n", own, idle, stolen));
    }
    const FakeSystem system_;
    StolenShare share_{[this] { return processor_time(SystemFiles(system_.root()), {0}, tick); }};
};

TEST_F(StolenTime, IsAShareOfTheBusyTime) {
    write(100, 50, 1000);
    share_.look(Seconds(10));
    write(160, 70, 1120);
    EXPECT_DOUBLE_EQ(share_.share(Seconds(10), Seconds(12)).value_or(-1), 0.25)
        << "20 of 80 ticks, whatever was idle beside them";
}

TEST_F(StolenTime, IsUnknownOverLessThanASecond) {
    write(0, 0, 0);
    share_.look(Seconds(10));
    write(1, 1, 0);
    EXPECT_EQ(share_.share(Seconds(10), Seconds(10.02)), std::nullopt) << "a few ticks tell nothing";
    EXPECT_EQ(share_.share(Seconds(10), Seconds(11)), 0.5);
}

TEST_F(StolenTime, OfAShortMeasurementIsThatOfTheSecondBefore) {
    write(0, 0, 0);
    share_.look(Seconds(10));
    write(100, 100, 0);
    share_.look(Seconds(11));
    write(200, 100, 0);
    share_.look(Seconds(12));
    write(210, 100, 0);
    EXPECT_EQ(share_.share(Seconds(12), Seconds(12.1)), 0.0) << "what was stolen before eleven is past";
    write(250, 150, 0);
    EXPECT_DOUBLE_EQ(share_.share(Seconds(12.1), Seconds(12.2)).value_or(-1), 0.25)
        << "50 of 200 ticks since eleven";
}

TEST_F(StolenTime, OfALongMeasurementIsThatOfAllOfIt) {
    write(0, 0, 0);
    share_.look(Seconds(10));
    write(100, 0, 0);
    share_.look(Seconds(20));
    write(160, 40, 0);
    EXPECT_DOUBLE_EQ(share_.share(Seconds(20), Seconds(60)).value_or(-1), 0.4);
}

TEST_F(StolenTime, OfAShortMeasurementIsUnknownWhereTheLastLookIsLongAgo) {
    write(0, 0, 0);
    share_.look(Seconds(10));
    write(1000, 1000, 0);
    share_.look(Seconds(300));
    write(1005, 1005, 0);
    EXPECT_EQ(share_.share(Seconds(300), Seconds(300.1)), std::nullopt) << "it would be that of five minutes";
    write(1105, 1005, 0);
    EXPECT_EQ(share_.share(Seconds(301.5), Seconds(301.6)), 0.0) << "the end of the last one is a look, too";
}

TEST_F(StolenTime, IsUnknownWhereLinuxHidesOrDoesNotCountIt) {
    share_.look(Seconds(10));
    EXPECT_EQ(share_.share(Seconds(10), Seconds(20)), std::nullopt) << "no such file";
    write(0, 0, 0);
    share_.look(Seconds(20));
    EXPECT_EQ(share_.share(Seconds(20), Seconds(30)), std::nullopt) << "a sandbox that shows zeros";
    write(100, 0, 0);
    EXPECT_EQ(share_.share(Seconds(30), Seconds(40)), std::nullopt) << "a computer without a hypervisor";
    system_.write("proc/stat", "cpu0 100 0 0 100\n");
    EXPECT_EQ(share_.share(Seconds(40), Seconds(50)), std::nullopt) << "a kernel without the column";
}

TEST(BackgroundLoad, IsWhatNeitherWasIdleNorOurs) {
    const ProcessorTime before{Seconds(5), Seconds(20)};
    const ProcessorTime after{Seconds(11), Seconds(28)};
    EXPECT_DOUBLE_EQ(share_of_others(before, after, Seconds(2)).value_or(-1), 0.5);
    EXPECT_DOUBLE_EQ(share_of_others(before, after, Seconds(6.01)).value_or(-1), 0);
    EXPECT_FALSE(share_of_others(before, before, Seconds(0)).has_value());
}

} // namespace
} // namespace sparsight
