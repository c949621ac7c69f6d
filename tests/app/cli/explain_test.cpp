#include "app/cli/cli_fixture.h"
#include "domains/sparse/schedule/text.h"
#include "domains/sparse/storage/schedules.h"
#include "machine/machine_presets.h"
#include "store/workspace.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace sparsight::testing {

using ::testing::ContainsRegex;
using ::testing::EndsWith;
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
    const Words measured{"--measured", "--threads", "1", "--budget", "60s"};
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
    EXPECT_THAT(outcome.out, HasSubstr("Exact Shapley values over 4 schedules between both"));
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

TEST_F(Explain, NamesTheDenseExtentsThatSchedulesWereMeasuredWith) {
    write("runtimes.csv", "matrix,schedule,ms\nweb,1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 48 32,1.5\n");
    ASSERT_EQ(run({"import-runtimes", "runtimes.csv", "--machine", "Xeon"}).exit_code, 0);
    ASSERT_EQ(run({"machine", "add", "--preset", "epyc-7543", "--name", "Xeon"}).exit_code, 0);
    EXPECT_THAT(run(asking("csr", {"--against", "best", "--machine", "Xeon"})).err,
                HasSubstr("on Xeon with a dense extent of 16 (some were with 256)"));
    EXPECT_THAT(run({"explain", "--matrix", "web", "--schedule", "best", "--machine", "epyc-7543"}).err,
                HasSubstr("simulated; --machine can name Xeon, which has times"));
}

// The computer was slower while the second was measured: fixed CSR took twice as long then.
TEST_F(Explain, TheBestIsTheFirstOfTheResultsByItsSpeedup) {
    {
        auto workspace = *Workspace::open(folder() / "workspace.sparsight");
        const auto matrix = find_matrix(workspace, "web");
        const auto xeon = record_machine(workspace, "Xeon", "recorded:xeon",
                                         machine_to_text(find_machine_preset("epyc-7543")->machine));
        ASSERT_TRUE(matrix && xeon);
        for (const auto& [schedule, milliseconds, reference] :
             {std::tuple("1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 48 16", 2.0, 3.0),
              std::tuple("1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 48 8", 3.0, 6.0)}) {
            Measurement measurement;
            measurement.status = MeasurementStatus::Measured;
            measurement.median = Milliseconds(milliseconds);
            measurement.reference = Milliseconds(reference);
            ASSERT_TRUE(record_measurement(workspace, {(**matrix).id, *xeon, 16},
                                           *parse_schedule(Operator::SpMM, schedule), measurement));
        }
    }
    const Json first = answer({"results", "--best", "--machine", "Xeon"})[0];
    ASSERT_THAT(first["schedule"], EndsWith(" 48 8"));
    EXPECT_THAT(answer(asking("best", {"--machine", "Xeon"}))["schedule"]["schedule"], EndsWith(" 8"));
    EXPECT_THAT(answer({"timeline", "--matrix", "web", "--dense", "16", "--schedule", "best", "--machine",
                        "Xeon"})["schedule"],
                EndsWith(" 8"));
}

