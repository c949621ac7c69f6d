// Who waits for a turn to measure waits no longer than the time that it has, and measures nothing beside
// another.
#include "support/own_measuring_lock.h"
#include "support/test_files.h"
#include "toy/lock_domain.h"
#include "toy/lock_measuring.h"
#include "workflow/import/workload_import.h"
#include "workflow/machines/collection_job.h"
#include "workflow/machines/measuring_turn.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace sparsight {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using testing::TemporaryFolder;
using testing::write_file;

struct Told : Observer {
    void event(std::string_view name, const Json&) override { events.emplace_back(name); }
    void warn(std::string_view sentence) override { warnings.emplace_back(sentence); }

    std::vector<std::string> events;
    std::vector<std::string> warnings;
};

/// Another program measures, as far as this one can see.
class BesideAnotherProgram : public ::testing::Test {
protected:
    void SetUp() override {
        if (!other_ || !other_->problem().empty())
            GTEST_SKIP() << "there is no lock here";
    }

    testing::OwnMeasuringLock lock_;
    Result<MeasurementLock> other_ = MeasurementLock::take({}, {});
    Told told_;
};

TEST_F(BesideAnotherProgram, AWaitAsLongAsTheBudgetLeavesNoTurn) {
    const auto turn = measuring_turn(told_, {}, Seconds(0.05));
    ASSERT_FALSE(turn);
    EXPECT_EQ(turn.error().fault, Fault::Limit);
    EXPECT_THAT(turn.error().message, HasSubstr("for the whole time budget"));
    EXPECT_THAT(told_.warnings, Contains(HasSubstr("waiting until it is done")));
    EXPECT_THAT(told_.events, Contains("turn")) << "the wait is over";
}

TEST_F(BesideAnotherProgram, WhoIsStoppedHasNoTurnAndDoesNotSayThatItCame) {
    std::stop_source stop;
    stop.request_stop();
    const auto turn = measuring_turn(told_, stop.get_token());
    ASSERT_FALSE(turn);
    EXPECT_EQ(turn.error().fault, Fault::Cancelled);
    EXPECT_THAT(told_.events, ::testing::IsEmpty());
}

TEST_F(BesideAnotherProgram, ACollectionThatWaitedItsBudgetAwayMeasuresNothingAndSaysWhy) {
    const TemporaryFolder folder;
    Workspace workspace = Workspace::create(folder / "w.sparsight", "test").value();
    const auto locks = toy::make_lock_measuring();
    const auto file = folder / "locks.txt";
    write_file(file, "front 1 2 3 4\n");
    ASSERT_TRUE(import_workloads(workspace, locks->domain(), {file.string()}, told_, {}));
    MachineRecord machine;
    machine.id = recorded_machine(workspace, "here").value();
    CollectionRequest request;
    request.setting = {"locks", ""};
    request.wanted = SampledConfigurations{.count = 3, .seed = 1};
    request.budget = Seconds(0.05);
    const auto summary = collect_on_this_computer(workspace, *locks, machine, request, told_, {});
    ASSERT_TRUE(summary);
    EXPECT_EQ(summary->measured, 0);
    EXPECT_FALSE(summary->complete) << "it can be started again";
    EXPECT_THAT(told_.warnings, Contains(HasSubstr("for the whole time budget")));
}

TEST(MeasuringTurn, KeepsTheBudgetWhereNobodyMeasures) {
    Told told;
    const auto turn = measuring_turn(told, {}, Seconds(600));
    ASSERT_TRUE(turn);
    EXPECT_LE(*turn->budget, Seconds(600));
    EXPECT_GT(*turn->budget, Seconds(0));
}

TEST(MeasuringTurn, WithoutABudgetHasNoLimit) {
    Told told;
    const auto turn = measuring_turn(told, {});
    ASSERT_TRUE(turn);
    EXPECT_FALSE(turn->budget);
}

} // namespace
} // namespace sparsight
