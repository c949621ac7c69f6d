#include "app/cli/evaluation_fixture.h"
#include "domains/sparse/schedule/super_schedule.h"
#include "domains/sparse/schedule/text.h"
#include "domains/sparse/storage/matrices.h"
#include "domains/sparse/storage/schedules.h"
#include "store/machines.h"

#include <filesystem>
#include <gmock/gmock.h>
#include <unistd.h>
#include <utility>

namespace sparsight::testing {

using ::testing::HasSubstr;
using ::testing::Not;

TEST_F(Evaluate, AsksAndMeasuresNothingTwice) {
    const Json first = evaluated({"--models", "first"});
    const Json second = evaluated({"--models", "first"});
    EXPECT_EQ(first["models"], second["models"]);
    EXPECT_EQ(asked().size(), 1);
    EXPECT_EQ(evaluated({"--models", "first", "--again"})["complete"], true);
    EXPECT_EQ(asked().size(), 2);
}

TEST_F(Evaluate, PrintsAFinishedEvaluationWhateverTheOrderOfItsNamesAndSaysSo) {
    const Words words{"--models", "first,second", "--matrices", "stencil-2d,banded,arrow"};
    const Outcome before = evaluate(words);
    EXPECT_EQ(before.err.find("--again"), std::string::npos) << before.err;
    const Json first = evaluated(words);
    const Words others{"--models", "first,second", "--matrices", "arrow,banded,stencil-2d"};
    const Outcome after = evaluate(others);
    EXPECT_THAT(after.err, HasSubstr("these are the figures of the evaluation of 20"));
    EXPECT_THAT(after.err, HasSubstr("--again does it anew"));
    EXPECT_EQ(after.out, before.out) << "intervals, too, do not depend on the order";
    EXPECT_EQ(evaluated(others)["models"], first["models"]);
    EXPECT_EQ(evaluated({"--models", "second,first", "--matrices", "arrow,banded,stencil-2d"})["models"][0],
              first["models"][1]);
    EXPECT_EQ(asked().size(), 2) << "one search of each model";
}

/// What runs `evaluate` once the workspace can't be written any more: neither the file nor its folder.
class EvaluateReadOnly : public Evaluate {
protected:
    ~EvaluateReadOnly() override {
        std::filesystem::permissions(folder(), std::filesystem::perms::owner_all);
    }

