#include "app/cli/cli_fixture.h"
#include "app/learn/learn_fixture.h"
#include "domains/sparse/schedule/text.h"
#include "domains/sparse/storage/matrices.h"
#include "domains/sparse/storage/schedules.h"
#include "store/machines.h"
#include "store/models.h"
#include "store/runs.h"
#include "store/workspace.h"
#include "support/test_files.h"

#include <fmt/format.h>

namespace sparsight::testing {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

/// A workspace with an evaluation whose model chose a schedule that gives all rows to one thread.
class Failures : public CliTest {
protected:
    void SetUp() override {
        ASSERT_EQ(run({"new"}).exit_code, 0);
        ASSERT_EQ(run({"simulate", "power-law", "--param", "scale=9", "--name", "web"}).exit_code, 0);
        ASSERT_EQ(run({"simulate", "banded", "--param", "size=500", "--name", "band"}).exit_code, 0);
        ASSERT_EQ(run({"machine", "add", "--preset", "epyc-7543", "--name", "server"}).exit_code, 0);
        auto workspace = *Workspace::open(folder() / "workspace.sparsight");
        const MachineRecord machine = **find_machine(workspace, "server");
        const ModelId model =
            *add_model(workspace, {"first", {}, {}, R"({"training": {"matrices": ["band"]}})"}, {});
        const Json parameters{{"models", {"first"}},
                              {"model_ids", {static_cast<std::int64_t>(model)}},
                              {"matrices", {"web", "band"}},
                              {"k", 1},
                              {"machine", machine.fingerprint},
                              {"operator", "spmm"},
                              {"dense", 16},
                              {"protocol", "simulated"},
                              {"seed", 1}};
        const RunId evaluation = *start_run(workspace, "evaluate", parameters.dump());
        for (const auto& [name, chosen_ms] : {std::pair("web", 3.0), std::pair("band", 1.0)}) {
            const WorkloadId matrix = (**find_matrix(workspace, name)).id;
            const SuperSchedule chosen = *parse_schedule(Operator::SpMM, serial);
            for (const auto& [schedule, milliseconds] :
                 {std::pair(fixed_csr(Operator::SpMM, 128), 1.5), std::pair(chosen, chosen_ms)}) {
                Measurement measurement;
                measurement.status = MeasurementStatus::Measured;
                measurement.median = Milliseconds(milliseconds);
                measurement.spread = Milliseconds(0.01);
                measurement.repeats = 5;
                ASSERT_TRUE(record_measurement(workspace, {matrix, machine.id, 16, "simulated"}, schedule,
                                               measurement));
            }
            ASSERT_TRUE(record_choices(workspace, evaluation, model, matrix,
                                       std::vector{ChosenSchedule{chosen, 0.5}}));
        }
    }

