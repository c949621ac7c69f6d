#include "app/cli/cli_fixture.h"

#include <fstream>

namespace sparsight::testing {

using ::testing::HasSubstr;

class Timeline : public CliTest {
protected:
    void SetUp() override {
        ASSERT_EQ(run({"new"}).exit_code, 0);
        ASSERT_EQ(run({"simulate", "power-law", "--param", "scale=9", "--name", "web"}).exit_code, 0);
    }
    static Words asking(Words more) {
        Words words{"timeline", "--matrix", "web", "--dense", "16"};
        words.insert(words.end(), more.begin(), more.end());
        return words;
    }
    /// One chunk holds all rows.
    static constexpr const char* serial = "1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 2 4096";
};

TEST_F(Timeline, OfASimulatedRunHoldsEveryRowAndSaysWhoIsWaitedFor) {
    const Json json = answer(asking({"--machine", "epyc-7543"}));
    EXPECT_EQ(keys(json), (Words{"matrix", "operator", "dense", "schedule", "timeline", "busy_share"}));
    const Json& timeline = json["timeline"];
    EXPECT_EQ(timeline["source"], "simulated");
    EXPECT_EQ(timeline["iterations"], 512);
    EXPECT_EQ(timeline["intervals"].size(), 16) << "chunks of 32 rows";
    EXPECT_EQ(timeline["overhead"], nullptr);
    std::int64_t rows = 0;
    for (const Json& interval : timeline["intervals"])
        rows += interval["iterations"].get<std::int64_t>();
    EXPECT_EQ(rows, 512);

    const Json one = answer(asking({"--machine", "epyc-7543", "--schedule", serial}))["timeline"];
    EXPECT_NEAR(one["balance"]["imbalance"].get<double>(), one["threads"].get<double>(), 1e-6);
    EXPECT_THAT(run(asking({"--machine", "epyc-7543", "--schedule", serial})).out,
                HasSubstr("the others wait"));
}

TEST_F(Timeline, OfSeveralRegionsTellsTheWaitingOfARecordedRunAlone) {
    const char* const columns_outside = "1 1 1 k1 k0 i1 i0 j1 j0 1 1 1 1 i1 2 32";
    const Words simulated = asking({"--machine", "epyc-7543", "--schedule", columns_outside});
    const Json guessed = answer(simulated)["timeline"];
    EXPECT_GT(guessed["regions"], 1);
    EXPECT_EQ(guessed["balance"]["waiting_ms"], nullptr);
    EXPECT_EQ(guessed["balance"]["imbalance"], nullptr);
    EXPECT_THAT(run(simulated).out, HasSubstr("How long threads wait in each region is not known."));

    const Json recorded =
        answer(asking({"--measured", "--threads", "2", "--schedule", columns_outside}))["timeline"];
    EXPECT_EQ(recorded["waiting_ns"].size(), 2);
    EXPECT_GE(recorded["balance"]["imbalance"], 1);
    EXPECT_TRUE(recorded["balance"]["waiting_ms"].is_number());
}

TEST_F(Timeline, OfARunHereTellsWhatRecordingCosts) {
    const Json timeline = answer(asking({"--measured", "--threads", "2"}))["timeline"];
    EXPECT_EQ(timeline["source"], "measured");
    EXPECT_EQ(timeline["threads"], 2);
    EXPECT_EQ(timeline["iterations"], 512);
    EXPECT_TRUE(timeline["overhead"]["share"].is_number());
    EXPECT_GT(timeline["plain_ms"].get<double>(), 0);
    EXPECT_THAT(run(asking({"--measured", "--threads", "1"})).out, HasSubstr("Recording costs"));
    EXPECT_EQ(answer({"results", "--matrix", "web"}).size(), 0) << "a timeline is no measurement";
}

TEST_F(Timeline, WritesEveryIntervalToATable) {
    const Json timeline =
        answer(asking({"--machine", "epyc-7543", "--csv", (folder() / "lanes.csv").string()}))["timeline"];
    std::ifstream file(folder() / "lanes.csv");
    std::size_t lines = 0;
    for (std::string line; std::getline(file, line);)
        ++lines;
    EXPECT_EQ(lines, 1 + timeline["intervals"].size());
}

TEST_F(Timeline, IsShownOfAMatrixWithoutRowsOrColumns) {
    for (const std::string size : {"0 0 0", "0 5 0", "5 0 0"}) {
        const std::string name = "empty-" + size.substr(0, 1) + size.substr(2, 1);
        write(name + ".mtx", "%%MatrixMarket matrix coordinate real general\n" + size + "\n");
        ASSERT_EQ(run({"import", name + ".mtx"}).exit_code, 0);
        for (const std::string command : {"timeline", "explain"}) {
            const Outcome outcome =
                run({command, "--matrix", name, "--schedule", "csr", "--machine", "epyc-7543"});
            EXPECT_EQ(outcome.signal, 0) << command << " " << size;
            EXPECT_GE(outcome.exit_code, 0) << outcome.err;
        }
    }
}

TEST_F(Timeline, RefusesWhatIsNoScheduleAndAMachineThatIsNotHere) {
    const Outcome wrong = run(asking({"--schedule", "fast"}));
    EXPECT_NE(wrong.exit_code, 0);
    EXPECT_THAT(wrong.err, HasSubstr("--schedule: expected csr, best or a schedule on one line"));
    EXPECT_NE(run(asking({"--measured", "--machine", "epyc-7543"})).exit_code, 0);
}

} // namespace sparsight::testing
