// The plots of decisions in the real window.
#include "app/gui/shell/domains_fixture.h"
#include "gui/decisions/decisions_view.h"
#include "gui/selection/selection.h"
#include "widgets/chart/chart.h"
#include "widgets/chart/chart_view.h"
#include "widgets/chart/parallel/parallel_plot.h"
#include "widgets/chart/plots/heat_map.h"

#include <QComboBox>
#include <QTabWidget>
#include <numeric>

namespace sparsight::testing {
namespace {

using ::testing::SizeIs;

class DecisionsViewTest : public DomainsTest {
protected:
    void SetUp() override {
        open(make_locks());
        choose("locks");
        show("configurations");
        auto* const list = find<DataTable>("configuration-list");
        ASSERT_TRUE(wait_until([&] { return list->model()->rowCount() == 3; }));
        shown<QTabWidget>("configuration-tabs")->setCurrentIndex(1);
        ASSERT_TRUE(wait_until([&] { return lines()->isVisible() && !lines()->picture().empty(); }));
    }
    [[nodiscard]] ParallelPlot* lines() { return shown<ParallelPlot>("decision-lines"); }
    [[nodiscard]] std::string selected() {
        return program_->selection().current().configuration.toStdString();
    }
    void look_at(int plot) { shown<QComboBox>("decision-plot")->setCurrentIndex(plot); }
};

TEST_F(DecisionsViewTest, AClickOnALineSelectsItsConfigurationOnAllPages) {
    ASSERT_THAT(lines()->picture().axes, SizeIs(2)) << "the other digits are always 0";
    QTest::mouseClick(lines(), Qt::LeftButton, {}, lines()->place_between(0, 2).toPoint());
    EXPECT_EQ(selected(), "0000");
    EXPECT_EQ(lines()->selected(), QStringLiteral("0000"));
    EXPECT_EQ(find<DataTable>("configuration-list")->current_source_row(), 2);
    program_->selection().select_configuration({}, QStringLiteral("3100"));
    EXPECT_EQ(lines()->selected(), QStringLiteral("3100"));
}

TEST_F(DecisionsViewTest, BrushesAreClearedByTheButton) {
    auto* const clear = shown<QPushButton>("clear-brushes");
    EXPECT_FALSE(clear->isEnabled());
    QTest::mouseClick(lines(), Qt::LeftButton, {}, lines()->place_of_value(0, 1).toPoint());
    EXPECT_THAT(lines()->fitting(), SizeIs(2)) << "two begin with 3";
    click(clear);
    EXPECT_THAT(lines()->fitting(), SizeIs(3));
    EXPECT_FALSE(clear->isEnabled());
}

TEST_F(DecisionsViewTest, AMapShowsTwoDecisionsAndAClickSelectsTheFastestOfACell) {
    look_at(1);
    auto* const map = shown<HeatMap>("decision-pairs");
    ASSERT_TRUE(map->isVisible());
    ASSERT_THAT(map->picture().values, SizeIs(4));
    QTest::mouseClick(map, Qt::LeftButton, {}, map->place_of({1, 0}).toPoint()); // 3 and 0
    EXPECT_EQ(selected(), "3000");
    EXPECT_EQ(map->marked(), (MapCell{1, 0}));
    QTest::mouseClick(map, Qt::LeftButton, {}, map->place_of({0, 1}).toPoint()); // never tried
    EXPECT_EQ(selected(), "3000");
    auto* const down = shown<QComboBox>("pair-down");
    down->setCurrentIndex(shown<QComboBox>("pair-across")->currentIndex());
    EXPECT_TRUE(map->picture().empty()) << "a decision with itself says nothing";
}

TEST_F(DecisionsViewTest, BrushesHoldForTheOtherPlotsToo) {
    QTest::mouseClick(lines(), Qt::LeftButton, {}, lines()->place_of_value(0, 1).toPoint()); // begin with 3
    look_at(1);
    auto* const map = shown<HeatMap>("decision-pairs");
    QTest::mouseClick(map, Qt::LeftButton, {}, map->place_of({0, 0}).toPoint()); // 0 and 0
    EXPECT_EQ(selected(), "") << "it is not within the brush";
    EXPECT_THAT(map->picture().title.toStdString(), ::testing::HasSubstr("within the brushes"));
    look_at(2);
    const auto& series = shown<Chart>("time-distribution")->view()->content().series;
    ASSERT_THAT(series, SizeIs(3));
    const auto& kept = std::get<Histogram>(series[1]).counts;
    EXPECT_EQ(std::accumulate(kept.begin(), kept.end(), 0.0), 2);
    click(shown<QPushButton>("clear-brushes"));
    EXPECT_THAT(shown<Chart>("time-distribution")->view()->content().series, SizeIs(2));
}

TEST_F(DecisionsViewTest, TheDistributionFollowsTheSelection) {
    look_at(2);
    auto* const chart = shown<Chart>("time-distribution");
    ASSERT_TRUE(chart->isVisible());
    EXPECT_THAT(chart->view()->content().series, SizeIs(2));
    program_->selection().select_configuration({}, QStringLiteral("3000"));
    ASSERT_THAT(chart->view()->content().series, SizeIs(3));
    EXPECT_EQ(std::get<ScatterSeries>(chart->view()->content().series[2]).points[0].x, 2);
}

TEST_F(DecisionsViewTest, AnotherWorkloadIsShownWithItsOwnTimes) {
    program_->selection().select_configuration({}, QStringLiteral("3000"));
    program_->selection().select_workload(QStringLiteral("back"));
    ASSERT_TRUE(wait_until([&] { return page_is_settled(); }));
    EXPECT_EQ(lines()->selected(), QStringLiteral("3000")) << "it has been measured there, too";
}

TEST_F(DecisionsViewTest, TheTabIsKeptInTheLayout) {
    const QByteArray layout = window().current_page()->layout_state();
    shown<QTabWidget>("configuration-tabs")->setCurrentIndex(0);
    window().current_page()->restore_layout(layout);
    EXPECT_EQ(shown<QTabWidget>("configuration-tabs")->currentIndex(), 1);
}

} // namespace
} // namespace sparsight::testing
