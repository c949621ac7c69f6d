#include "app/cli/cli_fixture.h"

namespace sparsight::testing {

using ::testing::HasSubstr;

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
                HasSubstr("to all of these, which flatters it"));
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
                HasSubstr("knows no machine 'nobody'"));
    EXPECT_THAT(run({"simulate-runtimes", "--workspace", workspace()}).err, HasSubstr("machine sample"));
}

} // namespace sparsight::testing
