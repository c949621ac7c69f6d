// Tables of tuning records in a workspace.
#include "domains/records/exchange/record_import.h"
#include "store/machines.h"
#include "store/measurements.h"
#include "store/results.h"
#include "store/workloads.h"

#include "support/integrity.h"
#include "support/test_files.h"

#include <chrono>
#include <gmock/gmock.h>
#include <thread>

namespace sparsight {
namespace {

using testing::is_whole;

using ::testing::HasSubstr;
using testing::shared_path;
using ::testing::SizeIs;
using testing::write_file;

constexpr std::string_view small_records = "workload,machine,run,tile,unroll,time_ms,std_ms,n_rep,status\n"
                                           "gemm,A,one,16,0,4,0.5,7,ok\n"
                                           "gemm,A,one,2,0,3,,,ok\n"
                                           "gemm,A,one,2,0,2.5,,,ok\n"
                                           "gemm,A,one,8,0,,,0,compile error\n"
                                           "gemm,A,two,16.0,0,5,,,ok\n"
                                           "gemm,A,one,4,0,fast,,,ok\n"
                                           "conv,B,one,16,1,9,,,ok\n";

class RecordImportTest : public ::testing::Test {
protected:
    RecordImportReport import(const RecordImportRequest& request, const std::stop_token& stop = {}) {
        Observer nobody;
        return import_records(workspace_, request, nobody, stop).value();
    }
    std::vector<ResultRecord> results() {
        return list_results(workspace_, ResultQuery{.domain = "records"}).value();
    }

