#include "gui/domains/sparse/failures/failure_reader.h"

#include "domains/sparse/explanation/failures/recorded_failures.h"
#include "failures_fixture.h"
#include "support/test_files.h"

#include <QProcess>

namespace sparsight::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class FailureReaderTest : public FailuresTest {
protected:
    static Result<std::shared_ptr<const SparseFailures>> read(const QString& workspace,
                                                              const QString& table = {}) {
        return read_failures_of({{.workspace = workspace.toStdString()}, table.toStdString()}, {});
    }
    nlohmann::json told_by_the_worker(const QStringList& words) {
        QProcess process;
        process.start(QStringLiteral(SPARSIGHT_CLI), QStringList{QStringLiteral("failures")} + words +
                                                         QStringList{QStringLiteral("--json")});
        EXPECT_TRUE(process.waitForFinished(60'000));
        EXPECT_EQ(process.exitCode(), 0) << process.readAllStandardError().toStdString();
        return nlohmann::json::parse(process.readAllStandardOutput().toStdString(), nullptr, false);
    }
    /// Stories with their cases, in order.
    static void expect_same(const SparseFailures& shown, const nlohmann::json& told) {
        ASSERT_TRUE(told.is_object());
        EXPECT_EQ(shown.cases.size(), told["cases"].size());
        ASSERT_EQ(shown.groups.size(), told["stories"].size());
        for (std::size_t at = 0; at < shown.groups.size(); ++at) {
            const FailureGroup& group = shown.groups[at];
            EXPECT_EQ(group.cases.size(), told["stories"][at]["cases"].size()) << at;
            EXPECT_NEAR(group.lost_ms, told["stories"][at]["lost_ms"].get<double>(), 1e-9) << at;
            EXPECT_NEAR(group.behind_ms, told["stories"][at]["behind_ms"].get<double>(), 1e-9) << at;
            EXPECT_EQ(name(group.ground), told["stories"][at]["ground"].get<std::string>()) << at;
        }
    }
};

TEST_F(FailureReaderTest, ARecordedTableHasTheStoriesThatTheCommandLineTells) {
    const QString workspace = make_failing_workspace();
    const QString table = make_table();
    const auto shown = read(workspace, table);
    ASSERT_TRUE(shown) << shown.error().text();
    EXPECT_EQ((*shown)->cases.size(), 22U);
    expect_same(**shown, told_by_the_worker({QStringLiteral("--recorded"), table,
                                             QStringLiteral("--workspace"), workspace}));
}

TEST_F(FailureReaderTest, AnEvaluationHasTheStoriesThatTheCommandLineTells) {
    const QString workspace = make_failing_workspace();
    const auto shown = read(workspace);
    ASSERT_TRUE(shown) << shown.error().text();
    EXPECT_EQ((*shown)->cases.size(), 3U);
    expect_same(**shown, told_by_the_worker({QStringLiteral("--workspace"), workspace}));
}

TEST_F(FailureReaderTest, ThePublishedTableHasTheStoriesThatTheEngineTells) {
    SPARSIGHT_NEEDS_SHARED("waco/collected-32-threads/best_vs_csr.csv");
    const auto file = shared_path("waco/collected-32-threads/best_vs_csr.csv");
    const auto shown = read({}, QString::fromStdString(file.string()));
    const auto told = read_table_failures(nullptr, {.file = file});
    ASSERT_TRUE(shown && told);
    EXPECT_EQ((*shown)->cases.size(), told->cases.size());
    ASSERT_EQ((*shown)->groups.size(), told->groups.size());
    for (std::size_t at = 0; at < told->groups.size(); ++at)
        EXPECT_EQ((*shown)->groups[at].cases, told->groups[at].cases);
}

TEST_F(FailureReaderTest, AWorkspaceThatIsGoneIsAnError) {
    const auto answer = read(path("gone.sparsight"));
    ASSERT_FALSE(answer);
    EXPECT_THAT(answer.error().text(), HasSubstr("gone.sparsight"));
}

TEST_F(FailureReaderTest, AnErrorOfATableNamesItsFileAndLine) {
    std::ofstream(path("bad.csv").toStdString())
        << "matrix,waco_schedule,waco_ms,fixedcsr_ms\na,1 2 three,1,2\n";
    const auto answer = read({}, path("bad.csv"));
    ASSERT_FALSE(answer);
    EXPECT_THAT(answer.error().text(), AllOf(HasSubstr("bad.csv"), HasSubstr("2")));
    const auto none = read({}, path("none.csv"));
    ASSERT_FALSE(none);
    EXPECT_THAT(none.error().text(), HasSubstr("none.csv"));
}

TEST_F(FailureReaderTest, AnEvaluationThatCantBeReadIsPassedOverAndTold) {
    const QString file = make_failing_workspace();
    {
        auto workspace = Workspace::open(file.toStdString());
        const RunId run = *start_run(*workspace, "evaluate",
                                     nlohmann::json{{"models", {"first"}},
                                                    {"model_ids", {1}},
                                                    {"matrices", {"m0"}},
                                                    {"k", 1},
                                                    {"machine", "recorded:gone"},
                                                    {"operator", "spmm"},
                                                    {"dense", dense},
                                                    {"protocol", "simulated"},
                                                    {"seed", 1}}
                                         .dump());
        ASSERT_TRUE(end_run(*workspace, run, RunState::Finished).has_value());
    }
    const auto answer = read(file);
    ASSERT_TRUE(answer) << answer.error().text();
    EXPECT_EQ((*answer)->cases.size(), 3U) << "of the one before";
    EXPECT_EQ((*answer)->problem.toStdString(), "");
    ASSERT_FALSE((*answer)->remarks.isEmpty());
    EXPECT_THAT((*answer)->remarks.front().toStdString(), HasSubstr("newer evaluation can’t be read"));
}

TEST_F(FailureReaderTest, AMachineThatNobodyKnowsIsReplacedByThisComputerAndThatIsSaid) {
    const auto answer = read(make_failing_workspace(), make_table());
    ASSERT_TRUE(answer) << answer.error().text();
    ASSERT_EQ((*answer)->remarks.size(), 1);
    EXPECT_THAT((*answer)->remarks.front().toStdString(),
                AllOf(HasSubstr("the machine of the table"), HasSubstr("this computer")));
}

TEST_F(FailureReaderTest, WhoStopsItGetsNoHalfAnswer) {
    std::stop_source stop;
    stop.request_stop();
    const auto answer =
        read_failures_of({{.workspace = make_failing_workspace().toStdString()}}, stop.get_token());
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().fault, Fault::Cancelled);
}

} // namespace
} // namespace sparsight::testing
