#include "app/cli/cli_fixture.h"

namespace sparsight::testing {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

class Explain : public CliTest {
protected:
    void SetUp() override {
        ASSERT_EQ(run({"new"}).exit_code, 0);
        ASSERT_EQ(run({"simulate", "power-law", "--param", "scale=9", "--name", "web"}).exit_code, 0);
    }

    static Words asking(const std::string& schedule, Words more = {}) {
        Words words{"explain", "--matrix", "web", "--dense", "16", "--schedule", schedule};
        words.insert(words.end(), more.begin(), more.end());
        return words;
    }
    /// Against fixed CSR: a split that changes little, and one thread that gets all rows.
    static constexpr const char* serial = "1 1 8 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 2 4096";
};

void expect_waterfall_without_gap(const Json& json) {
    double level = json["against"]["ms"];
    double factor = 1;
    for (const Json& step : json["waterfall"]) {
        EXPECT_EQ(step["begin_ms"], level);
        level = step["end_ms"];
        factor *= step["factor"].get<double>();
    }
    EXPECT_EQ(level, json["schedule"]["ms"]);
    EXPECT_NEAR(factor, json["schedule"]["ms"].get<double>() / json["against"]["ms"].get<double>(),
                1e-9 * factor);
}

TEST_F(Explain, BlamesTheChunkThatMakesOneThreadDoAll) {
    const Json json = answer(asking(serial, {"--machine", "epyc-7543"}));
    EXPECT_EQ(keys(json),
              (Words{"matrix",       "operator",    "dense",          "evaluator",    "machine",
                     "threads",      "seed",        "against",        "schedule",     "difference_ms",
                     "same_program", "significant", "exact",          "draws",        "walked_orders",
                     "hybrids",      "waterfall",   "counterfactual", "no_counters",  "measured",
                     "reused",       "repeated",    "stored",         "known_factor", "moved",
                     "busy_share",   "warnings",    "command"}));
    EXPECT_EQ(json["warnings"], Json::array()) << "nothing was measured";
    EXPECT_EQ(json["evaluator"], "simulated");
    EXPECT_EQ(json["threads"], 128);
    ASSERT_EQ(json["waterfall"].size(), 2);
    EXPECT_EQ(json["waterfall"][0]["decision"], "chunk");
    EXPECT_EQ(json["waterfall"][0]["before"], "32");
    EXPECT_EQ(json["waterfall"][0]["after"], "4096");
    EXPECT_EQ(json["waterfall"][0]["significant"], true);
    EXPECT_GT(json["waterfall"][0]["parts"]["imbalance"], 0);
    EXPECT_EQ(json["exact"], true);
    expect_waterfall_without_gap(json);
}

TEST_F(Explain, ItsCommandGivesTheSameAnswerAgain) {
    const Json json = answer(asking(serial, {"--machine", "epyc-7543"}));
    EXPECT_THAT(json["command"], HasSubstr("--machine epyc-7543 --simulated --seed 1"));
    EXPECT_THAT(json["command"], HasSubstr("--schedule '1 1 8 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 128 4096'"));
    EXPECT_EQ(
        answer(asking("1 1 8 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 128 4096",
                      {"--against", "1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 128 32", "--machine", "epyc-7543"})),
        json);
}

TEST_F(Explain, TheSmallestChangeTakesTheChunkBack) {
    const Json change = answer(asking(serial, {"--machine", "epyc-7543"}))["counterfactual"]["schedule"];
    ASSERT_EQ(change["decisions"].size(), 1);
    EXPECT_EQ(change["decisions"][0]["decision"], "chunk");
    EXPECT_EQ(change["decisions"][0]["before"], "4096");
    EXPECT_EQ(change["other_side"], false);
}

// One decision alone, taken back, is fixed CSR: it can't win against that, but it is what helps.
TEST_F(Explain, TakingBackTheOneDecisionRemovesTheLoss) {
    const std::string coarse = "1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 2 4096";
    const Words on_server{"--machine", "epyc-7543"};
    const Json removal = answer(asking(coarse, on_server))["counterfactual"]["schedule"]["removes_loss"];
    ASSERT_TRUE(removal.is_object());
    EXPECT_EQ(removal["same_program"], true);
    EXPECT_EQ(removal["decisions"][0]["after"], "32");
    const std::string text = run(asking(coarse, on_server)).out;
    EXPECT_THAT(text, HasSubstr("removes the loss: chunk 4096 → 32: as fast as fixed CSR"));
    EXPECT_THAT(text, ContainsRegex("1 parallel region of [0-9.]+ chunks?\n"));
}

TEST_F(Explain, MeasuresOnThisComputerAndMeasuresNothingTwice) {
    const Words measured{"--measured", "--threads", "1", "--budget", "60s"};
    const Json json = answer(asking(serial, measured));
    EXPECT_EQ(json["evaluator"], "measured");
    EXPECT_EQ(json["hybrids"]["asked"], 4);
    EXPECT_EQ(json["hybrids"]["programs"], 2) << "the split is undone by the lowering";
    EXPECT_GE(json["measured"], 2);
    EXPECT_EQ(json["stored"], true);
    expect_waterfall_without_gap(json);

    const Json again = answer(asking(serial, measured));
    EXPECT_GE(again["reused"], 2);
    expect_waterfall_without_gap(again);
    EXPECT_EQ(answer({"results", "--matrix", "web"}).size(),
              json["measured"].get<std::size_t>() + again["measured"].get<std::size_t>())
        << "what was measured twice is stored once; noise alone says which changes are worth a try";

    const Json best = answer(asking("best", measured));
    EXPECT_LE(best["schedule"]["ms"].get<double>(), 2 * best["against"]["ms"].get<double>())
        << "in turns now: it was the fastest then";
}

TEST_F(Explain, MeasuresAnewWhereItIsAskedTo) {
    const Words measured{"--measured", "--threads", "1", "--budget", "2s"};
    const Json first = answer(asking(serial, measured));
    Words anew = measured;
    anew.emplace_back("--again");
    const Json again = answer(asking(serial, anew));
    EXPECT_EQ(again["reused"], 0);
    EXPECT_GE(again["measured"], 2);
    EXPECT_EQ(again["stored"], true);
    EXPECT_THAT(again["command"], HasSubstr("--measured --again"));
    EXPECT_NE(run(asking(serial, {"--again"})).exit_code, 0) << "simulated times are never stored";
    EXPECT_THAT(run({"explain", "--help"}).out, HasSubstr("--again"));
}

TEST_F(Explain, TellsAPersonWhatHappenedAndHowToSeeItAgain) {
    const Outcome outcome = run(asking(serial, {"--machine", "epyc-7543"}));
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("times as long"));
    EXPECT_THAT(outcome.out, HasSubstr("chunk"));
    EXPECT_THAT(outcome.out, HasSubstr("Exact Shapley values over 4 hybrids"));
    EXPECT_THAT(outcome.out, HasSubstr("imbalance"));
    EXPECT_THAT(outcome.out, HasSubstr("Smallest change of the schedule: chunk 4096 →"));
    EXPECT_THAT(outcome.out, HasSubstr("to reproduce: sparsight-cli explain --matrix web"));
}

