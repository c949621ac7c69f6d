// What is left to compare a model on before and after it has learned.
#include "gui/failures/tuning_held_out.h"

#include <gtest/gtest.h>

namespace sparsight::testing {
namespace {

FailureSetting setting_of_blocks() {
    FailureSetting setting;
    setting.families = {{QStringLiteral("block"), PatternFamily::Blocked},
                        {QStringLiteral("block_t"), PatternFamily::Blocked},
                        {QStringLiteral("block_16x16_3"), PatternFamily::Blocked},
                        {QStringLiteral("brick"), PatternFamily::Blocked},
                        {QStringLiteral("band"), PatternFamily::Banded}};
    for (const auto& [matrix, family] : setting.families)
        setting.matrices << matrix;
    return setting;
}

TEST(TuningHeldOut, OtherFormsOfWhatIsLearnedFromAreNotHeldOut) {
    const HeldOutMatrices held_out =
        held_out_of(setting_of_blocks(), {QStringLiteral("block_16x16_3")}, {QStringLiteral("blocked")});
    EXPECT_EQ(held_out.all, (QStringList{QStringLiteral("band"), QStringLiteral("brick")}));
    EXPECT_EQ(held_out.family, QStringList{QStringLiteral("brick")});
}

TEST(TuningHeldOut, AModelKnowsWhatThoseItWasMadeFromHaveLearned) {
    KnownModel grandparent;
    grandparent.id = ModelId{1};
    grandparent.name = QStringLiteral("grandparent");
    grandparent.matrices = QStringList{QStringLiteral("brick")};
    KnownModel parent = grandparent;
    parent.id = ModelId{2};
    parent.name = QStringLiteral("parent");
    parent.parent = ModelId{1};
    parent.matrices = QStringList{QStringLiteral("band")};
    KnownModel stranger = grandparent;
    stranger.id = ModelId{3};
    stranger.name = QStringLiteral("stranger");
    stranger.matrices = QStringList{QStringLiteral("other")};
    const std::vector models{grandparent, parent, stranger};
    EXPECT_EQ(learned_by(models, QStringLiteral("parent")),
              (QStringList{QStringLiteral("band"), QStringLiteral("brick")}));
    EXPECT_TRUE(learned_by(models, QStringLiteral("nobody")).isEmpty());
}

TEST(TuningHeldOut, AModelThatDescendsFromItselfIsReadOnce) {
    KnownModel model;
    model.id = ModelId{1};
    model.name = QStringLiteral("loop");
    model.parent = ModelId{1};
    model.matrices = QStringList{QStringLiteral("band")};
    EXPECT_EQ(learned_by({model}, model.name), QStringList{QStringLiteral("band")});
}

} // namespace
} // namespace sparsight::testing
