// Machines to simulate: presets and families.
#include "domains/sparse/simulator/simulator.h"
#include "machine/machine_description.h"
#include "machine/machine_family.h"
#include "machine/machine_parameters.h"
#include "machine/machine_presets.h"
#include "machine/probe/processor_facts.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <gmock/gmock.h>
#include <map>
#include <ranges>
#include <set>

namespace sparsight {
namespace {

using ::testing::ElementsAre;

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

using Quantity = std::function<double(const MachineDescription&)>;

constexpr std::size_t many = 3000;

double parameter(const MachineDescription& machine, P which) {
    return resolve_parameters(machine).values[which];
}

/// Its last-level cache, whichever level that is.
double last_cache_of_core(const MachineDescription& machine) {
    return static_cast<double>(machine.all_last_caches_bytes().value()) / machine.cores.value();
}

double all_bandwidth(const MachineDescription& machine) {
    return machine.copy_bandwidth.all_threads.value().value;
}

/// Pearson's, of the logarithms.
double correlation(const std::vector<MachineDescription>& machines, const Quantity& a, const Quantity& b) {
    double sum_a = 0, sum_b = 0, squares_a = 0, squares_b = 0, products = 0;
    for (const MachineDescription& machine : machines) {
        const double x = std::log(a(machine));
        const double y = std::log(b(machine));
        sum_a += x, sum_b += y, squares_a += x * x, squares_b += y * y, products += x * y;
    }
    const auto n = static_cast<double>(machines.size());
    return (n * products - sum_a * sum_b) /
           std::sqrt((n * squares_a - sum_a * sum_a) * (n * squares_b - sum_b * sum_b));
}

TEST(MachineFamily, DrawsTheSameMachineWhateverElseIsDrawn) {
    const auto few = sample_machines(7, 3);
    const auto more = sample_machines(7, 20);
    EXPECT_TRUE(std::ranges::equal(few, more | std::views::take(3)));
    EXPECT_EQ(sampled_machine(7, 12), more[12]);
    EXPECT_EQ(more[12].name, "sampled-7-0012");
}

TEST(MachineFamily, DrawsOtherMachinesForAnotherSeedOrIndex) {
    std::set<std::string> fingerprints;
    std::set<double> costs;
    for (const std::uint64_t seed : {0, 1, 2})
        for (const MachineDescription& machine : sample_machines(seed, 100)) {
            fingerprints.insert(machine.fingerprint());
            costs.insert(machine.coefficients.at(P::DenseIteration));
        }
    EXPECT_EQ(fingerprints.size(), 300);
    EXPECT_GT(costs.size(), 200) << "but for those at the end of the range";
}

TEST(MachineFamily, IsTheSameInEveryBuild) {
    std::vector<int> cores;
    std::vector<int> lanes;
    for (const MachineDescription& machine : sample_machines(1, 8)) {
        cores.push_back(machine.cores.value());
        lanes.push_back(machine.float_lanes.value());
    }
    EXPECT_THAT(cores, ::testing::ElementsAre(1, 15, 2, 66, 4, 1, 123, 4));
    EXPECT_THAT(lanes, ::testing::ElementsAre(8, 16, 16, 16, 16, 8, 8, 2));
}

TEST(MachineFamily, HasMachinesThatCanBeAndThatAFileKeeps) {
    for (const MachineDescription& machine : sample_machines(3, many)) {
        EXPECT_EQ(machine.source, MachineSource::Simulated);
        const auto back = machine_from_text(machine_to_text(machine));
        ASSERT_TRUE(back) << machine.name << ": " << back.error().message;
        EXPECT_EQ(*back, machine);
        EXPECT_EQ(*machine.cores % *machine.sockets, 0);
        EXPECT_LE(machine.copy_bandwidth.one_thread, machine.copy_bandwidth.all_threads);
        for (const CacheLevel& cache : machine.caches)
            EXPECT_EQ(cache.instances.value() * cache.shared_by_threads.value(), machine.threads)
                << machine.name;
        for (const ParameterInfo& info : all_parameters())
            if (info.group == ParameterGroup::Code) {
                const double factor = machine.coefficients.at(info.parameter) / info.typical;
                EXPECT_LE(std::max(factor, 1 / factor), info.doubt * 1.001) << info.key;
            }
    }
}

TEST(MachineFamily, ReachesBothEndsOfEveryRangeAndLeavesNone) {
    struct Range {
        const char* what;
        double lowest;
        double highest;
        Quantity quantity;
    };
    const std::vector<Range> ranges{
        {"cores", 1, 128, [](auto& m) { return *m.cores; }},
        {"sockets", 1, 4, [](auto& m) { return *m.sockets; }},
        {"bandwidth", 5, 400, &all_bandwidth},
        {"lanes", 2, 16, [](auto& m) { return *m.float_lanes; }},
        {"clock", 1, 5, [](auto& m) { return m.clock->value; }},
        {"latency", 60, 200, [](auto& m) { return m.memory_latency->count(); }},
        {"chunk cost", 50, 2000, [](auto& m) { return m.chunk_cost->count(); }},
        {"last cache", 0.25 * (1 << 20), 32.0 * (1 << 20), &last_cache_of_core},
    };
    const auto machines = sample_machines(5, many);
    for (const auto& [what, lowest, highest, quantity] : ranges) {
        std::vector<double> values;
        for (const MachineDescription& machine : machines)
            values.push_back(quantity(machine));
        const auto [least, most] = std::ranges::minmax(values);
        EXPECT_GE(least, lowest * 0.98) << what;
        EXPECT_LE(most, highest * 1.001) << what;
        EXPECT_LE(least, lowest * 1.3) << what;
        EXPECT_GE(most, highest * 0.8) << what;
    }
}

TEST(MachineFamily, HasSmallAndLargeMachinesAlike) {
    const auto machines = sample_machines(5, many);
    for (int lowest = 1; lowest < 128; lowest *= 2) {
        const auto within = std::ranges::count_if(machines, [&](const MachineDescription& machine) {
            return *machine.cores >= lowest && *machine.cores < 2 * lowest;
        });
        EXPECT_GT(within, static_cast<long>(many / 15)) << lowest; // a seventh of them, if it were exact
    }
}

TEST(MachineFamily, VariesAlongTheLinesOfRealMachines) {
    const auto machines = sample_machines(5, many);
    const Quantity cores = [](auto& m) { return *m.cores; };
    EXPECT_GT(correlation(machines, cores, &all_bandwidth), 0.5);
    EXPECT_LT(correlation(machines, cores, &all_bandwidth), 0.95) << "not a function of each other";
    EXPECT_LT(correlation(machines, cores, [](auto& m) { return m.clock->value; }), -0.1);
    EXPECT_GT(correlation(machines, cores, [](auto& m) { return m.region_cost->count(); }), 0.3);
    EXPECT_GT(correlation(machines, cores, [](auto& m) { return m.chunk_cost->count(); }), 0.2);
    const double costs = correlation(
        machines, [](auto& m) { return parameter(m, P::DenseIteration); },
        [](auto& m) { return parameter(m, P::CompressedIteration); });
    EXPECT_GT(costs, 0.05) << "a slow core is slow at everything";
    EXPECT_LT(costs, 0.5) << "but a family of constant factors could teach nothing";
}

TEST(MachineFamily, KeepsTilesInRegistersOfHalfItsMachines) {
    const auto machines = sample_machines(5, many);
    const auto tiled = std::ranges::count_if(
        machines, [](const MachineDescription& m) { return parameter(m, P::Accumulators) > 0; });
    EXPECT_NEAR(static_cast<double>(tiled), many / 2.0, many * 0.05);
}

TEST(FamilyParts, SplitAFamilyByTheSharesThatWereAskedFor) {
    std::map<FamilyPart, double> count;
    for (std::uint64_t index = 0; index < many; ++index)
        ++count[family_part(5, index)];
    EXPECT_NEAR(count[FamilyPart::Train], many * 0.8, many * 0.03);
    EXPECT_NEAR(count[FamilyPart::Validation], many * 0.1, many * 0.02);
    EXPECT_NEAR(count[FamilyPart::Test], many * 0.1, many * 0.02);
    for (std::uint64_t index = 0; index < 100; ++index) {
        EXPECT_EQ(family_part(5, index, {1, 0}), FamilyPart::Train);
        EXPECT_EQ(family_part(5, index, {0, 0}), FamilyPart::Test);
    }
}

TEST(FamilyParts, StayWhereTheyAreAndDependOnTheSeed) {
    std::string parts;
    std::string of_another;
    for (std::uint64_t index = 0; index < 200; ++index) {
        EXPECT_EQ(family_part(5, index), family_part(5, index));
        parts += name(family_part(5, index));
        of_another += name(family_part(6, index));
    }
    EXPECT_NE(parts, of_another);
    for (std::uint64_t index = 0; index < 200; ++index)
        if (family_part(5, index, {0.5, 0.1}) == FamilyPart::Train) {
            EXPECT_EQ(family_part(5, index, {0.8, 0.1}), FamilyPart::Train)
                << "a larger share takes none away";
        }
}

TEST(UsualRange, OfEveryParameterIsWithinWhatItAccepts) {
    for (const ParameterInfo& info : all_parameters()) {
        const ParameterRange range = usual_range(info.parameter);
        EXPECT_GT(range.lowest, 0) << info.key;
        EXPECT_GE(range.lowest, std::min(info.lowest, range.lowest)) << info.key;
        EXPECT_LT(range.lowest, range.highest) << info.key;
        EXPECT_LE(range.highest, info.highest) << info.key;
    }
}

TEST(UsualRange, HoldsEveryValueOfEveryPreset) {
    for (const MachinePreset& preset : machine_presets()) {
        const MachineParameters machine = resolve_parameters(preset.machine).values;
        for (const ParameterInfo& info : all_parameters()) {
            const double value = machine[info.parameter];
            const ParameterRange range = usual_range(info.parameter, value);
            if (value > 0) {
                EXPECT_LE(range.lowest, value) << info.key << " of " << preset.key;
                EXPECT_GE(range.highest, value) << info.key << " of " << preset.key;
            }
        }
    }
}

TEST(UsualRange, IsWidenedByAValueOutsideOfIt) {
    EXPECT_EQ(usual_range(P::Cores), (ParameterRange{1, 128}));
    EXPECT_EQ(usual_range(P::Cores, 512), (ParameterRange{1, 512}));
    EXPECT_EQ(usual_range(P::SocketBandwidth, 2), (ParameterRange{2, 400}));
    EXPECT_EQ(usual_range(P::L3Bytes, 0), usual_range(P::L3Bytes)) << "no cache has no place on a log scale";
}

TEST(StepsOver, AreTheSameFactorApartAndHaveBothEnds) {
    EXPECT_THAT(steps_over(P::SocketBandwidth, {5, 80}, 5), ElementsAre(5, 10, 20, 40, 80));
}

TEST(StepsOver, CountInWholeNumbersWithoutRepeatingOne) {
    EXPECT_THAT(steps_over(P::Cores, {1, 4}, 9), ElementsAre(1, 2, 3, 4));
}

TEST(StepsOver, LanesArePowersOfTwo) {
    EXPECT_THAT(steps_over(P::Lanes, {1, 16}, 32), ElementsAre(1, 2, 4, 8, 16));
}

} // namespace
} // namespace sparsight
