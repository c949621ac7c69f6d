#include "machine/machine_presets.h"

#include "domains/sparse/simulator/simulator.h"
#include "machine/machine_json.h"
#include "machine/machine_parameters.h"
#include "machine/probe/processor_facts.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <set>

namespace sparsight {
namespace {

using P = MachineParameter;

MachineParameters parameters_of(std::string_view preset) {
    return resolve_parameters(find_machine_preset(preset).value().machine).values;
}

bool is_of_the_report(const MachinePreset& preset) {
    return preset.key.starts_with("report-");
}

TEST(MachinePresets, CanBeAndAreKeptByAFile) {
    for (const MachinePreset& preset : machine_presets()) {
        EXPECT_TRUE(validate(preset.machine))
            << preset.key << ": " << validate(preset.machine).error().message;
        EXPECT_EQ(preset.machine.source, MachineSource::Simulated) << preset.key;
        const auto back = machine_from_text(machine_to_text(preset.machine));
        ASSERT_TRUE(back) << back.error().message;
        EXPECT_EQ(*back, preset.machine);
    }
}

TEST(MachinePresets, HaveKeysAndNamesOfTheirOwnAndASource) {
    std::set<std::string> words;
    std::set<std::string> fingerprints;
    for (const MachinePreset& preset : machine_presets()) {
        EXPECT_TRUE(words.insert(std::string(preset.key)).second) << preset.key;
        EXPECT_TRUE(words.insert(preset.machine.name).second) << preset.machine.name;
        EXPECT_TRUE(fingerprints.insert(preset.machine.fingerprint()).second) << preset.key;
        EXPECT_FALSE(preset.source.empty()) << preset.key;
        EXPECT_FALSE(preset.note.empty()) << preset.key << " has estimates, and does not say which";
        EXPECT_EQ(preset.source.find('\n'), std::string_view::npos) << preset.key;
    }
}

TEST(MachinePresets, AreFoundByKeyAndByName) {
    EXPECT_EQ(find_machine_preset("epyc-7543")->machine.name, "EPYC 7543");
    EXPECT_EQ(find_machine_preset("xeon e5-2680 V3")->key, "xeon-e5-2680-v3");
    EXPECT_EQ(find_machine_preset("A")->machine, report_machine_a());
    EXPECT_EQ(find_machine_preset("epyc"), std::nullopt);
}

TEST(MachinePresets, LeaveLittleOfTheHardwareToAssumptions) {
    const std::set allowed{P::UnrolledExtent,    P::SmtGain,       P::LoneGain,    P::Accumulators,
                           P::L3Caches,          P::L2Bandwidth,   P::L3Bandwidth, P::L3Latency,
                           P::OutstandingMisses, P::RemotePenalty, P::Overlap};
    for (const MachinePreset& preset : machine_presets()) {
        if (is_of_the_report(preset))
            continue;
        for (const P parameter : resolve_parameters(preset.machine).assumed) {
            const ParameterInfo& info = parameter_info(parameter);
            const bool is_hardware =
                info.group == ParameterGroup::Hardware || info.group == ParameterGroup::Memory;
            EXPECT_TRUE(!is_hardware || allowed.contains(parameter)) << preset.key << ": " << info.key;
        }
    }
}

TEST(MachinePresets, HaveFactsThatAgreeWithEachOther) {
    for (const MachinePreset& preset : machine_presets()) {
        if (is_of_the_report(preset))
            continue;
        const MachineDescription& machine = preset.machine;
        EXPECT_EQ(machine.float_lanes, float_lanes(machine.instruction_sets)) << preset.key;
        EXPECT_EQ(machine.cores.value() % machine.sockets.value(), 0) << preset.key;
        EXPECT_EQ(machine.threads.value() % machine.cores.value(), 0) << preset.key;
        EXPECT_LE(machine.copy_bandwidth.one_thread->value, machine.copy_bandwidth.all_threads->value)
            << preset.key;
        for (const CacheLevel& cache : machine.caches)
            EXPECT_EQ(cache.instances.value() * cache.shared_by_threads.value(), machine.threads)
                << preset.key << ", level " << cache.level;
        const MachineParameters values = resolve_parameters(machine).values;
        EXPECT_GE(values[P::L2Bytes], 4 * values[P::L1Bytes]) << preset.key;
        EXPECT_LT(values[P::CoreBandwidth], values[P::SocketBandwidth] + 1) << preset.key;
        EXPECT_TRUE(values[P::L3Bytes] == 0 || values[P::L3Bandwidth] > values[P::CoreBandwidth])
            << preset.key;
    }
}

TEST(MachinePresets, SayOfAServerWithManyLastCachesWhatTheyHoldTogether) {
    const MachineParameters values = parameters_of("epyc-7543");
    EXPECT_EQ(values[P::Sockets], 2);
    EXPECT_EQ(values[P::Cores], 64);
    EXPECT_EQ(values[P::Threads], 128);
    EXPECT_EQ(values[P::L2Bytes], 512 << 10);
    EXPECT_EQ(values[P::L3Bytes], 2.0 * 8 * (32 << 20));
    EXPECT_NEAR(values[P::SocketBandwidth], 0.78 * 204.8, 1e-9) << "eight channels of DDR4-3200";
}

TEST(MachinePresets, KnowWacosMachine) {
    const MachineParameters values = parameters_of("xeon-e5-2680-v3");
    EXPECT_EQ(values[P::Cores], 24);
    EXPECT_EQ(values[P::Threads], 48);
    EXPECT_EQ(values[P::Lanes], 8);
    EXPECT_EQ(values[P::L3Bytes], 2.0 * (30 << 20));
}

TEST(MachinePresets, ShareTheLastCacheOfAMachineOfTwoLevels) {
    const MachineParameters values = parameters_of("embedded-quad-core");
    EXPECT_EQ(values[P::L3Bytes], 0);
    EXPECT_EQ(values[P::L2Bytes], 256 << 10) << "a quarter of the megabyte";
}

TEST(MachinePresets, UpdateMemoryWhereTheRecordedKernelsDo) {
    std::set<std::string_view> updating;
    for (const MachinePreset& preset : machine_presets())
        if (resolve_parameters(preset.machine).values[P::Accumulators] == 0)
            updating.insert(preset.key);
    EXPECT_EQ(updating, (std::set<std::string_view>{"xeon-e5-2680-v3", "xeon-platinum-8272cl", "epyc-7543",
                                                    "collected-32-threads"}));
}

TEST(MachinePresets, LetTheReportsMachinesBeSimulatedByItsFormula) {
    EXPECT_DOUBLE_EQ(paper_factor(report_machine_a()).value(), 1.2 / (8 * 50));
    EXPECT_DOUBLE_EQ(paper_factor(report_machine_b()).value(), 1.0 / (16 * 80));
}

} // namespace
} // namespace sparsight