    static constexpr const char* serial = "1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 128 4096";
};

TEST_F(Failures, TellsTheNewestEvaluationAsStories) {
    const Json json = answer({"failures"});
    EXPECT_EQ(keys(json), (Words{"evaluation", "machine", "operator", "dense", "simulated_on", "compared",
                                 "stories", "cases", "stands_in", "remarks", "command"}));
    EXPECT_EQ(json["machine"], "server");
    EXPECT_EQ(json["simulated_on"], "server");
    EXPECT_EQ(json["compared"], 2);
    ASSERT_EQ(json["cases"].size(), 1);
    const Json& failure = json["cases"][0];
    EXPECT_EQ(failure["matrix"], "web");
    EXPECT_EQ(failure["family"], "power_law");
    EXPECT_EQ(failure["signs"][0]["kind"], "slower_than_csr");
    EXPECT_EQ(failure["signs"][0]["lost_ms"], 1.5);
    EXPECT_EQ(failure["signs"][0]["significance"], "beyond_noise");
    EXPECT_EQ(failure["diagnosis"]["decisions"][0]["decision"], "chunk");
    EXPECT_EQ(failure["diagnosis"]["term"], "imbalance");
    ASSERT_EQ(json["stories"].size(), 1);
    EXPECT_EQ(json["stories"][0]["decision"], "chunk");
    EXPECT_THAT(json["stories"][0]["sentence"],
                HasSubstr("chunk 4096 instead of 32 makes the chosen schedule by simulation 100 % slower"));
}

TEST_F(Failures, ItsCommandGivesTheSameAnswerAgain) {
    const Json json = answer({"failures"});
    const std::string evaluation = fmt::format("{}", json["evaluation"].get<int>());
    EXPECT_EQ(json["command"], "sparsight-cli failures --evaluation " + evaluation);
    EXPECT_EQ(answer({"failures", "--evaluation", evaluation}), json);
}

TEST_F(Failures, TellsAPersonStoryCasesAndHowToSeeItAgain) {
    const Outcome outcome = run({"failures", "--model", "first", "--machine", "server"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_THAT(outcome.out,
                HasSubstr("1 of 2 choices fails; 1.5 simulated ms are lost in all, in 1 group."));
    EXPECT_THAT(outcome.out, HasSubstr("1. 1 matrix, power law: chunk 4096 instead of 32"));
    EXPECT_THAT(outcome.out, HasSubstr("cores that wait for the last one"));
    EXPECT_THAT(outcome.out, HasSubstr("to reproduce: sparsight-cli failures --evaluation"));
}

TEST_F(Failures, ItsCommandNamesTheWorkspaceThatWasNamed) {
    const std::string file = (folder() / "workspace.sparsight").string();
    EXPECT_THAT(answer({"failures", "--workspace", file})["command"].get<std::string>(),
                HasSubstr(" --workspace " + file));
}

TEST_F(Failures, RefusesOptionsThatItWouldIgnore) {
    for (const Words& words : {Words{"--operator", "spmv"}, Words{"--dense", "16"}, Words{"--noise", "0.1"},
                               Words{"--evaluation", "1", "--machine", "server"}}) {
        Words command{"failures"};
        command.insert(command.end(), words.begin(), words.end());
        const Outcome outcome = run(command);
        EXPECT_EQ(outcome.exit_code, 2) << words.front();
        EXPECT_THAT(outcome.err, HasSubstr(words.front()));
    }
}

TEST_F(Failures, ErrorsSayWhatIsNotThere) {
    const auto error = [&](Words words) {
        words.insert(words.begin(), "failures");
        const Outcome outcome = run(words);
        EXPECT_NE(outcome.exit_code, 0);
        return outcome.err;
    };
    EXPECT_THAT(error({"--model", "second"}), HasSubstr("the workspace has no model 'second'; it has first"));
    {
        auto workspace = *Workspace::open(folder() / "workspace.sparsight");
        ASSERT_TRUE(add_model(workspace, {"third", {}, {}, "{}"}, {}));
    }
    EXPECT_THAT(error({"--model", "third"}),
                HasSubstr("no evaluation of third: expected one from `evaluate`"));
    EXPECT_THAT(error({"--machine", "abacus"}),
                HasSubstr("there is no machine \"abacus\"; known machines: "));
    EXPECT_THAT(error({"--evaluation", "77"}),
                HasSubstr("the workspace has no evaluation with the number 77"));
    EXPECT_THAT(error({"--recorded", "missing.csv"}), HasSubstr("missing.csv"));
}

TEST_F(Failures, ARecordedTableIsSimulatedWhereThePatternIsKnown) {
    std::string table = "matrix,waco_schedule,waco_ms,fixedcsr_ms\n";
    table += fmt::format("web,{},3,1\n", serial);
    for (int n = 0; n < 20; ++n)
        table +=
            fmt::format("m{},{},{},1\n", n, n % 2 == 0 ? serial : "1 1 2 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 48 32",
                        n % 2 == 0 ? 2 : 0.9);
    write("table.csv", table);
    const Json json =
        answer({"failures", "--recorded", "table.csv", "--dense", "16", "--simulated-on", "server"});
    EXPECT_EQ(json["compared"], 21);
    ASSERT_EQ(json["cases"].size(), 11);
    EXPECT_EQ(json["cases"][0]["matrix"], "web");
    EXPECT_EQ(json["cases"][0]["diagnosis"]["basis"], "simulated");
    EXPECT_EQ(json["cases"][1]["diagnosis"]["basis"], "statistics");
    EXPECT_EQ(json["cases"][1]["diagnosis"]["decisions"][0]["decision"], "chunk");
    EXPECT_EQ(json["stories"][0]["cases"].size(), 11);
}

TEST_F(Failures, ItsCommandSaysWhichNoiseARecordedTimeWasAssumedToHave) {
    write("table.csv", fmt::format("matrix,waco_schedule,waco_ms,fixedcsr_ms\nweb,{},1.3,1\n", serial));
    EXPECT_THAT(answer({"failures", "--recorded", "table.csv"})["command"].get<std::string>(),
                Not(HasSubstr("--noise")));
    const Json noisy = answer({"failures", "--recorded", "table.csv", "--noise", "0.2"});
    EXPECT_TRUE(noisy["cases"].empty());
    EXPECT_THAT(noisy["command"].get<std::string>(), HasSubstr("--noise 0.2"));
}

TEST_F(Failures, ARecordedTableHasNoModelAndNoMachineToChooseFrom) {
    for (const char* const option : {"--model", "--machine"})
        EXPECT_EQ(run({"failures", "--recorded", "table.csv", option, "first"}).exit_code, 2) << option;
}

TEST_F(Failures, SizesBesideARecordedTableTellFamiliesAndPagesThatAreMissingAreSaidToBe) {
    write("table.csv", fmt::format("matrix,waco_schedule,waco_ms,fixedcsr_ms\nelsewhere,{},3,1\n", serial));
    write("matrices.csv", "matrix,rows,cols,nnz\nelsewhere,1000,100,3000\n");
    const Json json = answer({"failures", "--recorded", "table.csv"});
    ASSERT_EQ(json["cases"].size(), 1);
    EXPECT_EQ(json["cases"][0]["family"], "tall_by_sizes");
    EXPECT_THAT(json["remarks"].dump(), HasSubstr("these schedules ask for "));
    const Outcome report = run({"report", "--recorded", "table.csv", "-o", "report.html"});
    EXPECT_EQ(report.exit_code, 0);
    EXPECT_THAT(report.err, HasSubstr("no pages: of 1 matrix that loses none has a pattern here"));
}

TEST_F(Failures, ErrorsInARecordedTableNameTheLine) {
    write("table.csv", "matrix,waco_schedule,waco_ms,fixedcsr_ms\nweb,1 2 3,1,1\n");
    const Outcome outcome = run({"failures", "--recorded", "table.csv"});
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_THAT(outcome.err, HasSubstr("table.csv:2: "));
}

TEST_F(CliTest, TheOriginalWacoLosesInAFewStories) {
    const char* const table = "waco/collected-32-threads/best_vs_csr.csv";
    SPARSIGHT_NEEDS_SHARED(table);
    const Json json = answer({"failures", "--recorded", shared_path(table).string()});
    EXPECT_EQ(json["compared"], 1792);
    EXPECT_GT(json["cases"].size(), 200);
    EXPECT_LE(json["stories"].size(), 6);
}

using ::testing::StartsWith;

using Report = Failures;

TEST_F(Report, OfAnEvaluationHasStoriesAndAPageForEachCase) {
    const Json json = answer({"report", "-o", "failures.html"});
    EXPECT_EQ(json["stories"], 1);
    EXPECT_EQ(json["pages"], 1);
    const std::string html = read("failures.html");
    EXPECT_THAT(html, StartsWith("<!DOCTYPE html>"));
    EXPECT_THAT(html, HasSubstr("1. 1 matrix, power law: chunk 4096 instead of 32"));
    EXPECT_THAT(html, HasSubstr("<a href=\"#case0\">web</a>"));
    EXPECT_THAT(html, HasSubstr("id=\"case0\""));
    EXPECT_THAT(html, HasSubstr("Which decision"));
    EXPECT_THAT(html, HasSubstr("data:image/png;base64,"));
    EXPECT_THAT(html, HasSubstr("sparsight-cli report --evaluation"));
    EXPECT_THAT(html, Not(HasSubstr("http"))) << "it needs nothing from outside";
}

TEST_F(Report, OfAScheduleIsOnePageWithTheCommandThatGivesItAgain) {
    const Words words{"report",    "--matrix", "web",       "--schedule", serial, "--dense",  "16",
                      "--machine", "server",   "--against", "csr",        "-o",   "page.html"};
    EXPECT_EQ(answer(words)["pages"], 1);
    const std::string html = read("page.html");
    EXPECT_THAT(html, HasSubstr("times as long as fixed CSR"));
    EXPECT_THAT(html, HasSubstr("What would make it win"));
    EXPECT_THAT(html, HasSubstr("sparsight-cli report --matrix web --operator spmm --dense 16 --schedule"));
    EXPECT_EQ(
        answer({"report", "--matrix", "web", "--schedule", serial, "--dense", "16", "--machine", "server",
                "--against", "1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 128 32", "-o", "again.html"})["pages"],
        1);
    EXPECT_THAT(read("again.html"), HasSubstr("times as long as fixed CSR"));
}

TEST_F(Report, AModelThatCanNotBeAskedIsNoReasonToRefuseThePage) {
    EXPECT_EQ(answer({"report", "-o", "failures.html"})["pages"], 1);
    EXPECT_THAT(read("failures.html"), HasSubstr("first can&#39;t be asked why"));
    EXPECT_EQ(answer({"report", "--reasons", "0", "-o", "failures.html"})["pages"], 1);
    EXPECT_THAT(read("failures.html"), Not(HasSubstr("be asked why")));
}

TEST_F(Report, WithoutPagesIsTheSummaryAlone) {
    EXPECT_EQ(answer({"report", "--pages", "0", "--seed", "7", "-o", "summary.html"})["pages"], 0);
    EXPECT_THAT(read("summary.html"), HasSubstr(" --seed 7 --pages 0"))
        << "the command gives this report again, not the usual one";
    EXPECT_THAT(read("summary.html"), Not(HasSubstr("Which decision")));
}

TEST_F(Report, RefusesOptionsThatItWouldIgnore) {
    const Words page{"--matrix", "web", "--schedule", "csr"};
    const auto refused = [&](Words words, const Words& more) {
        words.insert(words.begin(), {"report", "-o", "page.html"});
        words.insert(words.end(), more.begin(), more.end());
        const Outcome outcome = run(words);
        EXPECT_EQ(outcome.exit_code, 2) << more.front();
        EXPECT_THAT(outcome.err, HasSubstr(more.front()));
    };
    for (const Words& more : {Words{"--evaluation", "1"}, Words{"--pages", "3"}, Words{"--reasons", "1s"},
                              Words{"--simulated-on", "laptop"}})
        refused(page, more);
    for (const Words& more : {Words{"--operator", "spmv"}, Words{"--dense", "8"},
                              Words{"--simulated-on", "laptop", "--machine", "laptop"}})
        refused({}, more);
}

TEST_F(Report, TheNameOfTheFileSaysTheForm) {
    const Outcome outcome = run({"report", "-o", "failures.doc"});
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("'failures.doc' ends in neither .html nor .pdf"));
    EXPECT_EQ(run({"report"}).exit_code, 2);
}

TEST_F(Report, PdfIsPrintedByTheProgramWithAWindow) {
    const auto window = std::filesystem::path(SPARSIGHT_CLI).parent_path() / "sparsight";
    if (!std::filesystem::exists(window))
        GTEST_SKIP() << "needs " << window << ", which is not built here";
    EXPECT_EQ(run({"report", "-o", "failures.pdf"}).exit_code, 0);
    EXPECT_THAT(read("failures.pdf"), StartsWith("%PDF-"));
}

/// With the real sparsight-learn, on recorded machines.
class FailuresOfAGrayBox : public LearnTest {};

TEST_F(FailuresOfAGrayBox, SayWhichPartOfItMisledIt) {
    trained("gray", {"--no-baseline", "--preset", "gray-box", "--simulated", "deviating:2", "--epochs", "2",
                     "--dense", "32", "--quiet"});
    const Outcome evaluated = run({"evaluate", "--models", "gray", "--machine", "second", "--dense", "32",
                                   "--k", "1", "--matrices", "uniform-0,uniform-3,uniform-6,uniform-9"});
    ASSERT_EQ(evaluated.exit_code, 0) << evaluated.err;
    const Json failures = answer({"failures", "--model", "gray"});
    ASSERT_FALSE(failures["cases"].empty()) << "the simulator knows nothing of the invented times";
    for (const Json& failure : failures["cases"]) {
        const Json& misled = failure["misled"];
        EXPECT_EQ(keys(misled), (Words{"by", "known", "simulated", "corrected", "mended", "distrusted",
                                       "distrusted_factor"}));
        EXPECT_GT(misled["known"], 1);
        // Nothing was measured for it, so that it corrects nothing.
        EXPECT_NEAR(misled["corrected"].get<double>() / misled["simulated"].get<double>(), 1, 1e-3);
        EXPECT_EQ(misled["by"], misled["simulated"] > 1 ? "neither" : "both");
        EXPECT_EQ(misled["distrusted"], nullptr);
    }
    const std::string text = run({"failures", "--model", "gray"}).out;
    EXPECT_THAT(text, HasSubstr("misled by"));
    EXPECT_THAT(text, HasSubstr("imulator and correction misled gray: they say "));
}

} // namespace sparsight::testing
