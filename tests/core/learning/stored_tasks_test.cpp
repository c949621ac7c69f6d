#include "learning/tasks/stored_tasks.h"

#include "store/machines.h"
#include "store/measurements.h"
#include "study/workload.h"
#include "support/results.h"
#include "support/test_files.h"
#include "toy/digit_space.h"
#include "toy/lock_domain.h"

#include <gmock/gmock.h>

namespace sparsight {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::must;
using ::testing::Not;
using ::testing::Pair;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

class StoredLocks : public ::testing::Test {
protected:
    WorkloadId lock(const std::string& name, const std::string& facts) {
        const WorkloadId id = must(add_workload_name(workspace_, "locks", name, "a test"));
        must(describe_workload(workspace_, id, {facts, "a test", {}}));
        return id;
    }
    void record(WorkloadId workload, const std::string& machine, const std::string& condition,
                const std::string& combination, double milliseconds,
                MeasurementStatus status = MeasurementStatus::Measured) {
        Measurement measurement;
        measurement.status = status;
        measurement.median = Milliseconds(milliseconds);
        measurement.repeats = 3;
        must(record_measurement(
            workspace_,
            {workload, must(recorded_machine(workspace_, machine)), setting_, "recorded", condition},
            must(domain_->written(setting_, combination)), measurement));
    }
    [[nodiscard]] WorkspaceTasks tasks(std::vector<TaskSource> sources = {}) {
        return must(workspace_tasks(workspace_, storage_, {setting_, std::move(sources)}));
    }

