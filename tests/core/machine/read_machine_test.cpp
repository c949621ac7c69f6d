#include "fake_system.h"
#include "machine/probe.h"
#include "machine/system_files.h"

#include <gmock/gmock.h>

namespace sparsight {
namespace {

using ::testing::ElementsAre;
using testing::FakeSystem;

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

} // namespace
} // namespace sparsight
