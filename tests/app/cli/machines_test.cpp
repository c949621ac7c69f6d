#include "app/cli/cli_fixture.h"
#include "machine/machine_presets.h"
#include "store/machines.h"
#include "store/workspace.h"

namespace sparsight::testing {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;

class Machine : public CliTest {
protected:
    /// Of the parameter in what `machine show --json` prints.
    static Json parameter(const Json& shown, const std::string& key) {
        for (const Json& each : shown["parameters"])
            if (each["key"] == key)
                return each;
        return {};
    }
};

TEST_F(Machine, IsProbedAndRememberedWhereThereIsAWorkspace) {
    const Json probed = answer({"machine", "probe", "--facts-only"});
    EXPECT_EQ(keys(probed), (Words{"fingerprint", "format", "name", "source", "date", "cpu", "caches",
                                   "memory", "measured", "simulation"}));
    EXPECT_EQ(probed["source"], "probed");
    EXPECT_TRUE(std::filesystem::is_empty(folder())) << "no workspace is made for it";

    ASSERT_EQ(run({"new"}).exit_code, 0);
    ASSERT_EQ(run({"machine", "probe", "--facts-only"}).exit_code, 0);
    const Json machines = answer({"machine", "list"});
    ASSERT_EQ(machines.size(), 1);
    EXPECT_EQ(keys(machines[0]), (Words{"name", "fingerprint", "probed", "description"}));
    EXPECT_EQ(machines[0]["fingerprint"], probed["fingerprint"]);
    EXPECT_EQ(machines[0]["description"]["cpu"], probed["cpu"]);
    EXPECT_TRUE(machines[0]["probed"].is_string());
    ASSERT_EQ(run({"machine", "add", "--preset", "laptop"}).exit_code, 0);
    EXPECT_EQ(answer({"machine", "list"})[1]["probed"], nullptr) << "nobody has it here";
    EXPECT_THAT(run({"machine", "list"}).out, ::testing::ContainsRegex("simulated[^\n]*[0-9.?] *\n"));
}

TEST_F(Machine, KeepsWhatWasMeasuredWhenOnlyFactsAreAskedForLater) {
    ASSERT_EQ(run({"new"}).exit_code, 0);
    const Json measured = answer({"machine", "probe"})["measured"];
    EXPECT_TRUE(measured["copy_gb_per_s_one_thread"].is_number());
    ASSERT_EQ(run({"machine", "probe", "--facts-only"}).exit_code, 0);
    EXPECT_EQ(answer({"machine", "list"})[0]["description"]["measured"], measured);
}

TEST_F(Machine, OfImportedTimesIsRecordedThoughItWasProbedElsewhere) {
    ASSERT_EQ(run({"new"}).exit_code, 0);
    {
        auto workspace = *Workspace::open(folder() / "workspace.sparsight");
        MachineDescription elsewhere = find_machine_preset("laptop")->machine;
        elsewhere.source = MachineSource::Probed;
        ASSERT_TRUE(record_machine(workspace, "elsewhere", "recorded:demo", machine_to_text(elsewhere)));
    }
    EXPECT_THAT(run({"machine", "list"}).out, ContainsRegex("elsewhere +recorded +recorded:demo"));
    const std::string shown = run({"machine", "show", "elsewhere"}).out;
    EXPECT_THAT(shown, ContainsRegex("kind +recorded\n"));
    EXPECT_THAT(shown, HasSubstr("the workspace: a recorded machine"));
}

TEST_F(Machine, ThatIsShownIsThisComputerUnlessAnotherIsNamed) {
    const Json here = answer({"machine", "show"});
    EXPECT_EQ(here["source"], "probed");
    EXPECT_EQ(parameter(here, "threads")["value"], here["cpu"]["threads"]);
    EXPECT_EQ(parameter(here, "socket_gb_per_s")["assumed"], true) << "nothing was measured";
    EXPECT_TRUE(std::filesystem::is_empty(folder())) << "showing makes nothing";

    ASSERT_EQ(run({"new"}).exit_code, 0);
    ASSERT_EQ(run({"machine", "probe"}).exit_code, 0);
    EXPECT_EQ(parameter(answer({"machine", "show"}), "socket_gb_per_s")["assumed"], false);
    EXPECT_EQ(parameter(answer({"machine", "show"}), "socket_gb_per_s")["origin"], "measured");
}

TEST_F(Machine, ThatIsShownHasEveryParameterWithItsUnitAndWhereItIsFrom) {
    const Json shown = answer({"machine", "show", "epyc-7543"});
    EXPECT_EQ(keys(shown), (Words{"fingerprint", "format", "name", "source", "date", "cpu", "caches",
                                  "memory", "measured", "simulation", "origin", "note", "parameters"}));
    EXPECT_EQ(parameter(shown, "cores"), (Json{{"key", "cores"},
                                               {"value", 64.0},
                                               {"unit", ""},
                                               {"assumed", false},
                                               {"origin", "stated"},
                                               {"doubt_left", nullptr}}));
    EXPECT_EQ(parameter(shown, "memory_latency_ns")["unit"], "ns");
    EXPECT_EQ(parameter(shown, "dense_iteration")["assumed"], true);
    EXPECT_EQ(parameter(shown, "accumulators"), (Json{{"key", "accumulators"},
                                                      {"value", 0.0},
                                                      {"unit", ""},
                                                      {"assumed", false},
                                                      {"origin", "stated"},
                                                      {"doubt_left", nullptr}}));

    const std::string text = run({"machine", "show", "epyc-7543"}).out;
    EXPECT_THAT(text, HasSubstr("EPYC 7543\n"));
    EXPECT_THAT(text, ::testing::ContainsRegex("dense_iteration +1.5 +cycles +typical"));
    EXPECT_THAT(text, ::testing::ContainsRegex("l3_bytes +512.* MiB"));
}

TEST_F(Machine, IsNotShownWhereNoneIsOfThisName) {
    const Outcome outcome = run({"machine", "show", "cray-1"});
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_THAT(outcome.err, HasSubstr("there is no machine \"cray-1\"; presets: report-a, report-b, "));
}

TEST_F(Machine, PresetsSayWhereTheirNumbersAreFrom) {
    const Json presets = answer({"machine", "presets"});
    ASSERT_GE(presets.size(), 12);
    for (const Json& preset : presets) {
        EXPECT_EQ(keys(preset), (Words{"key", "name", "source", "note", "description"}));
        EXPECT_EQ(answer({"machine", "show", preset["key"].get<std::string>()})["origin"], preset["source"]);
    }
    EXPECT_THAT(run({"machine", "presets"}).out, HasSubstr("graviton2"));
}

TEST_F(Machine, IsAddedFromAPresetWithWhatIsSet) {
    const Json added = answer({"machine", "add", "--preset", "epyc-7543", "--set", "cores=16", "--set",
                               "socket_gb_per_s=60", "--name", "Small EPYC"});
    EXPECT_EQ(keys(added),
              (Words{"name", "fingerprint", "source", "new", "describes_recorded", "parameters"}));
    EXPECT_EQ(added["new"], true);
    EXPECT_EQ(added["source"], "simulated");
    EXPECT_EQ(parameter(added, "cores")["value"], 16.0);
    const Json shown = answer({"machine", "show", "Small EPYC"});
    EXPECT_EQ(shown["fingerprint"], added["fingerprint"]);
    EXPECT_EQ(shown["measured"]["copy_gb_per_s_all_threads"], 120.0) << "of two sockets";
    const Json machines = answer({"machine", "list"});
    ASSERT_EQ(machines.size(), 1);
    EXPECT_EQ(machines[0]["description"]["source"], "simulated");
    EXPECT_THAT(run({"machine", "list"}).out, HasSubstr("simulated"));
}

TEST_F(Machine, IsAddedFromAFileThatAnotherWorkspaceWrote) {
    Json laptop;
    for (const Json& preset : answer({"machine", "presets"}))
        if (preset["key"] == "laptop")
            laptop = preset["description"];
    write("laptop.json", laptop.dump());
    EXPECT_EQ(answer({"machine", "add", "laptop.json"})["new"], true);
    EXPECT_EQ(answer({"machine", "add", "laptop.json"})["new"], false);
    EXPECT_EQ(answer({"machine", "list"}).size(), 1);
    const Outcome other = run({"machine", "add", "laptop.json", "--set", "cores=2", "--name", "Laptop"});
    EXPECT_EQ(other.exit_code, 1);
    EXPECT_THAT(other.err, HasSubstr("the workspace has a machine 'Laptop' already"));
    EXPECT_EQ(run({"machine", "add", "laptop.json", "--set", "cores=2", "--name", "Half"}).exit_code, 0);
    EXPECT_EQ(answer({"machine", "add", "laptop.json", "--set", "cores=3"})["name"], "Laptop with cores=3");

    laptop.erase("simulation");
    laptop["name"] = "Older";
    write("older.json", laptop.dump());
    EXPECT_EQ(answer({"machine", "add", "older.json"})["new"], true);
}

TEST_F(Machine, WhatIsShownOfItCanBeAddedElsewhere) {
    write("shown.json", run({"machine", "show", "laptop", "--json"}).out);
    EXPECT_EQ(answer({"machine", "add", "shown.json"})["name"], "Laptop");
}

TEST_F(Machine, IsNotAddedFromWhatIsWrong) {
    const auto complaint = [&](Words words, int exit_code) {
        words.insert(words.begin(), {"machine", "add"});
        const Outcome outcome = run(words);
        EXPECT_EQ(outcome.exit_code, exit_code) << outcome.err;
        return outcome.err;
    };
    EXPECT_THAT(complaint({}, 2), HasSubstr("expected either a FILE or --preset"));
    EXPECT_THAT(complaint({"--preset", "cray-1"}, 2),
                HasSubstr("there is no preset 'cray-1': expected one of"));
    EXPECT_THAT(complaint({"--preset", "laptop", "--set", "cores=0"}, 2),
                HasSubstr("cores is '0': expected a whole number from 1 to 1024"));
    EXPECT_THAT(complaint({"--preset", "laptop", "--set", "speed=2"}, 2), HasSubstr("no parameter 'speed'"));
    write("bad.json", "{\n  oops\n}");
    EXPECT_THAT(complaint({"bad.json"}, 1), HasSubstr("bad.json:2: this is not JSON"));
    EXPECT_THAT(complaint({"missing.json"}, 1), HasSubstr("missing.json"));
    EXPECT_FALSE(std::filesystem::exists(folder() / "workspace.sparsight"));
}

TEST_F(Machine, OfNumbersThatDoNotGoTogetherIsRefused) {
    const auto complaint = [&](Words settings) {
        Words words{"machine", "add", "--preset", "laptop"};
        for (const std::string& setting : settings)
            words.insert(words.end(), {"--set", setting});
        const Outcome outcome = run(words);
        EXPECT_EQ(outcome.exit_code, 2) << outcome.err;
        return outcome.err;
    };
    EXPECT_THAT(complaint({"sockets=2", "cores=7"}), HasSubstr("expected as many cores on each socket"));
    EXPECT_THAT(complaint({"core_gb_per_s=400"}), HasSubstr("core_gb_per_s is 400: expected at most"));
    Json laptop = answer({"machine", "show", "laptop"});
    laptop["cpu"]["sockets"] = 3;
    write("odd.json", laptop.dump());
    const Outcome odd = run({"machine", "add", "odd.json"});
    EXPECT_EQ(odd.exit_code, 1);
    EXPECT_THAT(odd.err, HasSubstr("odd.json: cores is"));
    EXPECT_THAT(run({"machine", "add", "--preset", "laptop", "--set", "threads=2"}).err,
                HasSubstr("changed to fit the settings: cores is 2 instead of"));
}

TEST_F(Machine, IsRemovedButNotThisComputerNorMeasurementsUnasked) {
    ASSERT_EQ(run({"machine", "add", "--preset", "laptop"}).exit_code, 0);
    EXPECT_EQ(answer({"machine", "remove", "Laptop"})["removed_measurements"], 0);
    EXPECT_TRUE(answer({"machine", "list"}).empty());
    EXPECT_THAT(run({"machine", "remove", "Laptop"}).err, HasSubstr("there is no machine \"Laptop\""));

    write_matrix("cage8.mtx");
    ASSERT_EQ(run({"import", "cage8.mtx"}).exit_code, 0);
    write("runtimes.csv", "matrix,schedule,ms\ncage8,1 1 16 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 48 32,1.5\n");
    ASSERT_EQ(run({"import-runtimes", "runtimes.csv", "--machine", "Xeon"}).exit_code, 0);
    const Outcome kept = run({"machine", "remove", "Xeon"});
    EXPECT_EQ(kept.exit_code, 1);
    EXPECT_THAT(kept.err, HasSubstr("1 runtime is stored for Xeon; --with-measurements removes them"));
    EXPECT_EQ(answer({"results"}).size(), 1U);
    EXPECT_THAT(run({"machine", "remove", "Xeon", "--with-measurements"}).err,
                HasSubstr("removed Xeon with 1 stored runtime"));
    EXPECT_TRUE(answer({"results"}).empty());
    EXPECT_EQ(answer({"matrices"}).size(), 1U) << "matrices stay";

    ASSERT_EQ(run({"machine", "probe", "--facts-only"}).exit_code, 0);
    const auto computer = answer({"machine", "list"})[0]["name"].get<std::string>();
    const Outcome here = run({"machine", "remove", computer, "--with-measurements"});
    EXPECT_EQ(here.exit_code, 1);
    EXPECT_THAT(here.err, HasSubstr("is this computer"));
}

TEST_F(Machine, IsRemovedByItsWholeNameOnly) {
    ASSERT_EQ(run({"machine", "add", "--preset", "laptop", "--name", "Node"}).exit_code, 0);
    ASSERT_EQ(run({"machine", "add", "--preset", "laptop", "--name", "Node of the lab"}).exit_code, 0);
    ASSERT_EQ(run({"machine", "remove", "Node"}).exit_code, 0);
    const Outcome again = run({"machine", "remove", "Node"});
    EXPECT_EQ(again.exit_code, 1);
    EXPECT_THAT(again.err, HasSubstr("there is no machine \"Node\""));
    EXPECT_EQ(answer({"machine", "list"}).size(), 1U) << "a beginning of its name is not enough";
}

TEST_F(Machine, WithImportedRuntimesIsDescribedByAPreset) {
    write_matrix("cage8.mtx");
    ASSERT_EQ(run({"import", "cage8.mtx"}).exit_code, 0);
    write("runtimes.csv", "matrix,schedule,ms\ncage8,1 1 16 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 48 32,1.5\n");
    ASSERT_EQ(run({"import-runtimes", "runtimes.csv", "--machine", "Xeon 8272CL"}).exit_code, 0);
    EXPECT_THAT(run({"machine", "show", "Xeon 8272CL"}).err,
                HasSubstr("only the name of machine 'Xeon 8272CL' is known"));
    const Json added =
        answer({"machine", "add", "--preset", "xeon-platinum-8272cl", "--name", "Xeon 8272CL"});
    EXPECT_EQ(added["describes_recorded"], true);
    EXPECT_EQ(added["source"], "recorded");
    EXPECT_EQ(answer({"machine", "show", "Xeon 8272CL"})["cpu"]["cores"], 52);
    EXPECT_EQ(answer({"results"})[0]["machine"], "Xeon 8272CL") << "its times are still its own";
}

TEST_F(Machine, OfAFamilyIsTheSameInASmallAndInALargeSample) {
    const Json few = answer({"machine", "sample", "--count", "3", "--seed", "7"});
    ASSERT_EQ(few.size(), 3);
    EXPECT_EQ(keys(few[0]), (Words{"name", "fingerprint", "part", "new", "cores", "copy_gb_per_s"}));
    EXPECT_EQ(few[2]["name"], "sampled-7-0002");
    const Json more = answer({"machine", "sample", "--count", "20", "--seed", "7"});
    ASSERT_EQ(more.size(), 20);
    for (std::size_t index = 0; index < 3; ++index) {
        EXPECT_EQ(more[index]["fingerprint"], few[index]["fingerprint"]);
        EXPECT_EQ(more[index]["part"], few[index]["part"]);
        EXPECT_EQ(more[index]["new"], false);
    }
    EXPECT_EQ(more[3]["new"], true);
    const Json machines = answer({"machine", "list"});
    ASSERT_EQ(machines.size(), 20);
    EXPECT_EQ(machines[19]["description"]["source"], "simulated");
    EXPECT_THAT(run({"machine", "sample", "--count", "20", "--seed", "7"}).err,
                HasSubstr("added 0 machines; the workspace had the other 20"));
}

class MachineCode : public CliTest {
protected:
    void SetUp() override {
        CliTest::SetUp();
        if (run({"machine", "code", "--cpu", "znver3", "--costs"}).exit_code != 0)
            GTEST_SKIP() << "LLVM was built without x86_64";
    }

