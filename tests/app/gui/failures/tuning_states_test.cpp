// Plans of several windows in the same settings.
#include "gui/failures/tuning_states.h"

#include "gui/settings/settings.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

namespace sparsight::testing {
namespace {

TuningState plan_of(const QString& model) {
    TuningState state;
    state.workspace = QStringLiteral("w");
    state.model = model;
    state.machine = QStringLiteral("m");
    state.matrices = QStringList{QStringLiteral("one")};
    return state;
}

QStringList models_of(const std::vector<TuningState>& states) {
    QStringList models;
    for (const TuningState& state : states)
        models << state.model;
    return models;
}

const QString first = QStringLiteral("first");
const QString second = QStringLiteral("second");

class TuningStatesTest : public ::testing::Test {
protected:
    [[nodiscard]] QString file() const { return QString::fromStdString((folder_ / "settings.ini").string()); }

    TemporaryFolder folder_;
    UserSettings settings_{file()};
    UserSettings others_settings_{file()};
    TuningStates window_{settings_};
    TuningStates other_window_{others_settings_};
};

TEST_F(TuningStatesTest, NeitherOfTwoWindowsErasesThePlansOfTheOther) {
    window_.all().push_back(plan_of(first));
    window_.keep();
    other_window_.all().push_back(plan_of(second)); // which has read nothing since
    other_window_.keep();
    EXPECT_EQ(models_of(other_window_.all()), (QStringList{first, second}));
    window_.refresh();
    EXPECT_EQ(models_of(window_.all()), (QStringList{first, second}));
    UserSettings later(file());
    EXPECT_EQ(models_of(TuningStates(later).all()), (QStringList{first, second}));
}

TEST_F(TuningStatesTest, WhatAnotherWindowChangedStaysAsItChangedIt) {
    window_.all() = {plan_of(first), plan_of(second)};
    window_.keep();
    other_window_.refresh();
    other_window_.all().front().matrices << QStringLiteral("two");
    other_window_.keep();
    window_.all().back().outcome = QStringLiteral("made");
    window_.keep();
    EXPECT_EQ(window_.all().front().matrices.size(), 2);
    EXPECT_EQ(window_.all().back().outcome, QStringLiteral("made"));
}

TEST_F(TuningStatesTest, WhatOneWindowRemovedIsGoneInBoth) {
    window_.all() = {plan_of(first), plan_of(second)};
    window_.keep();
    other_window_.refresh();
    window_.all().erase(window_.all().begin());
    window_.keep();
    other_window_.keep();
    EXPECT_EQ(models_of(other_window_.all()), QStringList{second});
}

TEST_F(TuningStatesTest, AskingAgainForgetsNothingThatWasNotKeptYet) {
    window_.all().push_back(plan_of(first));
    window_.refresh();
    EXPECT_EQ(models_of(window_.all()), QStringList{first});
}

TEST(TuningStatesForgetting, TheOldestGoesUnlessAJobWorksForIt) {
    std::vector<TuningState> states{plan_of(first), plan_of(second), plan_of(QStringLiteral("third"))};
    states.front().tuning = JobId::createUuid();
    forget_old_states(states, 2);
    EXPECT_EQ(models_of(states), (QStringList{first, QStringLiteral("third")}));
    states.back().measuring = {JobId::createUuid()};
    forget_old_states(states, 1);
    EXPECT_EQ(states.size(), 2U) << "both are worked for";
    states.front() = {};
    forget_old_states(states, 1);
    EXPECT_EQ(states.size(), 1U) << "nobody misses an empty one";
}

} // namespace
} // namespace sparsight::testing
