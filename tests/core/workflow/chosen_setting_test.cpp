// Which domain and setting a user works with, and files of any domain into a workspace.
#include "domains/records/records.h"
#include "domains/sparse/sparse_domain.h"
#include "store/machines.h"
#include "store/measurements.h"
#include "store/workloads.h"
#include "support/test_files.h"
#include "toy/lock_domain.h"
#include "workflow/chosen_setting.h"
#include "workflow/import/workload_import.h"

#include <gmock/gmock.h>

namespace sparsight {
namespace {

using testing::file_content;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using testing::TemporaryFolder;
using testing::write_file;

class ChosenSettingTest : public ::testing::Test {
protected:
    ChosenSettingTest() {
        for (auto make : {&make_sparse_domain, &make_records_domain, &toy::make_lock_domain})
            EXPECT_TRUE(domains_.add(make()));
    }

    /// A time in this space of records.
    void record(const std::string& space) {
        const Domain& records = *domains_.find("records");
        const auto setting = records.setting_of({{"space", space}}).value();
        const auto workload = add_workload_name(workspace_, "records", "task", "test").value();
        const auto machine = recorded_machine(workspace_, "gpu").value();
        Measurement measurement;
        measurement.status = MeasurementStatus::Measured;
        measurement.median = Milliseconds(1);
        ASSERT_TRUE(record_measurement(workspace_, {workload, machine, setting, "recorded"},
                                       records.written(setting, "tile=8").value(), measurement));
    }

    TemporaryFolder folder_;
    Workspace workspace_ = Workspace::create(folder_ / "w.sparsight", "test").value();
    DomainRegistry domains_;
};

TEST_F(ChosenSettingTest, IsTheDefaultOneOfTheFirstDomainWhereNothingIsSaid) {
    const auto chosen = choose_setting(workspace_, domains_, {}).value();
    EXPECT_EQ(chosen.domain->name(), "sparse");
    EXPECT_EQ(chosen.setting.text, "spmm dense=256");
}

TEST_F(ChosenSettingTest, IsOfTheDomainThatTheWorkspaceKeeps) {
    ASSERT_TRUE(keep_domain(workspace_, *domains_.find("locks")));
    EXPECT_EQ(choose_setting(workspace_, domains_, {}).value().setting, (Setting{"locks", ""}));
    EXPECT_EQ(choose_setting(workspace_, domains_, {.domain = "sparse", .text = ""}).value().domain->name(),
              "sparse");
}

TEST_F(ChosenSettingTest, FollowsItsTextOrItsOptions) {
    const SettingChoice options{.domain = "sparse", .text = "", .options = {{"operator", "spmv"}}};
    const SettingChoice text{.domain = "sparse", .text = "spmv"};
    EXPECT_EQ(choose_setting(workspace_, domains_, options).value().setting,
              choose_setting(workspace_, domains_, text).value().setting);
    const SettingChoice both{.domain = "sparse", .text = "spmv", .options = {{"operator", "spmv"}}};
    EXPECT_THAT(choose_setting(workspace_, domains_, both).error().message,
                HasSubstr("expected one of them"));
}

TEST_F(ChosenSettingTest, IsTheOnlyOneWithMeasurementsWhereItHasNoDefault) {
    const SettingChoice records{.domain = "records", .text = ""};
    EXPECT_THAT(choose_setting(workspace_, domains_, records).error().message,
                HasSubstr("--space is missing, and the workspace has no measurements of records"));
    record("gemm");
    EXPECT_EQ(choose_setting(workspace_, domains_, records).value().setting.text, "gemm");
    record("convolution");
    EXPECT_THAT(choose_setting(workspace_, domains_, records).error().message,
                HasSubstr("measurements of convolution, gemm"));
}

TEST_F(ChosenSettingTest, IsAnErrorWhereTheProgramLacksTheDomain) {
    EXPECT_THAT(choose_setting(workspace_, domains_, {.domain = "graphs", .text = ""}).error().message,
                HasSubstr("no domain \"graphs\" in this program, expected one of: sparse, records, locks"));
}

class WorkloadImportTest : public ChosenSettingTest {
protected:
    WorkloadImport import(const std::string& file) {
        Observer observer;
        return import_workloads(workspace_, *domains_.find("locks"), {file}, observer, {}).value();
    }
};

TEST_F(WorkloadImportTest, AddsWhatAFileDescribesAndKeepsTheDomain) {
    const auto file = write_file(folder_ / "locks.txt", "door 3 1 4 1\ngate 0 0 2 0\n");
    EXPECT_THAT(import(file).imported, SizeIs(2));
    const auto found = find_workload(workspace_, "locks", "door").value();
    ASSERT_TRUE(found);
    EXPECT_EQ(found->known.facts, R"({"digit_0":3.0,"digit_1":1.0,"digit_2":4.0,"digit_3":1.0})");
    EXPECT_EQ(choose_domain(workspace_, domains_, "").value()->name(), "locks");
    EXPECT_EQ(import(file).known(), 2);
}

TEST_F(WorkloadImportTest, LeavesOutAFileThatIsWrongAndSaysWhere) {
    const auto report = import(write_file(folder_ / "locks.txt", "door 3 1 4 1\ngate 0 9 2 0\n"));
    ASSERT_THAT(report.failed, SizeIs(1));
    EXPECT_EQ(report.failed.front().line, 2);
    EXPECT_THAT(report.failed.front().message, HasSubstr("expected a name and 4 digits from 0 to 4"));
    EXPECT_FALSE(find_workload(workspace_, "locks", "door").value());
}

TEST_F(WorkloadImportTest, RefusesAnotherWorkloadOfTheSameName) {
    ASSERT_THAT(import(write_file(folder_ / "one.txt", "door 3 1 4 1\n")).imported, SizeIs(1));
    const auto report = import(write_file(folder_ / "two.txt", "gate 1 1 1 1\ndoor 3 1 4 2\n"));
    ASSERT_THAT(report.failed, SizeIs(1));
    EXPECT_THAT(report.failed.front().message, HasSubstr("another lock of the name door"));
    EXPECT_FALSE(find_workload(workspace_, "locks", "gate").value());
}

TEST_F(WorkloadImportTest, SaysThatADomainHasNoSuchFiles) {
    Observer observer;
    const auto file = write_file(folder_ / "table.csv", "a,b\n").string();
    const auto report = import_workloads(workspace_, *domains_.find("records"), {file}, observer, {}).value();
    ASSERT_THAT(report.failed, SizeIs(1));
    EXPECT_THAT(report.failed.front().message, HasSubstr("records has no files that describe workloads"));
}

} // namespace
} // namespace sparsight
