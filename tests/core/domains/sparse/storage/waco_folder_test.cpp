#include "domains/sparse/storage/waco_folder.h"

#include "core/store/store_fixture.h"
#include "domains/sparse/storage/matrices.h"
#include "domains/sparse/storage/schedules.h"
#include "support/test_files.h"

#include <fstream>
#include <gmock/gmock.h>
#include <sstream>

namespace sparsight {
namespace {

using testing::error_text;
using ::testing::HasSubstr;
using testing::must;

constexpr std::string_view line_a = "8 4 2 i1 k1 k0 i0 j1 j0 0 0 1 0 i1 48 16";
constexpr std::string_view line_b = "16 4 2 i1 k1 k0 i0 j1 j0 0 0 1 0 i1 48 16";
constexpr std::string_view line_c = "32 4 2 i1 k1 k0 i0 j1 j0 0 0 1 0 i1 48 16";
// The same schedule twice: k is not split, so that where k0 stands and its format mean nothing.
constexpr std::string_view one_text = "8 1 32 i1 k1 j1 i0 k0 j0 1 1 0 1 i1 48 256";
constexpr std::string_view other_text = "8 1 32 i1 k1 j1 i0 k0 j0 1 1 0 0 i1 48 256";

std::string content(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return (std::ostringstream() << file.rdbuf()).str();
}

std::map<std::string, std::string> contents(const std::filesystem::path& folder) {
    std::map<std::string, std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        if (entry.is_regular_file())
            files[entry.path().filename().string()] = content(entry.path());
    return files;
}

std::vector<std::string> problem_texts(const std::vector<Error>& problems) {
    std::vector<std::string> found;
    for (const Error& problem : problems)
        found.push_back(problem.text());
    return found;
}

class WacoFolder : public testing::StoreTest {
protected:
    WacoFolder() { std::filesystem::create_directory(folder()); }

    [[nodiscard]] std::filesystem::path folder() const { return in_folder("CollectedData"); }
    void write(const std::string& name, const std::string& text) const {
        std::ofstream(folder() / name, std::ios::binary) << text;
    }
    [[nodiscard]] WacoImport request() const { return {.folder = folder(), .machine = "xeon"}; }

