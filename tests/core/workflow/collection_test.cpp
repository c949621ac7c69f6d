// Collecting in a domain of a few lines: what serves every domain does.
#include "collection/collector.h"
#include "domains/records/records.h"
#include "store/measurements.h"
#include "store/workspace.h"
#include "support/test_files.h"
#include "toy/lock_domain.h"
#include "toy/lock_measuring.h"
#include "workflow/import/workload_import.h"
#include "workflow/machines/collection_job.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace sparsight {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;
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

TEST(MeasuringDomains, SayWhatCantBeMeasured) {
    MeasuringDomains measuring;
    measuring.add(toy::make_lock_measuring());
    EXPECT_EQ((*measuring.require("locks"))->domain().name(), "locks");
    const auto records = measuring.require("records");
    ASSERT_FALSE(records);
    EXPECT_THAT(records.error().message, HasSubstr("can't be measured on this computer"));
}

} // namespace
} // namespace sparsight
