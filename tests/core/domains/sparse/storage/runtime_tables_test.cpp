#include "domains/sparse/storage/runtime_tables.h"

#include "core/store/store_fixture.h"
#include "domains/sparse/storage/matrices.h"
#include "domains/sparse/storage/schedules.h"
#include "support/test_files.h"

#include <gmock/gmock.h>

namespace sparsight {
namespace {

using testing::error_text;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::must;
using testing::write_file;

constexpr std::string_view schedule_a = "8 4 2 i1 k1 k0 i0 j1 j0 0 0 1 0 i1 48 16";
constexpr std::string_view schedule_b = "16 4 2 i1 k1 k0 i0 j1 j0 0 0 1 0 i1 48 16";
constexpr std::string_view spmv_schedule = "8 4 i1 k1 k0 i0 0 0 1 0 i1 48 16";

std::vector<std::string> texts(const std::vector<Error>& problems) {
    std::vector<std::string> found;
    for (const Error& problem : problems)
        found.push_back(problem.text());
    return found;
}

class RuntimeTables : public testing::StoreTest {
protected:
    [[nodiscard]] std::filesystem::path table() const { return in_folder("table.csv"); }
    Result<TableImportReport> import(const std::string& text, TableImport request = {.machine = "xeon"}) {
        request.file = write_file(table(), text);
        return import_runtime_table(workspace_, request);
    }
    TableImportReport imported(const std::string& text, const TableImport& request = {.machine = "xeon"}) {
        return must(import(text, request));
    }

