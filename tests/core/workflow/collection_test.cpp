// Workflows of any domain, tried with one of a few lines: choosing a setting, importing, collecting.
#include "collection/collector.h"
#include "domains/records/records.h"
#include "domains/sparse/sparse_domain.h"
#include "store/machines.h"
#include "store/measurements.h"
#include "store/results.h"
#include "store/workloads.h"
#include "store/workspace.h"
#include "support/test_files.h"
#include "toy/lock_domain.h"
#include "toy/lock_measuring.h"
#include "workflow/chosen_setting.h"
#include "workflow/import/workload_import.h"
#include "workflow/machines/collection_job.h"

#include <array>
#include <chrono>
#include <gmock/gmock.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

namespace sparsight {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using testing::file_content;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::StartsWith;
using testing::TemporaryFolder;
using testing::write_file;

class CollectingLocks : public ::testing::Test {
protected:
    CollectingLocks() {
        const auto file = folder_ / "locks.txt";
        write_file(file, "front 1 2 3 4\nback 0 0 1 0\n");
        Observer silent;
        EXPECT_TRUE(import_workloads(workspace_, locks_->domain(), {file.string()}, silent, {}));
        request_.setting = {"locks", ""};
        request_.wanted = SampledConfigurations{.count = 20, .seed = 1};
    }

    CollectionSummary collected(const CollectionObserver& observer = {}, const std::stop_token& stop = {}) {
        const auto summary = collect(workspace_, *locks_, machine_, request_, observer, stop);
        EXPECT_TRUE(summary) << summary.error().text();
        return summary.value_or(CollectionSummary{});
    }
    std::vector<ResultRecord> results(const std::string& lock = {}) {
        return list_results(workspace_, ResultQuery{.domain = "locks", .workload = lock}).value();
    }

    const TemporaryFolder folder_;
    Workspace workspace_ = Workspace::create(folder_ / "w.sparsight", "test").value();
    const std::unique_ptr<const MeasuringDomain> locks_ = toy::make_lock_measuring();
    MachineId machine_ = recorded_machine(workspace_, "here").value();
    CollectionRequest request_;
};

TEST_F(CollectingLocks, MeasuresTheBaselineAndWhatIsDrawnOnEveryLock) {
    EXPECT_EQ(collected().measured, 42);
    EXPECT_EQ(results().front().configuration, "0000");
    EXPECT_TRUE(results().front().is_baseline);
    EXPECT_DOUBLE_EQ(*results("front").front().median_ms, 11);
    EXPECT_DOUBLE_EQ(*results("back").front().median_ms, 2);
    EXPECT_THAT(results("front"), SizeIs(21));
}

TEST_F(CollectingLocks, GoesOnWhereItStopped) {
    std::stop_source stop;
    const auto stopped = collected({.on_workload = {},
                                    .on_step =
                                        [&](const CollectionStep& step) {
                                            if (step.done == 5)
                                                stop.request_stop();
                                        }},
                                   stop.get_token());
    EXPECT_FALSE(stopped.complete);
    EXPECT_THAT(results(), SizeIs(5));
    const auto resumed = collected();
    EXPECT_EQ(resumed.skipped, 5);
    EXPECT_TRUE(resumed.complete);
    EXPECT_THAT(results(), SizeIs(42));
}

TEST_F(CollectingLocks, FindsTheSecretBySearching) {
    request_.workloads = {"front"};
    request_.wanted = SearchedConfigurations{.count = 150, .seed = 1};
    collected();
    double best = 11;
    for (const ResultRecord& result : results())
        best = std::min(best, result.median_ms.value_or(11));
    EXPECT_DOUBLE_EQ(best, 1) << "the secret itself";
}

TEST_F(CollectingLocks, StoresWhatFailsWithItsReason) {
    request_.workloads = {"front"};
    request_.wanted = ListedConfigurations{{"4444"}};
    const auto summary = collected();
    EXPECT_EQ(summary.failed, 1);
    ASSERT_THAT(summary.failures, SizeIs(1));
    EXPECT_EQ(summary.failures[0].described().message, "front: 4444: the lock is jammed");
    EXPECT_EQ(results().back().reason, "the lock is jammed");
}

TEST_F(CollectingLocks, RefusesATextThatIsNoCombination) {
    request_.wanted = ListedConfigurations{{"12"}};
    const auto summary = collect(workspace_, *locks_, machine_, request_);
    ASSERT_FALSE(summary);
    EXPECT_EQ(summary.error().fault, Fault::Input);
}

TEST_F(CollectingLocks, AWorkloadWithoutDataIsToldAndTheOthersGoOn) {
    ASSERT_TRUE(add_workload_name(workspace_, "locks", "lost", "test"));
    request_.workloads = {"lost", "front"};
    const auto summary = collected();
    ASSERT_THAT(summary.failures, SizeIs(1));
    EXPECT_EQ(summary.failures[0].error.message, "nobody knows the digits of lost");
    EXPECT_EQ(summary.measured, 21);
    EXPECT_FALSE(summary.complete);
}

TEST_F(CollectingLocks, ListsOfAFileHaveOneCombinationALine) {
    const auto file = folder_ / "list.txt";
    write_file(file, "1234\n\n 0010 \n");
    EXPECT_THAT(locks_->read_list(request_.setting, file).value(), ElementsAre("1234", "0010"));
    write_file(file, "1234\nopen\n");
    const auto wrong = locks_->read_list(request_.setting, file);
    ASSERT_FALSE(wrong);
    EXPECT_EQ(wrong.error().line, 2);
}

TEST_F(CollectingLocks, TellsInTheWordsOfTheDomain) {
    const Json json = summary_json(collected(), locks_->domain().words());
    EXPECT_TRUE(json.contains("combinations_per_second"));
}

/// Locks whose last digit says what comes of measuring them.
class MoodyLocks final : public MeasuringDomain {
public:
    const Domain& domain() const override { return *domain_; }
    std::string engine() const override { return "moods"; }
    Result<std::unique_ptr<MeasuringSession>> begin(const MeasuringConditions&) const override {
        return std::make_unique<Session>();
    }

private:
    struct Measurer final : WorkloadMeasurer {
        Result<Measurement> measure(const WrittenConfiguration& combination) override {
            constexpr std::array moods{MeasurementStatus::Measured, MeasurementStatus::GaveUp,
                                       MeasurementStatus::TooLarge, MeasurementStatus::Failed};
            Measurement measurement;
            measurement.status = moods.at(static_cast<std::size_t>(combination.text.back() - '0'));
            measurement.median = Milliseconds(1);
            return measurement;
        }
    };
    struct Session final : MeasuringSession {
        Result<std::unique_ptr<WorkloadMeasurer>> open(Workspace&, const WorkloadRecord&) override {
            return std::make_unique<Measurer>();
        }
    };

