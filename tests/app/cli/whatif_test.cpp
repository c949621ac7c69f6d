#include "app/cli/cli_fixture.h"

#include <set>

namespace sparsight::testing {

using ::testing::ContainsRegex;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::Not;

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
    EXPECT_THAT(run(asking({"--formula", "paper"})).out, HasSubstr("it can't change the winner"));
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
                HasSubstr("no machine of this name in the workspace, and the presets are report-a, "));
    EXPECT_THAT(complaint({"whatif", "--matrix", "nowhere"}, 1), HasSubstr("no matrix 'nowhere'"));
    EXPECT_THAT(complaint(asking({"--set", "speed=3"}), 1), HasSubstr("expected one of sockets, cores, "));
    EXPECT_THAT(complaint(asking({"--set", "cores=0"}), 1), HasSubstr("from 1 to 1024"));
    EXPECT_THAT(complaint(asking({"--map", "cores"}), 2), HasSubstr("expected two different parameters"));
    EXPECT_THAT(complaint(asking({"--map", "cores,speed"}), 2), HasSubstr("no parameter 'speed'"));
    EXPECT_THAT(complaint(asking({"--formula", "magic"}), 2), HasSubstr("expected mechanistic or paper"));
    EXPECT_THAT(complaint(asking({"--measured"}), 1), HasSubstr("was measured with spmm on"));
    EXPECT_THAT(complaint(asking({"--from", "absent.txt"}), 1), HasSubstr("absent.txt"));
}

} // namespace sparsight::testing