    testing::TemporaryFolder folder_;
    Workspace workspace_ = Workspace::create(folder_ / "w.sparsight", "test").value();
    std::filesystem::path small_ = write_file(folder_ / "small.csv", small_records);
};

TEST_F(RecordImportTest, KeepsEveryTimeWithItsConditionsAndSaysWhichLinesItCouldNotTake) {
    const RecordImportReport report = import({.files = {small_}});
    EXPECT_EQ(report.measurements, 5);
    EXPECT_EQ(report.repeated, 1) << "of two lines for one measurement";
    EXPECT_EQ(report.failed_runs, 1);
    EXPECT_EQ(report.workloads, 2);
    EXPECT_EQ(report.machines, 2);
    EXPECT_EQ(report.configurations, 4);
    EXPECT_EQ(report.settings, 1);
    ASSERT_EQ(report.problems.count, 1);
    EXPECT_THAT(report.problems.first.front().text(),
                AllOf(HasSubstr("small.csv:7:"), HasSubstr("time_ms"), HasSubstr("fast")));

    const auto rows = results();
    ASSERT_THAT(rows, SizeIs(5));
    EXPECT_EQ(rows[0].configuration, "tile=16 unroll=0");
    EXPECT_EQ(rows[0].setting, (Setting{"records", "small"}));
    EXPECT_EQ(rows[0].condition, "run=one");
    EXPECT_EQ(rows[0].spread_ms, 0.5);
    EXPECT_EQ(rows[1].median_ms, 2.5) << "the fastest of both lines";
    EXPECT_EQ(rows[2].status, MeasurementStatus::Failed);
    EXPECT_EQ(rows[2].reason, "compile error");
    EXPECT_EQ(rows[3].condition, "run=two") << "another installation of A";
    EXPECT_EQ(rows[3].configuration, "tile=16 unroll=0");
    EXPECT_FALSE(rows[3].speedup) << "there is no baseline";
}

TEST_F(RecordImportTest, ChangesNothingTheSecondTimeButTimesThatChanged) {
    import({.files = {small_}});
    const auto before = results();
    const RecordImportReport again = import({.files = {small_}});
    EXPECT_EQ(again.measurements, 5);
    EXPECT_EQ(again.already_there + again.replaced, 5);
    EXPECT_EQ(again.added(), 0);
    EXPECT_LE(again.replaced, 1) << "the slower of two lines stands before the faster one";
    EXPECT_EQ(results().size(), before.size());
    EXPECT_EQ(results()[1].median_ms, 2.5);
    write_file(small_, "workload,machine,run,tile,unroll,time_ms\ngemm,A,one,16,0,6\n");
    EXPECT_EQ(import({.files = {small_}}).replaced, 1);
    EXPECT_EQ(results()[0].median_ms, 6.0);
}

TEST_F(RecordImportTest, JoinsTheSheetsOfWorkloadsAndMachines) {
    const auto workloads =
        write_file(folder_ / "workloads.csv", "workload,gflop,problem\ngemm,137.5,square\n");
    const auto machines =
        write_file(folder_ / "machines.csv", "machine,cores,vendor\nA,24,NVIDIA\nB,60,AMD\n");
    const RecordImportReport report =
        import({.files = {small_}, .form = {}, .workloads = workloads, .machines = machines});
    EXPECT_EQ(report.without_facts, 1) << "conv";
    EXPECT_THAT(report.first_without_facts, ::testing::ElementsAre("conv"));
    EXPECT_EQ(find_workload(workspace_, "records", "gemm").value()->known.facts,
              R"({"gflop":137.5,"problem":"square"})");
    const auto machine = find_machine(workspace_, "A").value();
    EXPECT_EQ(setting(workspace_, fmt::format("facts of machine {}", static_cast<int>(machine->id))).value(),
              R"({"cores":24,"vendor":"NVIDIA"})");
    EXPECT_EQ(machine->description, "{}") << "what is known of a processor stays as it is";
}

TEST_F(RecordImportTest, FactsOfMachinesHaveTheNamesOfDataSheets) {
    const auto machines =
        write_file(folder_ / "machines.csv", "machine,type,cores_or_SM_or_CU,simd_or_warp_width,pins\n"
                                             "A,GPU,82,32,5\nB,CPU,,16,\n");
    (void)import({.files = {small_}, .form = {}, .workloads = {}, .machines = machines});
    const auto facts = [&](const char* name) {
        return machine_facts(workspace_, find_machine(workspace_, name).value()->id).value();
    };
    EXPECT_EQ(facts("A"), R"({"kind":"GPU","cores":82,"warp_size":32,"pins":5})");
    EXPECT_EQ(facts("B"), R"({"kind":"CPU","simd_or_warp_width":16})")
        << "what is empty is unknown, and a processor has no warps";
}

TEST_F(RecordImportTest, TakesNoSheetOfMachinesForOneOfWorkloads) {
    const auto workloads = write_file(folder_ / "workloads.csv", "workload,gflop\ngemm,137.5\n");
    const auto machines = write_file(folder_ / "machines.csv", "machine,cores\nA,24\n");
    const RecordImportReport swapped =
        import({.files = {small_}, .form = {}, .workloads = machines, .machines = workloads});
    std::vector<std::string> messages;
    for (const Error& problem : swapped.problems.first)
        messages.push_back(problem.message);
    EXPECT_THAT(messages,
                ::testing::Contains(::testing::HasSubstr("expected one of: workload, wid, task_id")));
    EXPECT_THAT(messages, ::testing::Contains(::testing::HasSubstr("expected machine")));
}

TEST_F(RecordImportTest, KeepsTheFastestOfSeveralTables) {
    const auto write_table = [&](const std::string& name, const char* time) {
        std::filesystem::create_directory(folder_ / name);
        return write_file(
            folder_ / name / "gemm.csv",
            fmt::format("workload,machine,task_id,tile,time_ms,std_ms\ngemm,A,7,8,{},-0.0\n", time));
    };
    const RecordImportReport report =
        import({.files = {write_table("a", "2"), write_table("b", "1"), write_table("c", "3")}});
    EXPECT_EQ(report.measurements, 1);
    EXPECT_EQ(report.repeated, 2);
    ASSERT_THAT(results(), SizeIs(1));
    EXPECT_EQ(results()[0].median_ms, 1.0);
    EXPECT_EQ(results()[0].configuration, "tile=8") << "an id of the workload is no decision";
    EXPECT_TRUE(is_whole(workspace_)) << "-0 is 0";
}

TEST_F(RecordImportTest, ComparesNoTwoTimesOfOneImport) {
    const auto table = [&](int first, int last) {
        std::string lines = "workload,machine,tile,time_ms\n";
        for (int time = first; time >= last; --time) // long enough for dates to differ
            lines += fmt::format("gemm,A,8,{}\n", time);
        return write_file(small_, lines);
    };
    const auto earlier = [&] {
        return list_earlier_results(workspace_, ResultQuery{.domain = "records"}).value();
    };
    import({.files = {table(9000, 5000)}});
    EXPECT_THAT(earlier(), SizeIs(0)) << "nothing was there before";
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    import({.files = {table(4000, 3000)}});
    ASSERT_THAT(earlier(), SizeIs(1));
    EXPECT_EQ(earlier()[0].median_ms, 5000.0);
    EXPECT_EQ(results()[0].median_ms, 3000.0);
}

TEST_F(RecordImportTest, TakesSpreadsThatATableSaysLater) {
    import({.files = {write_file(small_, "workload,machine,tile,time_ms\ngemm,A,8,2\n")}});
    write_file(small_, "workload,machine,tile,time_ms,std_ms,n_rep\ngemm,A,8,2,0.25,7\n");
    EXPECT_EQ(import({.files = {small_}}).replaced, 1);
    EXPECT_EQ(results()[0].spread_ms, 0.25);
}

TEST_F(RecordImportTest, GoesOnWhereItWasStopped) {
    std::string text = "workload,machine,tile,time_ms\n";
    for (int line = 0; line < 50'000; ++line)
        text += fmt::format("w{},A,{},1.5\n", line / 100, line % 100);
    const auto large = write_file(folder_ / "large.csv", text);
    std::stop_source stop;
    stop.request_stop();
    const RecordImportReport stopped = import({.files = {large}}, stop.get_token());
    EXPECT_TRUE(stopped.is_stopped);
    EXPECT_EQ(stopped.measurements, 20'000) << "a block is imported as a whole";
    EXPECT_EQ(count_measurements(workspace_).value(), 20'000);
    const RecordImportReport rest = import({.files = {large}});
    EXPECT_EQ(rest.already_there, 20'000);
    EXPECT_EQ(count_measurements(workspace_).value(), 50'000);
}

TEST_F(RecordImportTest, LeavesAMachineThatIsMeasuredHereAlone) {
    ASSERT_TRUE(record_machine(workspace_, "A", "0123", R"({"cores":2})"));
    const RecordImportReport report = import({.files = {small_}});
    EXPECT_EQ(report.measurements, 1) << "those of B";
    EXPECT_GT(report.problems.count, 1);
}

TEST_F(RecordImportTest, TakesAPublishedTableAsItIs) {
    SPARSIGHT_NEEDS_SHARED("tuning/conv15_2021.csv.xz");
    const RecordImportReport report = import({.files = {shared_path("tuning/conv15_2021.csv.xz")}});
    EXPECT_EQ(report.measurements, 34'656);
    EXPECT_EQ(report.configurations, 5'776);
    EXPECT_EQ(report.problems.count, 0);
    EXPECT_EQ(count_measurements(workspace_).value(), 34'656);
}

} // namespace
} // namespace sparsight