    void make_read_only() const {
        using std::filesystem::perms;
        std::filesystem::permissions(folder() / "workspace.sparsight", perms(0444));
        std::filesystem::permissions(folder(), perms(0555));
    }
    /// Root may write everywhere, so that it becomes another user for this.
    [[nodiscard]] Outcome evaluate_as_reader(Words words) const {
        if (::geteuid() != 0)
            return evaluate(words);
        words.insert(words.begin(), {"/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups",
                                     program().string(), "evaluate"});
        words.insert(words.end(), {"--dense", "8", "--threads", "2", "--k", "2"});
        return ChildProcess(words, folder()).finish();
    }
    [[nodiscard]] static bool can_become_a_reader() {
        return ::geteuid() != 0 || std::filesystem::exists("/usr/bin/setpriv");
    }
};

TEST_F(EvaluateReadOnly, PrintsAFinishedEvaluation) {
    if (!can_become_a_reader())
        GTEST_SKIP() << "root can't become another user here: there is no setpriv";
    ASSERT_EQ(run({"machine", "add", "--preset", "laptop", "--name", "imagined"}).exit_code, 0);
    const Words measured{"--models", "first,second"};
    const Words simulated{"--models", "first", "--machine", "imagined"};
    const Outcome of_turns = evaluate(measured);
    const Outcome of_description = evaluate(simulated);
    make_read_only();
    for (const auto& [words, before] :
         {std::pair(&measured, &of_turns), std::pair(&simulated, &of_description)}) {
        const Outcome after = evaluate_as_reader(*words);
        EXPECT_EQ(after.exit_code, 0) << after.err;
        EXPECT_EQ(after.out, before->out);
        EXPECT_THAT(after.err, HasSubstr("these are the figures of the evaluation of 20"));
    }
}

TEST_F(EvaluateReadOnly, PrintsOneWhoseChoicesWereTooLargeToSimulate) {
    if (!can_become_a_reader())
        GTEST_SKIP() << "root can't become another user here: there is no setpriv";
    ASSERT_EQ(run({"machine", "add", "--preset", "laptop", "--name", "imagined"}).exit_code, 0);
    const Words words{"--models", "first", "--machine", "imagined"};
    ASSERT_EQ(evaluate(words).exit_code, 0);
    const auto chosen = [](const char* text) {
        return canonical_without_threads(*parse_schedule(Operator::SpMM, text));
    };
    const auto first = chosen("1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 48 8");
    const auto second = chosen("1 1 4 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 48 2");
    {
        // The second choice everywhere, and both on one matrix, which is left out then.
        auto workspace = *Workspace::open(folder() / "workspace.sparsight");
        const MachineId machine = (**find_machine(workspace, "imagined")).id;
        const auto rows = list_results(workspace, ResultFilter{.machine = "imagined"});
        ASSERT_TRUE(rows);
        // A failure replaces no time, so all are stored anew.
        ASSERT_TRUE(workspace.database().run("DELETE FROM measurements"));
        for (const ResultRow& row : *rows) {
            const SuperSchedule schedule = *parse_schedule(Operator::SpMM, row.schedule);
            const auto without_threads = canonical_without_threads(schedule);
            const bool is_too_large =
                without_threads == second || (without_threads == first && row.matrix == "banded");
            Measurement measurement;
            measurement.status = is_too_large ? MeasurementStatus::TooLarge : row.status;
            if (!is_too_large && row.median_ms)
                measurement.median = Milliseconds(*row.median_ms);
            const WorkloadId matrix = (**find_matrix(workspace, row.matrix)).id;
            ASSERT_TRUE(
                record_measurement(workspace, {matrix, machine, 8, row.protocol}, schedule, measurement));
        }
    }
    make_read_only();
    const Outcome after = evaluate_as_reader(words);
    EXPECT_EQ(after.exit_code, 0) << after.err;
    EXPECT_THAT(after.out, HasSubstr("1 of the 2 schedules that first chose have no time"));
    EXPECT_THAT(after.err, HasSubstr("these are the figures of the evaluation of 20"));
}

TEST_F(EvaluateReadOnly, SaysWhyItCanDoNoOther) {
    if (!can_become_a_reader())
        GTEST_SKIP() << "root can't become another user here: there is no setpriv";
    ASSERT_EQ(evaluated({"--models", "first"})["complete"], true);
    make_read_only();
    for (const Words& words : {Words{"--models", "second"}, Words{"--models", "first", "--again"},
                               Words{"--models", "first", "--seed", "7"}}) {
        const Outcome outcome = evaluate_as_reader(words);
        EXPECT_EQ(outcome.exit_code, 3) << outcome.err;
        EXPECT_THAT(outcome.err, HasSubstr("the workspace is read-only: this user may not write the file"));
        EXPECT_EQ(outcome.out, "");
    }
}

TEST_F(Evaluate, SaysInWhatTheStoredEvaluationDiffers) {
    ASSERT_EQ(evaluated({"--models", "first"})["complete"], true);
    const Outcome other = evaluate({"--models", "first", "--matrices", "banded", "--seed", "7"});
    EXPECT_EQ(other.exit_code, 0) << other.err;
    EXPECT_THAT(other.err, HasSubstr("this evaluation is a new one: the stored one of 20"));
    EXPECT_THAT(other.err, HasSubstr("differs in matrices (2, now 1), seed (1, now 7)"));
    EXPECT_THAT(evaluate({"--models", "first,second"}).err, Not(HasSubstr("differs in")))
        << "these models were not compared before";
}

TEST_F(Evaluate, GoesOnWhereItsBudgetEnded) {
    const Json first = evaluated({"--models", "first", "--budget", "1ms"});
    EXPECT_EQ(first["complete"], false);
    const Json second = evaluated({"--models", "first"});
    EXPECT_EQ(second["complete"], true);
    EXPECT_EQ(asked().size(), 1) << "what was chosen stands";
    EXPECT_EQ(second["models"][0]["matrices"].size(), 2);
}

} // namespace sparsight::testing
