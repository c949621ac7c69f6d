#include "workflow/learning/fine_tuning/finetune_outcome.h"

#include <gmock/gmock.h>

namespace sparsight {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

FinetuneOutcome tested(double network, double simulator, double both) {
    FinetuneOutcome outcome;
    outcome.blend = SimulatorBlend{{}, 32, 0.3, 0.9};
    outcome.network_alone = {{"ordered_pair_accuracy", network}};
    outcome.simulator_alone = {{"ordered_pair_accuracy", simulator}};
    outcome.after = {{"ordered_pair_accuracy", both}};
    return outcome;
}

TEST(FinetuneOutcome, SaysThatBothAreWorseThanTheBetterOneAlone) {
    EXPECT_THAT(blend_remarks(tested(0.8, 0.9, 0.88)),
                ElementsAre(AllOf(HasSubstr("both together are worse than the simulator alone"),
                                  HasSubstr("0.8800 and 0.9000"))));
    EXPECT_THAT(blend_remarks(tested(0.8, 0.9, 0.95)), IsEmpty());
    EXPECT_THAT(blend_remarks(tested(0.8, 0.9, 0.8998)), IsEmpty())
        << "by so little the window tells of no difference either";
}

TEST(FinetuneOutcome, SaysThatAPartHasNoShareAndWhatShowedIt) {
    FinetuneOutcome outcome = tested(0.8, 0.9, 0.9);
    outcome.blend->network = 0;
    outcome.kept_back = {{"network", 0.81}, {"simulator", 0.9}, {"both", 0.9}};
    EXPECT_THAT(blend_remarks(outcome),
                ElementsAre(AllOf(HasSubstr("the network has no share"),
                                  HasSubstr("adds no more than chance to the simulator alone"),
                                  HasSubstr("network 0.8100, simulator 0.9000"))));
}

TEST(FinetuneOutcome, DoesNotTakeForChanceWhatTopPicksDecided) {
    FinetuneOutcome outcome = tested(0.9, 0.8, 0.9);
    outcome.blend->network = 0;
    outcome.shares_by = DirectionReason::SelectionOnly;
    outcome.kept_back = {{"network", 0.9}, {"simulator", 0.8}, {"both", 0.8}};
    EXPECT_THAT(blend_remarks(outcome), ElementsAre(AllOf(HasSubstr("the network has no share"),
                                                          HasSubstr("by the simulator alone are faster"),
                                                          ::testing::Not(HasSubstr("chance")))));
}

TEST(FinetuneOutcome, SaysThatTheBestByBothAreSlowerThoughThePairsAreInOrder) {
    FinetuneOutcome outcome = tested(0.8, 0.9, 0.95);
    outcome.network_alone.insert({{"regret_at_5", 0.3}, {"regret_at_20", 0.1}});
    outcome.simulator_alone.insert({{"regret_at_5", 0.02}, {"regret_at_20", 0.0}});
    outcome.after.insert({{"regret_at_5", 0.1}, {"regret_at_20", 0.02}});
    EXPECT_THAT(blend_remarks(outcome),
                ElementsAre(AllOf(HasSubstr("slower than those by the simulator alone"),
                                  HasSubstr("0.0600 and 0.0100"), HasSubstr("the two disagree"))));
    outcome.after["regret_at_5"] = 0.022;
    outcome.after["regret_at_20"] = 0.0;
    EXPECT_THAT(blend_remarks(outcome), IsEmpty()) << "no difference that a runtime is known by";
}

TEST(FinetuneOutcome, SaysOfBestThatAreSlowerAndPairsThatAreFewerThatTheyAgree) {
    FinetuneOutcome outcome = tested(0.8, 0.9, 0.85);
    outcome.network_alone.insert({{"regret_at_5", 0.3}, {"regret_at_20", 0.1}});
    outcome.simulator_alone.insert({{"regret_at_5", 0.02}, {"regret_at_20", 0.0}});
    outcome.after.insert({{"regret_at_5", 0.1}, {"regret_at_20", 0.02}});
    EXPECT_THAT(blend_remarks(outcome), ElementsAre(HasSubstr("are worse than the simulator alone"),
                                                    ::testing::Not(HasSubstr("disagree"))));
}

} // namespace
} // namespace sparsight