TEST_F(Explain, SaysWhereTheSimulationIsFarOffAKnownTime) {
    EXPECT_EQ(run(asking(serial, {"--machine", "epyc-7543"})).out.find("with care"), std::string::npos);
    {
        auto workspace = *Workspace::open(folder() / "workspace.sparsight");
        const auto matrix = find_matrix(workspace, "web");
        MachineDescription described = find_machine_preset("epyc-7543")->machine;
        described.source = MachineSource::Recorded;
        const auto xeon = record_machine(workspace, "Xeon", "recorded:xeon", machine_to_text(described));
        ASSERT_TRUE(matrix && xeon);
        Measurement measurement;
        measurement.status = MeasurementStatus::Measured;
        measurement.median = Milliseconds(5000);
        ASSERT_TRUE(record_measurement(workspace, {(**matrix).id, *xeon, 16},
                                       *parse_schedule(Operator::SpMM, serial), measurement));
    }
    const Outcome outcome = run(asking(serial, {"--machine", "Xeon"}));
    EXPECT_THAT(outcome.out, HasSubstr("The simulation of the schedule takes "));
    EXPECT_THAT(outcome.out, HasSubstr("the recorded time is 5000 ms. Read the simulated parts with care."));
    ASSERT_EQ(run({"report", "--matrix", "web", "--dense", "16", "--schedule", serial, "--machine", "Xeon",
                   "-o", "page.html"})
                  .exit_code,
              0);
    EXPECT_THAT(read("page.html"), HasSubstr("Read the simulated parts with care."));
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

using ::testing::Each;

class WhatIf : public CliTest {
protected:
    void SetUp() override {
        ASSERT_EQ(run({"new"}).exit_code, 0);
        ASSERT_EQ(run({"simulate", "power-law", "--param", "scale=11", "--name", "web"}).exit_code, 0);
    }

    static Words asking(Words more) {
        Words words{"whatif", "--matrix", "web", "--machine", "epyc-7543", "--dense", "64"};
        words.insert(words.end(), more.begin(), more.end());
        return words;
    }
    static constexpr const char* csr = "1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 2 32";
    static constexpr const char* coarse = "1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 2 256";
};

TEST_F(WhatIf, RanksSchedulesByTimesThatAreTheSumsOfTheirParts) {
    const Json json = answer(asking({"--schedules", "12"}));
    EXPECT_EQ(keys(json), (Words{"matrix", "operator", "dense", "machine", "formula", "basis", "winner",
                                 "lead", "ranking", "map"}));
    ASSERT_EQ(json["ranking"].size(), 12);
    EXPECT_THAT(run(asking({"--schedules", "12"})).out, HasSubstr("  simulated ms  "));
    double before = 0;
    int rank = 0;
    for (const Json& each : json["ranking"]) {
        EXPECT_EQ(each["rank"], ++rank);
        EXPECT_GE(each["ms"], before);
        before = each["ms"];
        double sum = 0;
        EXPECT_EQ(keys(each["parts"]),
                  (Words{"compute", "fill_in", "l2_traffic", "l3_traffic", "memory_traffic", "latency",
                         "imbalance", "regions", "chunks"}));
        for (const Json& part : each["parts"])
            sum += part.get<double>();
        EXPECT_NEAR(sum / before, 1, 1e-9);
        EXPECT_EQ(each["recorded_ms"], nullptr);
    }
    EXPECT_EQ(json["winner"], json["ranking"][0]["schedule"]);
    EXPECT_NEAR(json["lead"].get<double>(),
                json["ranking"][1]["ms"].get<double>() / json["ranking"][0]["ms"].get<double>() - 1, 1e-9);
    EXPECT_EQ(json["machine"]["parameters"]["cores"], 64);
    EXPECT_EQ(json["map"], nullptr);
}

TEST_F(WhatIf, SettingsChangeTheMachineAndWhatGoesWithThem) {
    const Json json = answer(asking({"--set", "cores=4", "--set", "memory_latency_ns=200"}));
    EXPECT_EQ(json["machine"]["parameters"]["cores"], 4);
    EXPECT_EQ(json["machine"]["parameters"]["threads"], 8) << "two of each core, as before";
    EXPECT_EQ(json["machine"]["parameters"]["memory_latency_ns"], 200);
    const Json before = answer(asking({}));
    EXPECT_GT(json["ranking"][0]["ms"], before["ranking"][0]["ms"]) << "fewer cores, longer latency";
}

TEST_F(WhatIf, TheMapCountsItsWinnersAndByThePaperThereIsOne) {
    const Words map{"--map", "cores,socket_gb_per_s", "--map-steps", "10"};
    const Json mechanistic = answer(asking(map))["map"];
    EXPECT_EQ(keys(mechanistic), (Words{"x", "y", "winners", "cells"}));
    EXPECT_EQ(mechanistic["x"]["parameter"], "cores");
    EXPECT_EQ(mechanistic["y"]["unit"], "GB/s");
    EXPECT_GE(mechanistic["winners"].size(), 3);
    ASSERT_EQ(mechanistic["cells"].size(), mechanistic["y"]["values"].size());
    std::vector<std::size_t> counts(mechanistic["winners"].size());
    for (const Json& row : mechanistic["cells"]) {
        EXPECT_EQ(row.size(), mechanistic["x"]["values"].size());
        for (const Json& cell : row)
            ++counts.at(cell.get<std::size_t>());
    }
    for (std::size_t winner = 0; winner < counts.size(); ++winner)
        EXPECT_EQ(mechanistic["winners"][winner]["cells"], counts[winner]);

    Words by_paper = map;
    by_paper.insert(by_paper.end(), {"--formula", "paper"});
    const Json paper = answer(asking(by_paper));
    EXPECT_EQ(paper["basis"], "simulated");
    EXPECT_EQ(paper["map"]["winners"].size(), 1);
    EXPECT_EQ(paper["map"]["winners"][0]["schedule"], paper["winner"]);
    EXPECT_EQ(paper["ranking"][0]["parts"], nullptr);
}

TEST_F(WhatIf, RecordedTimesStandBesideAndAreWhatThePaperScales) {
    write("runtimes.csv", std::string("machine,matrix,schedule,ms\nrecorded,web,") + csr +
                              ",3\nrecorded,web," + coarse + ",2\n");
    ASSERT_EQ(run({"import-runtimes", "runtimes.csv", "--dense", "64"}).exit_code, 0);
    ASSERT_EQ(run({"machine", "add", "--preset", "epyc-7543", "--name", "recorded"}).exit_code, 0);
    const Words question{"whatif", "--matrix", "web", "--machine", "recorded", "--dense", "64", "--measured"};
    const Json json = answer(question);
    ASSERT_EQ(json["ranking"].size(), 2);
    std::set<double> recorded;
    for (const Json& each : json["ranking"])
        recorded.insert(each["recorded_ms"].get<double>());
    EXPECT_EQ(recorded, (std::set<double>{2, 3}));

    Words by_paper = question;
    by_paper.insert(by_paper.end(), {"--formula", "paper"});
    const Json paper = answer(by_paper);
    EXPECT_EQ(paper["basis"], "recorded");
    EXPECT_EQ(paper["ranking"][0]["recorded_ms"], 2);
    EXPECT_NEAR(paper["lead"].get<double>(), 0.5, 1e-9);
}

TEST_F(WhatIf, WhatIsLessThanOnePercentApartIsEquallyFast) {
    const auto text_on = [&](const std::string& machine, const std::string& ms_of_csr) {
        write("runtimes.csv", "machine,matrix,schedule,ms\n" + machine + ",web," + csr + "," + ms_of_csr +
                                  "\n" + machine + ",web," + coarse + ",2\n");
        EXPECT_EQ(run({"import-runtimes", "runtimes.csv", "--dense", "64"}).exit_code, 0);
        EXPECT_EQ(run({"machine", "add", "--preset", "epyc-7543", "--name", machine}).exit_code, 0);
        return run({"whatif", "--matrix", "web", "--machine", machine, "--dense", "64", "--measured",
                    "--formula", "paper"})
            .out;
    };
    EXPECT_THAT(text_on("close", "2.01"), HasSubstr("are equally fast here"));
    const std::string apart = text_on("apart", "3");
    EXPECT_THAT(apart, HasSubstr("50 % ahead of the next"));
    EXPECT_THAT(apart, Not(HasSubstr("equally fast")));
}

TEST_F(WhatIf, RanksTheSameSchedulesOnEveryMachineTheFastestMeasuredOnesAmongThem) {
    write("runtimes.csv",
          "machine,matrix,schedule,ms\nserver,web,64 8 2 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 2 4,1\n");
    ASSERT_EQ(run({"import-runtimes", "runtimes.csv", "--dense", "64"}).exit_code, 0);
    ASSERT_EQ(run({"machine", "add", "--preset", "epyc-7543", "--name", "server"}).exit_code, 0);
    ASSERT_EQ(run({"machine", "add", "--preset", "graviton2", "--name", "other"}).exit_code, 0);
    const auto ranked_on = [&](const char* machine) {
        std::set<std::string> schedules;
        const Json found = answer({"whatif", "--matrix", "web", "--dense", "64", "--machine", machine});
        for (const Json& each : found["ranking"]) {
            const std::string text = each["schedule"];
            const std::size_t threads = text.rfind(' ', text.rfind(' ') - 1);
            schedules.insert(text.substr(0, threads) + text.substr(text.rfind(' ')));
        }
        return schedules;
    };
    EXPECT_THAT(ranked_on("server"), ::testing::Contains("64 8 2 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 4"));
    EXPECT_EQ(ranked_on("other"), ranked_on("server"));
}

TEST_F(WhatIf, TakesSchedulesAndMachinesFromFiles) {
    write("schedules.txt", std::string(csr) + "\n" + coarse + "\n");
    EXPECT_EQ(answer(asking({"--from", "schedules.txt"}))["ranking"].size(), 2);
    const Json probed = answer({"machine", "probe", "--facts-only"});
    ASSERT_EQ(run({"whatif", "--matrix", "web", "--json"}).exit_code, 0) << "on this computer";
    write("mine.json", probed.dump());
    EXPECT_EQ(answer({"whatif", "--matrix", "web", "--machine", "mine.json"})["machine"]["name"],
              probed["name"]);
}

TEST_F(WhatIf, TheTextHasTheWinnerTheTableAndTheMap) {
    const std::string text = run(asking({"--map", "cores,l2_bytes", "--map-steps", "4"})).out;
    EXPECT_THAT(text, ContainsRegex("(winner |fastest) "));
    EXPECT_THAT(text, ContainsRegex("[0-9] % ahead of the next|equally fast"));
    EXPECT_THAT(text, HasSubstr("memory_traffic"));
    EXPECT_THAT(text, HasSubstr("to the right cores 1 … 128, upwards l2_bytes"));
    EXPECT_THAT(text, ContainsRegex("upwards l2_bytes [0-9.]+ [KMG]?i?B … [0-9.]+ [MG]iB:"))
        << "as `show` does";
    EXPECT_THAT(text, ContainsRegex("(winner |fastest) [^\n]*\n        [0-9]+ [0-9]+ [0-9]+ [ijk]"))
        << "nicknames tell namesakes of a list apart, so the code stands below each";
    EXPECT_THAT(text, ContainsRegex("\nA +[0-9.]+ %  [^\n]* \\([0-9]+ [0-9]+ [0-9]+ [ijk][^\n]*\\)\n"));
    EXPECT_THAT(run(asking({"--formula", "paper"})).out, HasSubstr("it can't change the winner"));
}

TEST_F(WhatIf, PrintsWhatIsNextToNothingAsZero) {
    ASSERT_EQ(run({"simulate", "power-law", "--param", "scale=9", "--name", "small"}).exit_code, 0);
    const Words question{"whatif", "--matrix", "small", "--machine", "epyc-7543", "--dense", "16"};
    const Json ranking = answer(question)["ranking"];
    ASSERT_TRUE(std::ranges::any_of(ranking, [](const Json& each) {
        const double latency = each["parts"]["latency"];
        return latency > 0 && latency < 1e-9 * each["ms"].get<double>();
    }));
    EXPECT_THAT(run(question).out, Not(ContainsRegex("e-1[0-9]")));
}

TEST_F(WhatIf, TheTextSaysWhatWasSetAndWhatHadToFollow) {
    const std::string text = run(asking({"--set", "cores=32", "--set", "memory_latency_ns=200"})).out;
    EXPECT_THAT(text, HasSubstr("cores 64 → 32"));
    EXPECT_THAT(text, HasSubstr("threads 128 → 64")) << "each core has as many as before";
    EXPECT_THAT(text, ContainsRegex("memory_latency_ns [0-9.]+ → 200 ns"));
    EXPECT_THAT(run(asking({})).out, Not(HasSubstr("→")));
    EXPECT_THAT(run(asking({"--set", "sockets=2", "--set", "cores=31"})).err,
                HasSubstr("--set: cores is 31 and sockets is 2"));
}

TEST_F(WhatIf, ErrorsSayWhatWasExpected) {
    const auto complaint = [&](const Words& words, int code) {
        const Outcome outcome = run(words);
        EXPECT_EQ(outcome.exit_code, code) << outcome.err;
        return outcome.err;
    };
    EXPECT_THAT(complaint({"whatif", "--matrix", "web", "--machine", "abacus"}, 1),
                ::testing::AllOf(HasSubstr("there is no machine \"abacus\"; known machines: "),
                                 HasSubstr("; presets: report-a, ")));
    EXPECT_THAT(complaint({"whatif", "--matrix", "nowhere"}, 1), HasSubstr("no matrix 'nowhere'"));
    EXPECT_THAT(complaint(asking({"--set", "speed=3"}), 1), HasSubstr("expected one of sockets, cores, "));
    EXPECT_THAT(complaint(asking({"--set", "cores=0"}), 1), HasSubstr("from 1 to 1024"));
    EXPECT_THAT(complaint(asking({"--map", "cores"}), 2), HasSubstr("expected two different parameters"));
    EXPECT_THAT(complaint(asking({"--map", "cores,speed"}), 2), HasSubstr("no parameter 'speed'"));
    EXPECT_THAT(complaint(asking({"--formula", "magic"}), 2), HasSubstr("expected mechanistic or paper"));
    EXPECT_THAT(complaint(asking({"--measured"}), 1), HasSubstr("was measured with spmm on"));
    EXPECT_THAT(complaint(asking({"--from", "absent.txt"}), 1), HasSubstr("absent.txt"));
    EXPECT_THAT(complaint(asking({"--setting", "spmm dense=16"}), 2),
                HasSubstr("--dense and --setting say the same"));
}

} // namespace sparsight::testing
