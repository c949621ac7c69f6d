#include "machine/machine_description.h"

#include "machine/machine_parameters.h"

#include <functional>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace sparsight {
namespace {

using ::testing::HasSubstr;

MachineDescription laptop() {
    MachineDescription machine;
    machine.name = "laptop \"Ünal\"";
    machine.source = MachineSource::Probed;
    machine.date = "2025-01-31T12:34:56Z";
    machine.cpu_model = "Core i3";
    machine.architecture = "x86_64";
    machine.sockets = 1;
    machine.cores = 2;
    machine.threads = 4;
    machine.numa_nodes = 1;
    machine.clock = Gigahertz{3.2};
    machine.float_lanes = 8;
    machine.instruction_sets = {"avx2", "fma"};
    machine.caches = {{1, 48u << 10, 64, 2, 2}, {2, 512u << 10, 64, 2, 2}, {3, 4u << 20, 64, 4, 1}};
    machine.memory_bytes = std::uint64_t{8} << 30;
    machine.copy_bandwidth = {GigabytesPerSecond{12.5}, GigabytesPerSecond{0.1 + 0.2}};
    machine.memory_latency = Nanoseconds(87.25);
    machine.peak_fma = {GigaflopsPerSecond{50}, GigaflopsPerSecond{100}};
    return machine;
}

/// With every field that a simulation asks for.
MachineDescription imagined() {
    MachineDescription machine = laptop();
    machine.source = MachineSource::Simulated;
    machine.smt_gain = 1.25;
    machine.l3_bandwidth = GigabytesPerSecond{17.5};
    machine.outstanding_misses = 12;
    machine.remote_penalty = 1.75;
    machine.region_cost = Nanoseconds(4500);
    machine.chunk_cost = Nanoseconds(80.5);
    machine.noise = 0;
    machine.coefficients = {{MachineParameter::Accumulators, 0},
                            {MachineParameter::DenseIteration, 0.1 + 0.2}};
    return machine;
}

TEST(MachineValidation, AcceptsWhatIsKnownAndWhatIsUnknown) {
    EXPECT_TRUE(validate(laptop()).has_value());
    EXPECT_TRUE(validate(imagined()).has_value());
    MachineDescription unknown;
    unknown.name = "nothing is known of it";
    EXPECT_TRUE(validate(unknown).has_value());
}

TEST(MachineValidation, SaysWhatIsWrongAndWhatWasExpected) {
    struct Case {
        std::function<void(MachineDescription&)> spoil;
        const char* message;
    };
    const std::vector<Case> cases{
        {[](auto& m) { m.name.clear(); }, "the name of the machine is empty: expected a name"},
        {[](auto& m) { m.cores = 0; }, "cores is 0: expected 1 to 1000000"},
        {[](auto& m) { m.sockets = 3; }, "cores is 2: expected at least one for each of the 3 sockets"},
        {[](auto& m) { m.threads = 1; }, "threads is 1: expected at least one for each of the 2 cores"},
        {[](auto& m) { m.clock = Gigahertz{-1}; },
         "the clock in GHz is -1: expected a number above 0 and at most 100"},
        {[](auto& m) { m.float_lanes = 2000; }, "float_lanes is 2000: expected at most 1024"},
        {[](auto& m) { m.caches[1].bytes = 0; },
         "the size of a level 2 cache is 0: expected 1 byte to 256 TiB"},
        {[](auto& m) { m.caches[0].line_bytes = 48; },
         "the line size of a cache is 48: expected a power of two"},
        {[](auto& m) { m.caches[0].shared_by_threads = 0; }, "the number of threads that share a cache is 0"},
        {[](auto& m) { m.caches[0].level = 0; }, "the level of a cache is 0: expected 1 to 8"},
        {[](auto& m) { std::swap(m.caches[0], m.caches[2]); },
         "the level of the cache after a level 3 is 2: expected the levels in ascending order"},
        {[](auto& m) { m.memory_bytes = 0; }, "memory_bytes is 0: expected more than 0"},
        {[](auto& m) { m.copy_bandwidth.all_threads = GigabytesPerSecond{0}; },
         "the copy bandwidth in GB/s is 0"},
        {[](auto& m) { m.memory_latency = Nanoseconds(std::nan("")); }, "the memory latency in ns is nan"},
        {[](auto& m) { m.peak_fma.one_thread = GigaflopsPerSecond{1e13}; },
         "the peak FMA rate in GFLOP/s is"},
        {[](auto& m) { m.smt_gain = 0.9; }, "smt_gain is 0.9: expected a number from 1 to 2"},
        {[](auto& m) { m.l3_bandwidth = GigabytesPerSecond{0}; },
         "the level 3 bandwidth in GB/s is 0: expected a number from 0.5 to 1000 GB/s"},
        {[](auto& m) { m.outstanding_misses = std::nan(""); },
         "outstanding_misses is nan: expected a number from 1 to 128"},
        {[](auto& m) { m.remote_penalty = 0.5; }, "remote_penalty is 0.5: expected a number from 1 to 20"},
        {[](auto& m) { m.region_cost = Nanoseconds(3e6); },
         "the cost of a parallel region in µs is 3000: expected a number from 0.01 to 2000 µs"},
        {[](auto& m) { m.chunk_cost = Nanoseconds(0); },
         "the cost of a chunk in µs is 0: expected a number from 0.001 to 50 µs"},
        {[](auto& m) { m.noise = -0.1; }, "noise is -0.1: expected a number from 0 to 2"},
        {[](auto& m) { m.coefficients[MachineParameter::TileVector] = 101; },
         "the coefficient tile_vector is 101: expected a number from 0.05 to 100 cycles"},
        {[](auto& m) { m.coefficients[MachineParameter::Lanes] = 7.5; },
         "the coefficient lanes is 7.5: expected a whole number"},
        {[](auto& m) { m.coefficients[MachineParameter::Cores] = 5; },
         "the coefficient threads is 4: expected at least one for each of the 5 cores"},
        {[](auto& m) { m.coefficients[MachineParameter::Sockets] = 3; },
         "the coefficient cores is 2: expected at least one for each of the 3 sockets"},
    };
    for (const auto& [spoil, message] : cases) {
        MachineDescription machine = laptop();
        spoil(machine);
        const auto valid = validate(machine);
        ASSERT_FALSE(valid.has_value()) << message;
        EXPECT_EQ(valid.error().fault, Fault::Input);
        EXPECT_THAT(valid.error().message, HasSubstr(message));
    }
}

TEST(MachineFingerprint, DoesNotChangeWithWhatIsMeasuredOrRenamed) {
    MachineDescription machine = laptop();
    machine.name = "my laptop";
    machine.date = "2031-01-01T00:00:00Z";
    machine.copy_bandwidth = {};
    machine.memory_latency = Nanoseconds(1);
    machine.peak_fma.all_threads = GigaflopsPerSecond{1};
    machine.clock = Gigahertz{1};
    machine.memory_bytes = 1;
    EXPECT_EQ(machine.fingerprint(), laptop().fingerprint());
}

TEST(MachineFingerprint, ChangesWithEachThingThatIsBuiltIn) {
    const std::vector<std::function<void(MachineDescription&)>> changes{
        [](auto& m) { m.source = MachineSource::Simulated; },
        [](auto& m) { m.cpu_model = "Core i5"; },
        [](auto& m) { m.architecture.reset(); },
        [](auto& m) { m.sockets = 2; },
        [](auto& m) { m.cores = 4; },
        [](auto& m) { m.threads = 2; },
        [](auto& m) { m.numa_nodes = 2; },
        [](auto& m) { m.float_lanes = 4; },
        [](auto& m) { m.instruction_sets.pop_back(); },
        [](auto& m) { m.caches[2].bytes *= 2; },
        [](auto& m) { m.caches.pop_back(); },
    };
    for (std::size_t i = 0; i < changes.size(); ++i) {
        MachineDescription machine = laptop();
        changes[i](machine);
        EXPECT_NE(machine.fingerprint(), laptop().fingerprint()) << "change " << i;
    }
}

TEST(MachineFingerprint, IsTheSameInEveryBuildBecauseWorkspacesStoreIt) {
    EXPECT_EQ(laptop().fingerprint(), "6d97046793537314");
}

TEST(MachineFingerprint, OfACalibratedComputerIsThatOfTheComputer) {
    MachineDescription machine = imagined();
    machine.source = MachineSource::Probed;
    EXPECT_EQ(machine.fingerprint(), laptop().fingerprint());
}

TEST(MachineFingerprint, TellsSimulatedMachinesApartByEveryNumberThatWasChosen) {
    const std::vector<std::function<void(MachineDescription&)>> changes{
        [](auto& m) { m.clock = Gigahertz{1}; },
        [](auto& m) { m.memory_bytes = 1; },
        [](auto& m) { m.copy_bandwidth.one_thread = GigabytesPerSecond{1}; },
        [](auto& m) { m.copy_bandwidth.all_threads = GigabytesPerSecond{1}; },
        [](auto& m) { m.memory_latency = Nanoseconds(1); },
        [](auto& m) { m.peak_fma.one_thread.reset(); },
        [](auto& m) { m.peak_fma.all_threads.reset(); },
        [](auto& m) { m.smt_gain.reset(); },
        [](auto& m) { m.l3_bandwidth = GigabytesPerSecond{1}; },
        [](auto& m) { m.outstanding_misses = 13; },
        [](auto& m) { m.remote_penalty = 2; },
        [](auto& m) { m.region_cost = Nanoseconds(4501); },
        [](auto& m) { m.chunk_cost = Nanoseconds(81); },
        [](auto& m) { m.noise = 0.01; },
        [](auto& m) { m.coefficients[MachineParameter::Accumulators] = 1; },
        [](auto& m) { m.coefficients.erase(MachineParameter::DenseIteration); },
    };
    for (std::size_t i = 0; i < changes.size(); ++i) {
        MachineDescription machine = imagined();
        changes[i](machine);
        EXPECT_NE(machine.fingerprint(), imagined().fingerprint()) << "change " << i;
    }
    MachineDescription later = imagined();
    later.date = "2031-01-01T00:00:00Z";
    EXPECT_EQ(later.fingerprint(), imagined().fingerprint());
}

TEST(MachineFingerprint, TellsSimulatedMachinesApartByName) {
    MachineDescription a = laptop();
    a.source = MachineSource::Simulated;
    MachineDescription b = a;
    b.name = "another";
    EXPECT_NE(a.fingerprint(), b.fingerprint());
}

TEST(MachineJson, RoundTripsEveryFieldExactly) {
    const auto back = machine_from_text(machine_to_text(laptop()));
    ASSERT_TRUE(back.has_value()) << back.error().message;
    EXPECT_EQ(*back, laptop());
    const auto also_back = machine_from_text(machine_to_text(imagined()));
    ASSERT_TRUE(also_back.has_value()) << also_back.error().message;
    EXPECT_EQ(*also_back, imagined());
}

TEST(MachineJson, ReadsWhatWasWrittenBeforeThereWasASimulation) {
    auto json = machine_to_json(laptop());
    ASSERT_TRUE(json.contains("simulation"));
    json.erase("simulation");
    const auto back = machine_from_json(json);
    ASSERT_TRUE(back.has_value()) << back.error().message;
    EXPECT_EQ(*back, laptop());
}

TEST(MachineJson, KeepsACoefficientOfEveryParameter) {
    MachineDescription machine = laptop();
    for (const ParameterInfo& info : all_parameters())
        machine.coefficients[info.parameter] = info.highest;
    const auto back = machine_from_text(machine_to_text(machine));
    ASSERT_TRUE(back.has_value()) << back.error().message;
    EXPECT_EQ(*back, machine);
}

TEST(MachineJson, WritesTheUnknownAsNull) {
    MachineDescription unknown;
    unknown.name = "x";
    const auto json = machine_to_json(unknown);
    EXPECT_TRUE(json["cpu"]["cores"].is_null());
    EXPECT_TRUE(json["measured"]["memory_latency_ns"].is_null());
    const auto back = machine_from_json(json);
    ASSERT_TRUE(back.has_value()) << back.error().message;
    EXPECT_EQ(*back, unknown);
}

TEST(MachineJson, KeepsWhatACalibrationTellsAndReadsFilesFromBeforeItDid) {
    MachineDescription calibrated = laptop();
    calibrated.coefficients[MachineParameter::Overlap] = 2;
    calibrated.calibration = {{{MachineParameter::Overlap, 0.25}},
                              {"cage8", "bcsstk17"},
                              CrossValidation{"spmm", 256, {0.43, 0.7, 0.3, 0.6, 1.2, 1.1, 1.05, 2.6}}};
    auto json = machine_to_json(calibrated);
    EXPECT_EQ(*machine_from_json(json), calibrated);
    json["simulation"].erase("calibration");
    calibrated.calibration = {};
    EXPECT_EQ(*machine_from_json(json), calibrated);
}

TEST(MachineJson, NamesTheFieldThatIsWrongAndWhatWasExpected) {
    using Json = nlohmann::ordered_json;
    struct Case {
        std::function<void(Json&)> spoil;
        const char* message;
    };
    const std::vector<Case> cases{
        {[](Json& j) { j = Json::array(); }, "the machine is a list: expected an object"},
        {[](Json& j) { j["format"] = 2; }, "format is 2: expected 1, the only one that this version reads"},
        {[](Json& j) { j.erase("format"); }, "format is missing: expected a whole number"},
        {[](Json& j) { j["name"] = 5; }, "name is 5: expected a text"},
        {[](Json& j) { j["source"] = "dreamt"; },
         R"(source is "dreamt": expected "probed", "simulated" or "recorded")"},
        {[](Json& j) { j["cpu"]["cores"] = "two"; },
         R"(cpu.cores is "two": expected a whole number, or null where it is unknown)"},
        {[](Json& j) { j["cpu"]["cores"] = -2; }, "cpu.cores is -2: expected a whole number"},
        {[](Json& j) { j["cpu"]["cores"] = 1.5; }, "cpu.cores is 1.5: expected a whole number"},
        {[](Json& j) { j["cpu"]["cores"] = 5'000'000'000; },
         "cpu.cores is 5000000000: expected a whole number"},
        {[](Json& j) { j["cpu"].erase("threads"); },
         "cpu.threads is missing: expected a whole number, or null where it is unknown"},
        {[](Json& j) { j["cpu"] = nullptr; }, "cpu is null: expected an object"},
        {[](Json& j) { j["cpu"]["instruction_sets"] = {"avx2", 3}; },
         "cpu.instruction_sets is a list: expected a list of texts"},
        {[](Json& j) { j["caches"] = 7; }, "caches is 7: expected a list of objects"},
        {[](Json& j) { j["caches"][1] = 7; }, "caches[1] is 7: expected an object"},
        {[](Json& j) { j["caches"][2]["bytes"] = nullptr; },
         "caches[2].bytes is null: expected a whole number"},
        {[](Json& j) { j["memory"]["colour"] = "red"; },
         R"(memory.colour is "red": expected only the fields bytes, numa_nodes)"},
        {[](Json& j) { j["measured"]["memory_latency_ns"] = Json::array({1}); },
         "measured.memory_latency_ns is a list: expected a number, or null where it is unknown"},
        {[](Json& j) { j["cpu"]["cores"] = 0; }, "cores is 0: expected 1 to 1000000"},
        {[](Json& j) { j["simulation"] = 3; }, "simulation is 3: expected an object"},
        {[](Json& j) { j["simulation"].erase("noise"); },
         "simulation.noise is missing: expected a number, or null where it is unknown"},
        {[](Json& j) { j["simulation"]["smt_gain"] = "some"; },
         R"(simulation.smt_gain is "some": expected a number, or null where it is unknown)"},
        {[](Json& j) { j["simulation"]["smt_gain"] = 3; }, "smt_gain is 3: expected a number from 1 to 2"},
        {[](Json& j) { j["simulation"]["coefficients"] = Json::array(); },
         "simulation.coefficients is a list: expected an object of numbers"},
        {[](Json& j) { j["simulation"]["coefficients"]["speed"] = 3; },
         "simulation.coefficients.speed is 3: expected only the parameters sockets, cores,"},
        {[](Json& j) { j["simulation"]["coefficients"]["lanes"] = nullptr; },
         "simulation.coefficients.lanes is null: expected a number from 1 to 64"},
        {[](Json& j) { j["simulation"]["coefficients"]["overlap"] = 9; },
         "the coefficient overlap is 9: expected a number from 1 to 8"},
        {[](Json& j) { j["simulation"]["calibration"]["doubt_left"]["overlap"] = "some"; },
         R"(simulation.calibration.doubt_left.overlap is "some": expected a number from 0 to 1)"},
        {[](Json& j) { j["simulation"]["calibration"]["doubt_left"]["overlap"] = 1.5; },
         "the doubt that is left about overlap is 1.5: expected a number from 0 to 1"},
        {[](Json& j) { j["simulation"]["calibration"]["fitted_matrices"] = 3; },
         "simulation.calibration.fitted_matrices is 3: expected a list of texts"},
        {[](Json& j) { j["simulation"]["calibration"]["cross_validation"] = {{"operator", 3}}; },
         "simulation.calibration.cross_validation.operator is 3: expected a text"},
    };
    for (const auto& [spoil, message] : cases) {
        Json json = machine_to_json(imagined());
        spoil(json);
        const auto machine = machine_from_text(json.dump());
        ASSERT_FALSE(machine.has_value()) << message;
        EXPECT_EQ(machine.error().fault, Fault::Input);
        EXPECT_THAT(machine.error().message, HasSubstr(message));
    }
}

TEST(MachineJson, ReadsWhatTheCommandLinePrintsOfAMachine) {
    auto json = machine_to_json(imagined());
    json["fingerprint"] = imagined().fingerprint();
    json["parameters"] = nlohmann::ordered_json::array();
    EXPECT_FALSE(machine_from_text(json.dump()).has_value()) << "a workspace has only machines";
    const auto machine = machine_from_printed_text(json.dump());
    ASSERT_TRUE(machine.has_value()) << machine.error().message;
    EXPECT_EQ(*machine, imagined());
    EXPECT_EQ(machine_from_printed_text("{\n  oops\n}").error().line, 2);
    EXPECT_FALSE(machine_from_printed_text(std::string(1'000'000, '[')).has_value());
}

TEST(MachineJson, SaysOnWhichLineBrokenJsonBreaks) {
    const auto machine = machine_from_text("{\n  \"format\": 1,\n  oops\n}");
    ASSERT_FALSE(machine.has_value());
    EXPECT_EQ(machine.error().line, 3);
    EXPECT_THAT(machine.error().message, HasSubstr("this is not JSON"));
}

TEST(MachineJson, RefusesEmptyTruncatedAndHostileText) {
    const std::string good = machine_to_text(laptop());
    for (std::size_t length = 0; length + 2 < good.size(); ++length)
        ASSERT_FALSE(machine_from_text(good.substr(0, length)).has_value()) << length;
    EXPECT_FALSE(machine_from_text(std::string(1'000'000, '[')).has_value());
    EXPECT_FALSE(machine_from_text(std::string(200'000, '[') + std::string(200'000, ']')).has_value());
    EXPECT_FALSE(machine_from_text(R"({"format": 1e999})").has_value());
    EXPECT_FALSE(machine_from_text("{\"name\": \"\xff\"}").has_value());
}

TEST(MachineSourceNames, RoundTrip) {
    for (const auto source : {MachineSource::Probed, MachineSource::Simulated, MachineSource::Recorded})
        EXPECT_EQ(parse_machine_source(name(source)), source);
    EXPECT_EQ(parse_machine_source("Probed"), std::nullopt);
}

} // namespace
} // namespace sparsight