    std::unique_ptr<const Domain> domain_ = toy::make_lock_domain();
};

TEST_F(CollectingLocks, CountsWhatWasGivenUpAndWhatIsTooLargeApart) {
    request_.workloads = {"front"};
    request_.wanted = ListedConfigurations{{"1110", "1111", "1112", "1122", "1113"}};
    const auto summary = collect(workspace_, MoodyLocks(), machine_, request_);
    ASSERT_TRUE(summary) << summary.error().text();
    EXPECT_EQ(summary->measured, 3);
    EXPECT_EQ(summary->given_up, 1);
    EXPECT_EQ(summary->failed, 3);
    EXPECT_EQ(summary->too_large, 2);
    EXPECT_EQ(summary->kept, 0) << "there was no time before";
    const DomainWords& words = locks_->domain().words();
    EXPECT_THAT(summary_text(*summary, words),
                StartsWith("2 measured, 1 abandoned as too slow, 2 too large, 1 failed, in "));
    const Json json = summary_json(*summary, words);
    EXPECT_EQ(json["measured"], 3) << "as before";
    EXPECT_EQ(json["given_up"], 1);
    EXPECT_EQ(json["failed"], 3) << "as before";
    EXPECT_EQ(json["too_large"], 2);
}

TEST_F(CollectingLocks, TellsHowManyKeptTheirTimesWhenTheRepetitionFailed) {
    const MoodyLocks moody;
    const Domain& domain = locks_->domain();
    request_.workloads = {"front"};
    request_.wanted = ListedConfigurations{{"1110", "1111", "1112"}};
    const WorkloadId front = find_workload(workspace_, "locks", "front").value()->id;
    for (const char* text : {"1111", "1112"}) {
        Measurement good;
        good.status = MeasurementStatus::Measured;
        good.median = Milliseconds(2);
        good.engine = moody.engine();
        ASSERT_TRUE(record_measurement(workspace_, {front, machine_, request_.setting},
                                       domain.written(request_.setting, text).value(), good));
    }
    request_.again = true;
    std::this_thread::sleep_for(std::chrono::milliseconds(2)); // dates have these
    const auto summary = collect(workspace_, moody, machine_, request_);
    ASSERT_TRUE(summary) << summary.error().text();
    EXPECT_EQ(summary->kept, 2);
    EXPECT_THAT(summary_text(*summary, domain.words()),
                EndsWith("\n2 combinations keep their earlier times: the new run was abandoned or failed\n"));
    EXPECT_EQ(summary_json(*summary, domain.words())["kept"], 2);
    for (const ResultRecord& result : results("front"))
        EXPECT_EQ(result.status, MeasurementStatus::Measured) << result.configuration;
}

TEST(MeasuringDomains, SayWhatCantBeMeasured) {
    MeasuringDomains measuring;
    measuring.add(toy::make_lock_measuring());
    EXPECT_EQ((*measuring.require("locks"))->domain().name(), "locks");
    const auto records = measuring.require("records");
    ASSERT_FALSE(records);
    EXPECT_THAT(records.error().message, HasSubstr("can't be measured on this computer"));
}

// Which domain and setting a user works with, and files of any domain into a workspace.

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
                HasSubstr("--space is required: the workspace has no measurements of records"));
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