    Workspace workspace_ = create();
};

TEST_F(RuntimeTables, BecomeMeasurementsOfARecordedMachine) {
    const auto report = imported(fmt::format("matrix,rows,cols,nnz,schedule,ms\n"
                                             "a,3,4,5,{0},75.75\n"
                                             "a,3,4,5,{1},4.5\n"
                                             "b,9,9,9,{0},3",
                                             schedule_a, schedule_b));
    EXPECT_THAT(texts(report.problems), IsEmpty());
    EXPECT_EQ(report.measurements, 3);
    EXPECT_EQ(report.already_there, 0);
    ASSERT_EQ(report.matrices.size(), 2U);
    EXPECT_EQ(report.matrices.at("a").rows, 3);
    EXPECT_EQ(report.matrices.at("a").cols, 4);
    const auto results = must(list_results(workspace_));
    ASSERT_EQ(results.size(), 3U);
    EXPECT_EQ(results[1].matrix, "a");
    EXPECT_EQ(results[1].machine, "xeon");
    EXPECT_EQ(results[1].protocol, "waco");
    EXPECT_EQ(results[1].schedule, schedule_b);
    EXPECT_EQ(results[1].median_ms, 4.5);
    EXPECT_EQ(results[1].spread_ms, std::nullopt);
}

TEST_F(RuntimeTables, MayNameOperatorsAndMachinesThemselves) {
    const std::string text = fmt::format("kernel,machine,group,matrix,schedule,ms\n"
                                         "SpMM,old,g,a,{},1\n"
                                         "SpMV,old,g,a,{},2\n"
                                         "SpMM,new,g,a,{},3\n",
                                         schedule_a, spmv_schedule, schedule_a);
    EXPECT_EQ(imported(text, {}).measurements, 3);
    const auto results = must(list_results(workspace_));
    ASSERT_EQ(results.size(), 3U);
    EXPECT_EQ(results[0].machine, "old");
    EXPECT_EQ(results[1].op, Operator::SpMV);
    EXPECT_EQ(results[2].machine, "new");
    // All of them are of one machine where the user says so.
    const auto forced = imported(text, {.machine = "one"});
    EXPECT_EQ(forced.measurements, 2);
    ASSERT_EQ(forced.problems.size(), 1U);
    EXPECT_THAT(forced.problems[0].text(),
                HasSubstr("table.csv:4: this schedule of a stands in line 2 already"));
}

TEST_F(RuntimeTables, MayCompareAChoiceWithFixedCsr) {
    const auto report =
        imported(fmt::format("matrix,waco_schedule,waco_ms,fixedcsr_ms\na,{},2,5\n", schedule_a));
    EXPECT_EQ(report.measurements, 2);
    const auto results = must(list_results(workspace_));
    ASSERT_EQ(results.size(), 2U);
    EXPECT_EQ(results[0].speedup_over_fixed_csr, 2.5);
    EXPECT_TRUE(results[1].is_fixed_csr);
    EXPECT_EQ(results[1].threads, 48);
}

TEST_F(RuntimeTables, ChangeNothingWhenImportedAgain) {
    const std::string text =
        fmt::format("matrix,schedule,ms\na,{},75.75\na,{},inf\n", schedule_a, schedule_b);
    imported(text);
    const auto before = must(list_results(workspace_));
    const auto report = imported(text);
    EXPECT_EQ(report.measurements, 2);
    EXPECT_EQ(report.already_there, 2);
    EXPECT_EQ(report.replaced, 0);
    EXPECT_EQ(must(list_results(workspace_)), before) << "the dates too";
    const auto corrected = imported(fmt::format("matrix,schedule,ms\na,{},12\n", schedule_a));
    EXPECT_EQ(corrected.replaced, 1);
    EXPECT_EQ(must(list_results(workspace_))[0].median_ms, 12);
}

TEST_F(RuntimeTables, HaveEveryDefectReportedWithItsLineAndTheRestTaken) {
    const auto report = imported(fmt::format("matrix,rows,cols,schedule,ms\n"
                                             "a,3,4,{0},1\n"
                                             "a,3,4,{0}\n"
                                             "\n"
                                             "a,3,4,{1},fast\n"
                                             "a,3,4,{1},0\n"
                                             "a,3,4,{1},nan\n"
                                             "a,x,4,{1},1\n"
                                             "a,3,4,8 4 2 i1,1\n"
                                             ",3,4,{1},1\n"
                                             "a,3,4,{0},2\n"
                                             "\"a,3,4,{1},2\n"
                                             "a,3,4,{1},2\n",
                                             schedule_a, schedule_b));
    const auto problems = texts(report.problems);
    ASSERT_EQ(problems.size(), 9U);
    const std::string file = table().string();
    EXPECT_EQ(problems[0], file + ":3: there are 4 fields, expected 5 as in the first line");
    EXPECT_EQ(problems[1],
              file + ":5: the runtime is \"fast\", expected milliseconds above 0, or inf for a run that "
                     "failed");
    EXPECT_THAT(problems[2], HasSubstr(":6: the runtime is \"0\""));
    EXPECT_THAT(problems[3], HasSubstr(":7: the runtime is \"nan\""));
    EXPECT_THAT(problems[4], HasSubstr(":8: the number of rows is \"x\", expected a whole number"));
    EXPECT_THAT(problems[5], HasSubstr(":9: only 4 words"));
    EXPECT_THAT(problems[6], HasSubstr(":10: the name of the matrix is missing"));
    EXPECT_THAT(problems[7], HasSubstr(":12: a quotation mark is neither around a field"));
    EXPECT_EQ(problems[8], file + ":11: this schedule of a stands in line 2 already, which is kept");
    EXPECT_EQ(report.measurements, 2);
    EXPECT_EQ(must(count_measurements(workspace_)), 2);
}

TEST_F(RuntimeTables, CountRunsThatFailedAndTimesThatAreHardToBelieve) {
    const auto report = imported(
        fmt::format("matrix,schedule,ms\na,{0},3e-05\nb,{0},372322\nc,{0},inf\nd,{0},999\n", schedule_a));
    EXPECT_EQ(report.measurements, 4);
    EXPECT_EQ(report.outliers, 2);
    EXPECT_EQ(report.failed_runs, 1);
    EXPECT_EQ(must(list_results(workspace_))[2].status, MeasurementStatus::Failed);
}

TEST_F(RuntimeTables, WithoutTheirColumnsOrAMachineAreRefused) {
    EXPECT_THAT(error_text(import("")), HasSubstr("table.csv: this file is empty"));
    EXPECT_THAT(error_text(import("a,b,c\n")), HasSubstr("table.csv:1: there is no column matrix; expected"));
    EXPECT_THAT(error_text(import("matrix,schedule\n")), HasSubstr("there is no column ms"));
    EXPECT_THAT(error_text(import("matrix,schedule,ms,waco_ms\n")),
                HasSubstr("the column waco_ms is there twice"));
    EXPECT_THAT(error_text(import("matrix,schedule,ms\n", {})), HasSubstr("name the machine"));
    EXPECT_THAT(error_text(import_runtime_table(workspace_, {.file = in_folder("none.csv"), .machine = "x"})),
                HasSubstr("none.csv: "));
}

TEST_F(RuntimeTables, DoNotGiveRuntimesToAnotherMatrixOfTheSameName) {
    must(add_matrix(workspace_, {"a", "", {}}, testing::small_pattern()));
    const auto report = imported(fmt::format(
        "matrix,rows,cols,schedule,ms\na,9,9,{0},1\na,9,9,{1},1\nb,9,9,{0},1\n", schedule_a, schedule_b));
    EXPECT_THAT(texts(report.problems),
                ::testing::ElementsAre(HasSubstr(":2: the matrix a is 9 × 9 here and 2 × 3")));
    EXPECT_EQ(report.measurements, 1);
    EXPECT_FALSE(report.matrices.contains("a"));
    EXPECT_EQ(imported(fmt::format("matrix,rows,cols,schedule,ms\na,2,3,{},1\n", schedule_a)).measurements,
              1);
}

TEST_F(RuntimeTables, KeepWhatWasImportedBeforeTheyWereStopped) {
    write_file(table(), fmt::format("matrix,schedule,ms\na,{},1\n", schedule_a));
    std::stop_source source;
    source.request_stop();
    const auto stopped =
        import_runtime_table(workspace_, {.file = table(), .machine = "xeon"}, source.get_token());
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().fault, Fault::Cancelled);
}

class PatternFolder : public RuntimeTables {
protected:
    void write_matrix(const std::string& name) const {
        write_file(in_folder(name),
                   "%%MatrixMarket matrix coordinate pattern general\n2 3 3\n1 1\n1 3\n2 2\n");
    }
};

TEST_F(PatternFolder, GivesPatternsToMatricesKnownByNameAlone) {
    write_matrix("a.mtx");
    write_matrix("unknown.mtx");
    write_file(in_folder("notes.txt"), "no matrix");
    const auto report =
        imported(fmt::format("matrix,rows,cols,schedule,ms\na,2,3,{0},1\nb,2,3,{0},1\n", schedule_a));
    const auto added = must(add_patterns(workspace_, in_folder(""), report.matrices));
    EXPECT_EQ(added.patterns, 1);
    EXPECT_THAT(texts(added.problems), IsEmpty());
    EXPECT_EQ(must(find_matrix(workspace_, "a"))->pattern, PayloadPlace::Workspace);
    EXPECT_EQ(must(find_matrix(workspace_, "b"))->pattern, PayloadPlace::Unknown);
    EXPECT_FALSE(must(find_matrix(workspace_, "unknown")));
    EXPECT_EQ(must(list_results(workspace_)).size(), 2U) << "its measurements are still its own";
    EXPECT_EQ(must(add_patterns(workspace_, in_folder(""), report.matrices)).patterns, 0) << "a second time";
}

TEST_F(PatternFolder, DoesNotTakeAnotherMatrixNorAFileThatCantBeRead) {
    write_matrix("a.mtx");
    write_file(in_folder("b.mtx"), "nonsense");
    const auto report =
        imported(fmt::format("matrix,rows,cols,schedule,ms\na,7,3,{0},1\nb,2,3,{0},1\n", schedule_a));
    const auto added = must(add_patterns(workspace_, in_folder(""), report.matrices));
    EXPECT_EQ(added.patterns, 0);
    EXPECT_THAT(texts(added.problems),
                ::testing::ElementsAre(
                    HasSubstr("a.mtx: this is 2 × 3, but the matrix a whose runtimes were imported "
                              "is 7 × 3"),
                    HasSubstr("b.mtx:1: ")));
    EXPECT_THAT(error_text(add_patterns(workspace_, in_folder("nowhere"))),
                HasSubstr("this folder can't be read"));
}

TEST_F(PatternFolder, KnowsMatricesByTheirFiles) {
    for (const char* name :
         {"cage8.mtx.gz", "web-Google.tar.gz", "c-46.csr", "a.b.c.smtx", "cage8.mtx", "read.me"})
        write_file(in_folder(name), "");
    auto files = must(matrix_files(in_folder("")));
    EXPECT_EQ(files.size(), 4U);
    EXPECT_EQ(files["cage8"].filename(), "cage8.mtx");
    EXPECT_EQ(files["web-Google"].filename(), "web-Google.tar.gz");
    EXPECT_EQ(files["c-46"].filename(), "c-46.csr");
    EXPECT_EQ(files["a.b.c"].filename(), "a.b.c.smtx");
}

TEST_F(RuntimeTables, AsPublishedAreTakenWhole) {
    SPARSIGHT_NEEDS_SHARED("waco/xeon_8272cl_runtimes.csv.xz");
    const auto report = must(import_runtime_table(
        workspace_, {.file = testing::shared_path("waco/xeon_8272cl_runtimes.csv.xz"), .machine = "8272CL"}));
    EXPECT_THAT(texts(report.problems), IsEmpty());
    EXPECT_EQ(report.measurements, 65'173);
    EXPECT_EQ(report.failed_runs, 13'143);
    EXPECT_EQ(report.outliers, 13'187 - 13'143);
    const auto sources = must(runtime_sources(workspace_, Operator::SpMM, 256));
    ASSERT_EQ(sources.size(), 1U);
    EXPECT_EQ(sources[0].measurements, 38'177);
}

} // namespace
} // namespace sparsight