// Of latency nearly nothing is simulated here: 1e-13 ms are rounding, and nobody's difference.
TEST_F(Explain, PrintsWhatIsNextToNothingAsZero) {
    const Words on_server{"--machine", "epyc-7543"};
    const Json json = answer(asking(serial, on_server));
    const double latency = json["schedule"]["parts"]["latency"];
    ASSERT_GT(latency, 0);
    ASSERT_LT(latency, 1e-9 * json["schedule"]["ms"].get<double>());
    EXPECT_THAT(run(asking(serial, on_server)).out, ContainsRegex("latency +0 +0 +0\n"));
}

TEST_F(Explain, SaysSoWhereBothSchedulesMeanTheSame) {
    const Outcome outcome = run(asking("csr", {"--machine", "epyc-7543"}));
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("Both schedules mean the same."));
}

// The dense index has 64 columns here: its split is undone by the lowering of our code, though not of TACO's.
TEST_F(Explain, SaysSoWhereBothSchedulesAreOneProgram) {
    const std::string split = "1 1 8 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 8 32";
    const Outcome outcome = run(asking(split, {"--machine", "laptop"}));
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("Both schedules are one program here"));
    const Json json = answer(asking(split, {"--machine", "laptop"}));
    EXPECT_EQ(json["same_program"], true);
    EXPECT_EQ(json["difference_ms"], 0);
    EXPECT_EQ(json["waterfall"][0]["same_program"], true);
    EXPECT_EQ(json["waterfall"][0]["ms"], 0);
}

TEST_F(Explain, SpeaksInWordsAndUnits) {
    const Outcome outcome = run(asking(serial, {"--machine", "epyc-7543"}));
    EXPECT_THAT(outcome.out, HasSubstr("imbalance between cores"));
    for (const char* const key : {"fill_in", "l2_traffic", "memory_traffic", "clock_ghz", "chunk_us"})
        EXPECT_THAT(outcome.out, Not(HasSubstr(key)));
}

TEST_F(Explain, ErrorsNameTheOptionAndWhatWasExpected) {
    const auto error = [&](const std::string& schedule, Words more = {}) {
        const Outcome outcome = run(asking(schedule, std::move(more)));
        EXPECT_NE(outcome.exit_code, 0);
        return outcome.err;
    };
    EXPECT_THAT(error("fastest"), HasSubstr("--schedule: expected csr, best or a schedule on one line"));
    EXPECT_THAT(error(serial, {"--against", "1 2 3"}), HasSubstr("--against: expected csr, best"));
    EXPECT_THAT(error("best", {"--measured"}), HasSubstr("no schedule of web was measured"));
    EXPECT_THAT(error(serial, {"--machine", "abacus"}), HasSubstr("abacus"));
    EXPECT_THAT(error("1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 2 0"), HasSubstr("expected a whole number from 1"));
}

TEST_F(Explain, SaysWhichDecisionKeepsAScheduleFromBeingBuilt) {
    ASSERT_EQ(run({"simulate", "uniform", "--param", "rows=30000", "--param", "cols=30000", "--param",
                   "density=0.0001", "--name", "wide"})
                  .exit_code,
              0);
    const Outcome outcome =
        run({"explain", "--matrix", "wide", "--schedule", "1 1 1 i1 i0 k1 k0 j1 j0 1 1 1 1 i1 2 32"});
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_THAT(outcome.err, HasSubstr("has no time that could be shared out"));
    EXPECT_THAT(outcome.err, HasSubstr("it would have one with format of k1 compressed"));
}

} // namespace sparsight::testing
