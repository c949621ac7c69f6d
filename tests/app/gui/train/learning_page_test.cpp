// What the pages of learning look at by themselves.
#include "train_fixture.h"

#include "gui/selection/model_card.h"
#include "gui/train/train_page.h"
#include "gui/train/training_charts.h"
#include "store/models.h"
#include "widgets/chart/chart.h"

#include <QLabel>

namespace sparsight::testing {
namespace {

constexpr const char* earlier_run = R"({"name":"earlier","method":"fomaml","architecture":"statistics",
    "machines":["laptop"],"epochs":4})";

class LearningPageTest : public TrainTest {
protected:
    TrainPage& open_training() {
        open(path("w.sparsight"));
        window().show_page(QStringLiteral("train"));
        EXPECT_TRUE(wait_until([&] { return window().current_page() != nullptr && page_is_settled(); }));
        return *qobject_cast<TrainPage*>(window().current_page());
    }
};

TEST_F(LearningPageTest, ATrainingThatBeginsIsNotShownWithTheCurvesOfAnother) {
    make_measured_workspace();
    add_run(earlier_run);
    TrainPage& page = open_training();
    ASSERT_TRUE(wait_until([&] { return !names_of(page.charts().loss()).isEmpty(); }));
    use_worker("exec sleep 60\n"); // it has told of no run yet
    click(find<QPushButton>("start-training"));
    EXPECT_TRUE(wait_until([&] { return names_of(page.charts().loss()).isEmpty(); }, 10));
    program_->jobs().kill(program_->jobs().jobs().front().id);
    ASSERT_TRUE(wait_until([&] { return no_job_is_under_way(); }));
    EXPECT_TRUE(wait_until([&] { return !names_of(page.charts().loss()).isEmpty(); }, 10));
}

TEST_F(LearningPageTest, TheModelOfTheRunThatIsLookedAtIsSelectedWhereNoOtherIs) {
    make_measured_workspace();
    const RunId run = add_run(earlier_run);
    {
        auto workspace = Workspace::open(path("w.sparsight").toStdString());
        for (const char* name : {"other", "earlier"})
            ASSERT_TRUE(
                add_model(*workspace, {name, run, std::nullopt, R"({"operator":"spmm"})"}, {}).has_value());
    }
    open_training();
    ASSERT_TRUE(
        wait_until([&] { return program_->selection().current().model == QStringLiteral("earlier"); }, 10));
    EXPECT_FALSE(
        window().findChild<ModelCard*>()->findChild<QLabel*>()->text().contains(QStringLiteral("None")));
    program_->selection().select_model(QStringLiteral("other"));
    program_->session().refresh();
    window().show_page(QStringLiteral("matrices"));
    window().show_page(QStringLiteral("train"));
    EXPECT_EQ(program_->selection().current().model, QStringLiteral("other")) << "which the user has chosen";
}

} // namespace
} // namespace sparsight::testing
