#include "app/cli/cli_fixture.h"

namespace sparsight::testing {

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
    EXPECT_THAT(outcome.err,
                HasSubstr("there is no file 'cray-1', and the presets are report-a, report-b, "));
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
                HasSubstr("to fit the settings, cores is 2 instead of"));
}

TEST_F(Machine, IsRemovedButNotThisComputerNorMeasurementsUnasked) {
    ASSERT_EQ(run({"machine", "add", "--preset", "laptop"}).exit_code, 0);
    EXPECT_EQ(answer({"machine", "remove", "Laptop"})["removed_measurements"], 0);
    EXPECT_TRUE(answer({"machine", "list"}).empty());
    EXPECT_THAT(run({"machine", "remove", "Laptop"}).err, HasSubstr("knows no machine 'Laptop'"));

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

TEST_F(Machine, WithImportedRuntimesIsDescribedByAPreset) {
    write_matrix("cage8.mtx");
    ASSERT_EQ(run({"import", "cage8.mtx"}).exit_code, 0);
    write("runtimes.csv", "matrix,schedule,ms\ncage8,1 1 16 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 48 32,1.5\n");
    ASSERT_EQ(run({"import-runtimes", "runtimes.csv", "--machine", "Xeon 8272CL"}).exit_code, 0);
    EXPECT_THAT(run({"machine", "show", "Xeon 8272CL"}).err,
                HasSubstr("nothing is known of the machine 'Xeon 8272CL' but its name"));
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

} // namespace sparsight::testing