    testing::TemporaryFolder folder_;
    Workspace workspace_ = must(Workspace::create(folder_ / "locks.sparsight", "test"));
    const std::unique_ptr<const Domain> domain_ = toy::make_lock_domain();
    const Setting setting_ = must(domain_->setting_of({}));
    StoredTasks storage_{workspace_, *domain_};
};

TEST_F(StoredLocks, AreLearnedFromByTheirFacts) {
    const WorkloadId door = lock("door", R"({"digit_0": 3, "heavy": true, "maker": "Chubb", "price": 1.5})");
    record(door, "Anna", "", "0000", 5);
    record(door, "Anna", "", "3000", 2);
    record(door, "Anna", "", "4444", 0, MeasurementStatus::Failed);
    const WorkspaceTasks found = tasks();
    ASSERT_THAT(found.set.workloads, SizeIs(1));
    const auto payload = must(found.set.workloads[0].load());
    EXPECT_THAT(static_cast<const NamedFacts&>(*payload).numbers(),
                UnorderedElementsAre(Pair("digit_0", 3), Pair("heavy", 1), Pair("price", 1.5)));
    ASSERT_THAT(found.set.tasks, SizeIs(1));
    const WorkloadRuntimes& runtimes = found.set.tasks[0].runtimes[0];
    EXPECT_THAT(runtimes.configurations,
                ElementsAre(testing::word("0000"), testing::word("3000"), testing::word("4444")));
    EXPECT_EQ(runtimes.milliseconds[1], 2);
    EXPECT_TRUE(std::isinf(runtimes.milliseconds[2]));
    EXPECT_EQ(runtimes.baseline, 0U) << "all zeros";
    EXPECT_EQ(found.set.workloads[0].family, domain_->family_key("door"));
}

TEST_F(StoredLocks, KnowTheNumbersOnTheSheetsOfMachines) {
    const WorkloadId door = lock("door", "{}");
    for (const char* machine : {"Anna", "Berta"}) {
        record(door, machine, "", "0000", 5);
        record(door, machine, "", "3000", 2);
    }
    must(set_machine_facts(workspace_, must(recorded_machine(workspace_, "Anna")),
                           R"({"hands": 2, "patient": true, "town": "Bern"})"));
    const WorkspaceTasks found = tasks({{.machine = "Anna"}, {.machine = "Berta"}});
    EXPECT_THAT(found.set.tasks[0].description.facts,
                UnorderedElementsAre(Pair("hands", 2), Pair("patient", 1)));
    EXPECT_THAT(found.set.tasks[1].description.facts, IsEmpty()) << "no sheet names it";
}

TEST_F(StoredLocks, WithoutFactsHaveAnOrder) {
    const WorkloadId door = must(add_workload_name(workspace_, "locks", "door", ""));
    record(door, "Anna", "", "0000", 5);
    record(door, "Anna", "", "3000", 2);
    EXPECT_THAT(tasks().set.tasks, SizeIs(1));
}

TEST_F(StoredLocks, UnderTwoConditionsAreTwoTasks) {
    const WorkloadId door = lock("door", "{}");
    for (const std::string condition : {"run=2021", "run=2022"}) {
        record(door, "A100", condition, "0000", 5);
        record(door, "A100", condition, "3000", condition == "run=2021" ? 2 : 7);
    }
    record(door, "A100", "run=2021", "0001", 8);
    record(door, "V100", "run=2021", "0000", 5);
    record(door, "V100", "run=2021", "3000", 4);
    const auto names_of = [](const WorkspaceTasks& found) {
        std::vector<std::string> names;
        for (const Task& task : found.set.tasks)
            names.push_back(task.machine);
        return names;
    };
    const WorkspaceTasks all = tasks();
    EXPECT_THAT(names_of(all), ElementsAre("A100 (run=2021)", "A100 (run=2022)", "V100"));
    EXPECT_EQ(all.set.tasks[1].runtimes[0].milliseconds[1], 7);
    EXPECT_EQ(all.set.tasks[0].description.name, "A100");
    EXPECT_EQ(all.reports[0].of_other_conditions, 0);

    const WorkspaceTasks named = tasks({{.machine = "A100"}});
    EXPECT_THAT(names_of(named), ElementsAre("A100")) << "the condition with most measurements";
    EXPECT_THAT(named.set.tasks[0].runtimes[0].configurations, SizeIs(3));
    EXPECT_EQ(named.reports[0].of_other_conditions, 2);
    EXPECT_THAT(sentences(named.reports[0]), Contains(HasSubstr("2 under other conditions")));

    const WorkspaceTasks chosen = tasks({{.machine = "A100 (run=2022)"}});
    EXPECT_EQ(chosen.set.tasks[0].runtimes[0].milliseconds[1], 7);
    EXPECT_THAT(names_of(chosen), ElementsAre("A100 (run=2022)")) << "what a model of it has learned from";
    EXPECT_THAT(
        workspace_tasks(workspace_, storage_, {setting_, {{.machine = "A100 (run=1)"}}}).error().message,
        HasSubstr("there is no machine \"A100 (run=1)\"; known machines: "));
}

TEST_F(StoredLocks, AreReportedInTheWordsOfTheirDomain) {
    const WorkloadId door = lock("door", "{}");
    record(door, "Anna", "", "0000", 5);
    record(door, "Anna", "", "3000", 2);
    record(lock("gate", "{}"), "Anna", "", "0000", 5);
    std::string text;
    for (const std::string& sentence : sentences(tasks().reports[0]))
        text += sentence + "; ";
    EXPECT_EQ(text, "Anna (recorded): 2 runtimes of 3 measurements of 1 lock can be learned from; "
                    "left out: 1 lock (1 measurement), without two different runtimes; ");
    std::vector<std::string> stages;
    must(workspace_tasks(workspace_, storage_, {setting_}, {},
                         [&](const Progress& progress) { stages.emplace_back(progress.stage); }));
    EXPECT_THAT(stages, AllOf(Not(IsEmpty()), Each("looking at locks")));
}

TEST_F(StoredLocks, WithDamagedFactsAreLeftOut) {
    for (const char* name : {"door", "gate"}) {
        const WorkloadId id = lock(name, "{}");
        record(id, "Anna", "", "0000", 5);
        record(id, "Anna", "", "3000", 2);
    }
    must(describe_workload(workspace_, must(find_workload(workspace_, "locks", "gate"))->id,
                           {"[1]", "a test", {}}));
    const WorkspaceTasks found = tasks();
    EXPECT_THAT(found.set.workloads, SizeIs(1));
    ASSERT_THAT(found.unreadable, SizeIs(1));
    EXPECT_THAT(found.unreadable[0].message, HasSubstr("the lock gate"));
}

TEST_F(StoredLocks, OfWhichNothingWasMeasuredSayWhatIsMissing) {
    EXPECT_EQ(workspace_tasks(workspace_, storage_, {setting_}).error().message,
              "there is nothing to learn from for opening the lock: no machine has measurements of it");
}

} // namespace
} // namespace sparsight