    Workspace workspace_ = create();
};

TEST_F(WacoFolder, BecomesMatricesMeasurementsOfARecordedMachineAndASplit) {
    write("total.txt", "b\na\n");
    write("train.txt", "a\n");
    write("test.txt", "b\n");
    write("a.txt", fmt::format("{} = 75.75\n{} = 4.5\n", line_a, line_b));
    write("b.txt", fmt::format("{} = 3\n", line_a));
    const auto report = must(import_waco_folder(workspace_, request()));
    EXPECT_EQ(report.matrices, 2);
    EXPECT_EQ(report.patterns, 0);
    EXPECT_EQ(report.measurements, 3);
    EXPECT_EQ(problem_texts(report.problems), std::vector<std::string>{});

    const auto results = must(list_results(workspace_));
    ASSERT_EQ(results.size(), 3U);
    EXPECT_EQ(results[1].matrix, "a");
    EXPECT_EQ(results[1].machine, "xeon");
    EXPECT_EQ(results[1].protocol, "waco");
    EXPECT_EQ(results[1].schedule, line_a);
    EXPECT_EQ(results[1].median_ms, 75.75);
    const auto split = must(find_split(workspace_, "CollectedData"));
    ASSERT_TRUE(split);
    const WorkloadId a = must(find_matrix(workspace_, "a"))->id;
    const WorkloadId b = must(find_matrix(workspace_, "b"))->id;
    EXPECT_EQ((*split)[SplitPart::Total], (std::vector{b, a}));
    EXPECT_EQ((*split)[SplitPart::Train], std::vector{a});
    EXPECT_TRUE((*split)[SplitPart::Validation].empty());
    EXPECT_EQ((*split)[SplitPart::Test], std::vector{b});
}

TEST_F(WacoFolder, ChangesNothingWhenImportedAgain) {
    write("total.txt", "a\n");
    write("a.txt", fmt::format("{} = 75.75\n", line_a));
    must(import_waco_folder(workspace_, request()));
    must(import_waco_folder(workspace_, request()));
    EXPECT_EQ(must(count_measurements(workspace_)), 1);
    EXPECT_EQ(must(list_machines(workspace_)).size(), 1U);
    EXPECT_EQ(must(split_names(workspace_)).size(), 1U);
}

TEST_F(WacoFolder, MayHaveNoLists) {
    write("b.txt", fmt::format("{} = 1\n", line_a));
    write("a.txt", fmt::format("{} = 2\n", line_a));
    EXPECT_EQ(must(import_waco_folder(workspace_, request())).matrices, 2);
    EXPECT_TRUE(must(split_names(workspace_)).empty());
}

TEST_F(WacoFolder, HasEveryDefectReportedWithItsLineAndTheRestTaken) {
    write("total.txt", "a\n\n../etc/passwd\nmissing\r\n");
    write("a.txt", fmt::format("{} = 75.75\n"
                               "{} = fast\n"
                               "\n"
                               "8 4 2 i1 k1 = 3\n"
                               "{} = 1\n"
                               "{} = 0\n"
                               "{} = 5",
                               line_a, line_b, line_a, line_b, line_c));
    const auto report = must(import_waco_folder(workspace_, request()));
    const std::string file = (folder() / "a.txt").string();
    ASSERT_EQ(report.problems.size(), 6U);
    const auto problems = problem_texts(report.problems);
    EXPECT_EQ(problems[0],
              (folder() / "total.txt").string() + ":3: \"../etc/passwd\" can't be the name of a matrix");
    EXPECT_THAT(problems[1], HasSubstr(file + ":2: "));
    EXPECT_THAT(problems[1], HasSubstr("\"fast\""));
    EXPECT_THAT(problems[2], HasSubstr(file + ":4: "));
    EXPECT_EQ(problems[3], file + ":5: this schedule stands in line 1 already, which is kept");
    EXPECT_EQ(problems[4], file + ":6: the runtime is 0 ms, which no run takes");
    EXPECT_THAT(problems[5],
                HasSubstr("the matrix missing is listed, but there is neither missing.txt nor missing.csr"));
    EXPECT_EQ(report.measurements, 2);
    const auto results = must(list_results(workspace_));
    ASSERT_EQ(results.size(), 2U);
    EXPECT_EQ(results[0].median_ms, 75.75);
    EXPECT_EQ(results[1].schedule, line_c);
}

TEST_F(WacoFolder, CountsRunsThatFailedAndTimesThatAreHardToBelieve) {
    write("a.txt", fmt::format("{} = inf\n{} = 3e-05\n{} = 372000.5\n", line_a, line_b, line_c));
    const auto report = must(import_waco_folder(workspace_, request()));
    EXPECT_EQ(report.measurements, 3);
    EXPECT_EQ(report.failed_runs, 1);
    EXPECT_EQ(report.outliers, 2);
    const auto results = must(list_results(workspace_));
    EXPECT_EQ(results[0].status, MeasurementStatus::Failed);
    EXPECT_EQ(results[0].median_ms, std::nullopt);
    EXPECT_EQ(results[0].reason, "recorded as a run that failed (inf)");
    EXPECT_EQ(results[1].median_ms, 3e-05);
    EXPECT_EQ(results[2].median_ms, 372000.5);
}

TEST_F(WacoFolder, KeepsTwoTextsOfOneScheduleApart) {
    write("a.txt", fmt::format("{} = 5.81\n{} = 5.854\n", one_text, other_text));
    const auto report = must(import_waco_folder(workspace_, request()));
    EXPECT_EQ(report.measurements, 2);
    const auto one = must(parse_schedule(Operator::SpMM, one_text));
    const auto other = must(parse_schedule(Operator::SpMM, other_text));
    ASSERT_EQ(canonical(one), canonical(other));
    EXPECT_EQ(must(list_results(workspace_)).size(), 2U);
}

TEST_F(WacoFolder, IsRefusedWhenThereIsNothingInIt) {
    EXPECT_THAT(error_text(import_waco_folder(workspace_, request())), HasSubstr("no list of matrices"));
    WacoImport elsewhere = request();
    elsewhere.folder = in_folder("nowhere");
    EXPECT_THAT(error_text(import_waco_folder(workspace_, elsewhere)),
                HasSubstr("nowhere: this folder can't be read"));
    write("a.txt", fmt::format("{} = 5.81\n", line_a));
    WacoImport nameless = request();
    nameless.machine.clear();
    EXPECT_THAT(error_text(import_waco_folder(workspace_, nameless)), HasSubstr("name of the machine"));
}

TEST_F(WacoFolder, KeepsWhatWasImportedBeforeItWasStopped) {
    write("a.txt", fmt::format("{} = 1\n", line_a));
    write("b.txt", fmt::format("{} = 1\n", line_a));
    std::stop_source source;
    const auto stopped = import_waco_folder(workspace_, request(), source.get_token(),
                                            [&](const Progress&) { source.request_stop(); });
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().fault, Fault::Cancelled);
    EXPECT_EQ(must(count_measurements(workspace_)), 1);
}

TEST_F(WacoFolder, DoesNotGiveRuntimesToAnotherMatrixOfTheSameName) {
    must(add_matrix(workspace_, {"a", "mine", {}}, testing::small_pattern()));
    constexpr std::array<std::int32_t, 6> one_by_one{1, 1, 1, 0, 1, 0};
    write("a.csr", std::string(reinterpret_cast<const char*>(one_by_one.data()), sizeof one_by_one));
    write("a.txt", fmt::format("{} = 1\n", line_a));
    const auto report = must(import_waco_folder(workspace_, request()));
    ASSERT_EQ(report.problems.size(), 1U);
    EXPECT_THAT(report.problems.front().text(), HasSubstr("another matrix is called a already"));
    EXPECT_EQ(must(count_measurements(workspace_)), 0);
}

TEST_F(WacoFolder, ComesOutAsItWentIn) {
    write("total.txt", "b\na\n");
    write("train.txt", "a\n");
    write("validation.txt", "b\n");
    write("test.txt", "b\n");
    write("a.txt", fmt::format("{} = 75.75\n{} = inf\n{} = 3e-05\n", line_b, line_a, line_c));
    write("b.txt", fmt::format("{} = 5.854\n{} = 5.81\n", other_text, one_text));
    constexpr std::array<std::int32_t, 8> two_by_two{2, 2, 2, 0, 1, 2, 1, 0};
    write("a.csr", std::string(reinterpret_cast<const char*>(two_by_two.data()), sizeof two_by_two));
    EXPECT_EQ(must(import_waco_folder(workspace_, request())).patterns, 1);
    EXPECT_EQ(must(load_pattern(workspace_, must(find_matrix(workspace_, "a"))->id)),
              (CsrPattern{2, 2, {0, 1, 2}, {1, 0}, {}}));

    const auto report = must(export_waco_folder(
        workspace_, {.folder = in_folder("out"), .machine = "xeon", .split = "CollectedData"}));
    EXPECT_EQ(report.matrices, 2);
    EXPECT_EQ(report.patterns, 1);
    EXPECT_EQ(report.measurements, 5);
    EXPECT_TRUE(report.problems.empty());
    EXPECT_EQ(contents(in_folder("out")), contents(folder()));
}

TEST_F(WacoFolder, IsWrittenForOneOperatorMachineExtentAndProtocol) {
    const WorkloadId matrix = must(add_matrix(workspace_, {"a", "", {}}, testing::small_pattern()));
    const MachineId machine = must(record_machine(workspace_, "laptop", "f1", "{}"));
    const auto schedule = must(parse_schedule(Operator::SpMM, line_a));
    must(record_measurement(workspace_, {matrix, machine}, schedule, testing::measured(1)));
    must(record_measurement(workspace_, {matrix, machine, 32}, schedule, testing::measured(2)));
    must(record_measurement(workspace_, {matrix, machine, 256, "waco"}, schedule, testing::measured(3)));
    must(record_measurement(workspace_, {matrix, machine}, fixed_csr(Operator::SDDMM, 1),
                            testing::measured(4)));
    must(record_measurement(workspace_, {matrix, must(recorded_machine(workspace_, "xeon"))}, schedule,
                            testing::measured(5)));
    must(export_waco_folder(
        workspace_,
        {.folder = in_folder("out"), .patterns = false, .machine = "laptop", .protocol = "adaptive"}));
    EXPECT_EQ(contents(in_folder("out")),
              (std::map<std::string, std::string>{{"a.txt", fmt::format("{} = 1\n", line_a)},
                                                  {"total.txt", "a\n"}}));
}

TEST_F(WacoFolder, WritesNoLowerBoundAsATime) {
    const WorkloadId matrix = must(add_matrix(workspace_, {"a", "", {}}, testing::small_pattern()));
    const MachineId machine = must(record_machine(workspace_, "laptop", "f1", "{}"));
    Measurement given_up = testing::measured(12);
    given_up.status = MeasurementStatus::GaveUp;
    must(record_measurement(workspace_, {matrix, machine, 256, "waco"},
                            must(parse_schedule(Operator::SpMM, line_a)), given_up));
    must(
        export_waco_folder(workspace_, {.folder = in_folder("out"), .patterns = false, .machine = "laptop"}));
    EXPECT_EQ(content(in_folder("out/a.txt")), fmt::format("{} = inf\n", line_a));
}

TEST_F(WacoFolder, IsNotWrittenOverSomethingElse) {
    write("a.txt", fmt::format("{} = 1\n", line_a));
    must(import_waco_folder(workspace_, request()));
    EXPECT_THAT(error_text(export_waco_folder(workspace_, {.folder = folder(), .machine = "xeon"})),
                HasSubstr("this folder is not empty"));
    EXPECT_THAT(error_text(export_waco_folder(workspace_, {.folder = in_folder("out"), .machine = "vax"})),
                HasSubstr("there is no machine \"vax\"; known machines: "));
    EXPECT_THAT(error_text(export_waco_folder(
                    workspace_, {.folder = in_folder("out"), .machine = "xeon", .split = "none"})),
                HasSubstr("the workspace knows no split 'none'"));
    EXPECT_FALSE(std::filesystem::exists(in_folder("out")));
}

TEST_F(WacoFolder, NamesMatricesThatCannotBeFiles) {
    const MachineId machine = must(recorded_machine(workspace_, "xeon"));
    const auto schedule = must(parse_schedule(Operator::SpMM, line_a));
    for (const char* name : {"../escaped", "total", "good"})
        must(record_measurement(workspace_,
                                {must(add_matrix_name(workspace_, name, "")), machine, 256, "waco"}, schedule,
                                testing::measured(1)));
    const auto report = must(export_waco_folder(workspace_, {.folder = in_folder("out"), .machine = "xeon"}));
    EXPECT_EQ(report.matrices, 1);
    EXPECT_EQ(problem_texts(report.problems),
              (std::vector<std::string>{"../escaped: this matrix's name can't be the name of a file",
                                        "total: this matrix's name can't be the name of a file"}));
    EXPECT_FALSE(std::filesystem::exists(in_folder("escaped.txt")));
    EXPECT_EQ(content(in_folder("out/total.txt")), "good\n");
}

TEST_F(WacoFolder, OfTheAuthorsSampleComesBackByteForByte) {
    SPARSIGHT_NEEDS_SHARED("waco/original");
    const auto original = testing::shared_path("waco/original");
    for (const auto& [op, name] : {std::pair{Operator::SpMM, "SpMM"}, std::pair{Operator::SpMV, "SpMV"},
                                   std::pair{Operator::SDDMM, "SDDMM"}}) {
        SCOPED_TRACE(name);
        const auto imported = must(import_waco_folder(
            workspace_,
            {.folder = original / name, .matrix_folder = original, .op = op, .machine = "Xeon E5-2680 v3"}));
        EXPECT_EQ(imported.matrices, 10);
        EXPECT_EQ(imported.patterns, 2) << "nemspmm1_16x4_0 and Trec6_16x16_9";
        EXPECT_EQ(problem_texts(imported.problems), std::vector<std::string>{});
        const auto exported = must(export_waco_folder(
            workspace_, {.folder = in_folder(name), .op = op, .machine = "Xeon E5-2680 v3"}));
        EXPECT_EQ(exported.measurements, imported.measurements);
        auto written = contents(in_folder(name));
        for (const auto& [file, text] : contents(original / name))
            EXPECT_EQ(written[file], text) << file;
        for (const char* file : {"nemspmm1_16x4_0.csr", "Trec6_16x16_9.csr"})
            EXPECT_EQ(written[file], content(original / file)) << file;
    }
    EXPECT_EQ(must(count_measurements(workspace_)), 2429);
}

} // namespace
} // namespace sparsight