    static constexpr const char* csr = "1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 2 32";
};

TEST_F(MachineCode, ShowsWhatEachLoopCostsOnTheProcessor) {
    const Json shown = answer({"machine", "code", csr, "--cpu", "znver3", "--dense", "64"});
    EXPECT_EQ(keys(shown),
              (Words{"cpu", "architecture", "lanes", "schedule", "operator", "extents", "loops"}));
    EXPECT_EQ(shown["cpu"], "znver3");
    EXPECT_EQ(shown["lanes"], 8);
    EXPECT_EQ(shown["extents"]["j"], 64);
    ASSERT_EQ(shown["loops"].size(), 2);
    EXPECT_EQ(keys(shown["loops"][0]), (Words{"loop", "depth", "innermost", "instructions", "cycles",
                                              "multiply_adds", "vector_bits", "bottleneck"}));
    EXPECT_EQ(shown["loops"][1]["multiply_adds"], 64);
    EXPECT_EQ(shown["loops"][1]["vector_bits"], 256);
    const Outcome text = run({"machine", "code", csr, "--cpu", "znver3", "--dense", "64"});
    EXPECT_THAT(text.out, HasSubstr("256 bits"));
    EXPECT_EQ(text.err, "");
}

TEST_F(MachineCode, PrintsTheAssemblyAsJsonToo) {
    const Json shown = answer({"machine", "code", csr, "--cpu", "znver3", "--assembly"});
    EXPECT_EQ(keys(shown), (Words{"cpu", "architecture", "assembly"}));
    EXPECT_EQ(run({"machine", "code", csr, "--cpu", "znver3", "--assembly"}).out, shown["assembly"]);
    EXPECT_EQ(run({"machine", "code", "--costs", "--assembly"}).exit_code, 2) << "one or the other";
}

TEST_F(MachineCode, RefusesAnUnknownProcessorAndNamesTheOthers) {
    const Outcome refused = run({"machine", "code", csr, "--cpu", "pentium-9"});
    EXPECT_EQ(refused.exit_code, 1);
    EXPECT_THAT(refused.err, HasSubstr("pentium-9"));
    EXPECT_THAT(refused.err, HasSubstr("skylake-avx512"));
}

TEST_F(MachineCode, IsWhatASimulationTakesForAMachineOfItsOwn) {
    ASSERT_EQ(run({"new"}).exit_code, 0);
    ASSERT_EQ(run({"simulate", "uniform", "--param", "rows=64", "--param", "cols=64"}).exit_code, 0);
    const Json simulated =
        answer({"simulate-runtimes", "epyc-7543", "--schedules", "2", "--instruction-costs", "znver3"});
    EXPECT_EQ(simulated[0]["machine"], "EPYC 7543 (simulated, code of znver3)");
    const Json costs = answer({"machine", "code", "--costs", "--cpu", "znver3"})["costs"];
    const Json machine = answer({"machine", "show", "EPYC 7543 (simulated, code of znver3)"});
    for (const Json& parameter : machine["parameters"])
        if (costs.contains(parameter["key"])) {
            EXPECT_DOUBLE_EQ(parameter["value"].get<double>(), costs[parameter["key"]].get<double>());
        }
    EXPECT_EQ(run({"simulate-runtimes", "epyc-7543", "--instruction-costs", "skylake-avx512"}).exit_code, 1)
        << "its vectors are longer";
    EXPECT_EQ(run({"simulate-runtimes", "--sampled", "--instruction-costs", "znver3"}).exit_code, 2)
        << "those machines have costs of their own";
}

class Calibrating : public CliTest {
protected:
    /// A workspace with matrices of several sizes and one machine whose runtimes are simulated.
    Calibrating() {
        EXPECT_EQ(run({"new", workspace()}).exit_code, 0);
        for (const char* rows : {"200", "400", "800", "1600", "3200", "6400"})
            EXPECT_EQ(run({"simulate", "uniform", "--workspace", workspace(), "--param",
                           std::string("rows=") + rows, "--param", std::string("cols=") + rows, "--param",
                           "density=0.005", "--name", std::string("uniform") + rows})
                          .exit_code,
                      0);
    }
    [[nodiscard]] static std::string workspace() { return "w.sparsight"; }
    [[nodiscard]] Json ask(Words words) const {
        words.insert(words.end(), {"--workspace", workspace()});
        return answer(std::move(words));
    }
};

TEST_F(Calibrating, RuntimesAreSimulatedOnEveryMatrixAndWithFixedCsr) {
    const Json simulated = ask({"simulate-runtimes", "laptop", "--schedules", "10"});
    ASSERT_EQ(simulated.size(), 1U);
    EXPECT_EQ(simulated[0]["machine"], "Laptop");
    EXPECT_EQ(simulated[0]["matrices"], 6);
    EXPECT_EQ(simulated[0]["runtimes"], 6 * 11);
    EXPECT_EQ(ask({"results", "--machine", "Laptop", "--protocol", "simulated"}).size(), 6U * 11);
}

TEST_F(Calibrating, NoiseIsOfTheSeedAndTheMachine) {
    const Words exact{"simulate-runtimes", "laptop", "--schedules", "5"};
    Words noisy = exact;
    noisy.emplace_back("--noise");
    const auto times = [&](const Words& words) {
        (void)ask(words);
        std::vector<double> medians;
        for (const Json& row : ask({"results", "--machine", "Laptop"}))
            medians.push_back(row.at("median_ms").is_null() ? 0 : row.at("median_ms").get<double>());
        return medians;
    };
    const auto plain = times(exact);
    const auto drawn = times(noisy);
    EXPECT_NE(plain, drawn);
    EXPECT_EQ(drawn, times(noisy));
}

TEST_F(Calibrating, ARealMachineIsSimulatedBesideItsOwnTimes) {
    (void)ask({"machine", "probe", "--facts-only"});
    const auto computer = ask({"machine", "list"}).at(0).at("name").get<std::string>();
    const Json simulated = ask({"simulate-runtimes", computer, "--schedules", "3"});
    EXPECT_EQ(simulated.at(0).at("machine"), computer + " (simulated)");
    EXPECT_TRUE(ask({"results", "--machine", computer}).empty());
}

TEST_F(Calibrating, TimesAreNeverStoredForAMachineOfOtherNumbers) {
    (void)ask({"machine", "add", "--preset", "laptop", "--set", "cores=2", "--name", "Laptop"});
    const Outcome outcome = run({"simulate-runtimes", "Laptop", "--workspace", workspace(), "--json"});
    EXPECT_EQ(outcome.exit_code, 0) << "the workspace's own comes before the preset" << outcome.err;
    Json other = ask({"machine", "show", "Laptop"});
    other["cpu"]["cores"] = 3;
    other["cpu"]["threads"] = 3;
    write("other.json", other.dump());
    const Outcome refused = run({"simulate-runtimes", "other.json", "--workspace", workspace()});
    EXPECT_EQ(refused.exit_code, 1);
    EXPECT_THAT(refused.err, HasSubstr("another machine 'Laptop'"));
}

TEST_F(Calibrating, FitsAMachineKnownByItsRuntimesAndKeepsWhatItFound) {
    // Runtimes of a machine that nothing else is known of: those of a simulated one, imported as recorded.
    (void)ask({"simulate-runtimes", "embedded-quad-core", "--schedules", "40"});
    std::string table = "matrix,schedule,ms\n";
    for (const Json& row : ask({"results", "--machine", "Embedded quad-core"}))
        if (!row.at("median_ms").is_null())
            table += row.at("matrix").get<std::string>() + "," + row.at("schedule").get<std::string>() + "," +
                     std::to_string(row.at("median_ms").get<double>()) + "\n";
    write("runtimes.csv", table);
    (void)ask({"import-runtimes", "runtimes.csv", "--machine", "unknown board"});

    const Json calibrated = ask({"machine", "calibrate", "unknown board", "--steps", "150"});
    EXPECT_EQ(calibrated["stored"], true);
    EXPECT_EQ(calibrated["check"], "cross-validated") << "of six matrices none is kept back";
    EXPECT_EQ(calibrated["matrices"], 6);
    EXPECT_EQ(calibrated["held_out"], 6);
    EXPECT_THAT(calibrated["remarks"].dump(), HasSubstr("none was kept back"));
    EXPECT_LT(calibrated["fitted_on"]["after"]["median_error"].get<double>(),
              calibrated["fitted_on"]["before"]["median_error"].get<double>());
    EXPECT_EQ(calibrated["parameters"].size(), 28U);

    const Json validated = ask({"machine", "validate", "unknown board", "--all"});
    EXPECT_EQ(validated["calibrated"], true);
    EXPECT_EQ(ask({"machine", "validate", "unknown board"})["held_out"], false) << "it has seen all";
    EXPECT_THAT(run({"machine", "validate", "unknown board", "--workspace", workspace()}).err,
                HasSubstr("flatter the calibration"));
    EXPECT_EQ(validated["cross_validated"], calibrated["held_out_quality"]["after"]);
    EXPECT_THAT(run({"machine", "validate", "unknown board", "--workspace", workspace()}).out,
                ::testing::ContainsRegex("cross-validated[^\n]*\n *fitted to these"));
    EXPECT_EQ(validated["matrices"].size(), 6U);
    EXPECT_EQ(validated["without"].size(), 9U);
    EXPECT_TRUE(validated["ceiling"].is_null()) << "nobody told how far the times spread";
    EXPECT_GT(validated["mean"]["kendall_tau"].get<double>(), 0.5);

    const Json shown = ask({"machine", "show", "unknown board"})["parameters"];
    for (const Json& fitted : calibrated["parameters"])
        for (const Json& parameter : shown)
            if (parameter["key"] == fitted["key"]) {
                EXPECT_EQ(parameter["doubt_left"], fitted["uncertainty"]) << fitted["key"];
            }
    EXPECT_THAT(run({"machine", "show", "unknown board", "--workspace", workspace()}).out,
                HasSubstr("doubt left"));
    EXPECT_TRUE(answer({"machine", "show", "laptop"})["parameters"][0]["doubt_left"].is_null());

    // From the facts again, not from where the first calibration ended.
    EXPECT_EQ(ask({"machine", "calibrate", "unknown board", "--steps", "150"})["parameters"],
              calibrated["parameters"]);
}

TEST_F(Calibrating, SaysHowLittleOneMatrixIs) {
    (void)ask({"simulate-runtimes", "laptop", "--schedules", "20", "--matrices", "uniform400"});
    const Outcome outcome =
        run({"machine", "calibrate", "Laptop", "--steps", "5", "--workspace", workspace()});
    EXPECT_EQ(outcome.exit_code, 0);
    EXPECT_THAT(outcome.err, HasSubstr("fitted to 1 matrix alone"));
    EXPECT_THAT(outcome.err, HasSubstr("nothing is known of other matrices"));
    EXPECT_EQ(ask({"machine", "calibrate", "Laptop", "--steps", "5"})["check"], "impossible");
}

TEST_F(Calibrating, SaysWhatItMadeWorse) {
    // The simulation is exact, so that nothing that is fitted to noise can be better.
    (void)ask({"simulate-runtimes", "laptop", "--schedules", "20"});
    const Json calibrated = ask({"machine", "calibrate", "Laptop", "--steps", "1"});
    EXPECT_THAT(calibrated["remarks"].dump(), HasSubstr("made worse"));
    EXPECT_THAT(run({"machine", "calibrate", "Laptop", "--steps", "1", "--workspace", workspace()}).err,
                HasSubstr("on matrices that it did not see the calibration made worse: "));
}

TEST_F(Calibrating, LeavesAMachineAsItWasThatChoosesBetterWithoutIt) {
    // What is fitted to the matrix whose times belong to other schedules makes the other one worse.
    (void)ask({"simulate-runtimes", "embedded-quad-core", "--schedules", "40", "--matrices", "uniform400",
               "--matrices", "uniform1600"});
    std::map<std::string, std::vector<std::pair<std::string, double>>> times;
    for (const Json& row : ask({"results", "--machine", "Embedded quad-core"}))
        if (!row.at("median_ms").is_null())
            times[row.at("matrix")].emplace_back(row.at("schedule"), row.at("median_ms"));
    ASSERT_EQ(times.size(), 2U);
    std::string table = "matrix,schedule,ms\n";
    for (const auto& [matrix, of_it] : times)
        for (std::size_t at = 0; at < of_it.size(); ++at) {
            const bool is_true = matrix == "uniform400";
            const double ms = of_it[is_true ? at : of_it.size() - 1 - at].second;
            table += matrix + "," + of_it[at].first + "," + std::to_string(ms) + "\n";
        }
    write("runtimes.csv", table);
    (void)ask({"import-runtimes", "runtimes.csv", "--machine", "unknown board"});

    const Json kept = ask({"machine", "calibrate", "unknown board", "--steps", "150"});
    EXPECT_EQ(kept["stored"], false) << kept.dump(1);
    EXPECT_THAT(kept["remarks"].dump(), HasSubstr("the machine stays as it was"));
    EXPECT_EQ(ask({"machine", "validate", "unknown board", "--all"})["calibrated"], false);
    EXPECT_EQ(run({"machine", "calibrate", "unknown board", "--try", "--even-if-worse"}).exit_code, 2);

    const Json worse = ask({"machine", "calibrate", "unknown board", "--steps", "150", "--even-if-worse"});
    EXPECT_EQ(worse["stored"], true);
    EXPECT_EQ(worse["held_out_quality"], kept["held_out_quality"]);
    EXPECT_EQ(ask({"machine", "validate", "unknown board", "--all"})["calibrated"], true);
}

TEST_F(Calibrating, NamesMatricesThatHaveNoPattern) {
    write("runtimes.csv", "matrix,schedule,ms\nnobody knows,1 1 16 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 4 32,1.5\n");
    (void)ask({"import-runtimes", "runtimes.csv", "--machine", "elsewhere"});
    const Outcome simulated =
        run({"simulate-runtimes", "laptop", "--schedules", "3", "--workspace", workspace()});
    EXPECT_EQ(simulated.exit_code, 1) << "one could not be simulated";
    EXPECT_THAT(simulated.err,
                HasSubstr("nobody knows is left out: the pattern of this matrix is not known"));
    EXPECT_THAT(simulated.err, HasSubstr("simulated 24 runtimes on 6 matrices"));
}

TEST_F(Calibrating, SimulatesSeveralMachinesAsEachAlone) {
    (void)ask({"simulate-runtimes", "laptop", "--schedules", "4", "--noise"});
    const Json alone = ask({"results", "--machine", "Laptop"});
    const Json both = ask({"simulate-runtimes", "graviton2", "laptop", "--schedules", "4", "--noise"});
    ASSERT_EQ(both.size(), 2U);
    EXPECT_EQ(both[0]["runtimes"], both[1]["runtimes"]);
    EXPECT_EQ(ask({"results", "--machine", "Laptop"}), alone);
}

TEST_F(Calibrating, OfASimulatedMachineKeepsItsNumbers) {
    (void)ask({"simulate-runtimes", "laptop", "--schedules", "30"});
    EXPECT_EQ(ask({"machine", "calibrate", "Laptop", "--steps", "5"})["stored"], false);
}

TEST_F(Calibrating, SaysWhatIsMissing) {
    const Outcome unmeasured =
        run({"machine", "calibrate", "--workspace", workspace(), "--operator", "spmv"});
    EXPECT_EQ(unmeasured.exit_code, 1);
    EXPECT_THAT(unmeasured.err, HasSubstr("no spmv runtimes"));
    EXPECT_THAT(unmeasured.err, HasSubstr("collect"));
    EXPECT_THAT(run({"machine", "validate", "nobody", "--workspace", workspace()}).err,
                HasSubstr("there is no machine \"nobody\"; known machines: "));
    EXPECT_THAT(run({"simulate-runtimes", "--workspace", workspace()}).err, HasSubstr("machine sample"));
}

} // namespace sparsight::testing
