#include "widgets/schedule/storage_bars.h"

#include "widgets/look/theme.h"
#include "widgets/schedule/picture_export.h"

#include <QApplication>
#include <QImage>
#include <QSignalSpy>
#include <QTest>
#include <gmock/gmock.h>
#include <limits>

namespace sparsight {
namespace {

using ::testing::HasSubstr;

std::vector<StorageBar> blocks_against_csr() {
    return {{QStringLiteral("This schedule"),
             {{QStringLiteral("k1"), StorageArray::Positions, 400, 0},
              {QStringLiteral("k1"), StorageArray::Coordinates, 600, 0},
              {{}, StorageArray::Values, 3000, 1500}}},
            {QStringLiteral("Fixed CSR"),
             {{QStringLiteral("k1"), StorageArray::Positions, 200, 0},
              {QStringLiteral("k1"), StorageArray::Coordinates, 400, 0},
              {{}, StorageArray::Values, 400, 0}}}};
}

TEST(StorageBarsLayout, MakesTheLargestBarAsLongAsTheArea) {
    const StorageBarsLayout layout = lay_out_bars(blocks_against_csr(), {100, 10, 400, 100}, 20, 30);
    EXPECT_EQ(layout.bars[0].length, 400);
    EXPECT_EQ(layout.bars[1].length, 100);
    EXPECT_EQ(layout.bars[0].segments[0], QRectF(100, 10, 40, 20));
    EXPECT_EQ(layout.bars[0].segments[2], QRectF(200, 10, 300, 20));
    EXPECT_EQ(layout.bars[0].padding[2], QRectF(350, 10, 150, 20));
    EXPECT_EQ(layout.bars[1].segments[0].top(), 40);
}

TEST(StorageBarsLayout, LeavesASliverOfWhatIsTinyAndNothingOfWhatIsEmpty) {
    std::vector<StorageBar> bars = blocks_against_csr();
    bars[0].segments[2].bytes = std::numeric_limits<quint64>::max();
    bars[0].segments[0].bytes = 0;
    const StorageBarsLayout layout = lay_out_bars(bars, {0, 0, 400, 100}, 20, 30);
    EXPECT_EQ(layout.bars[0].segments[0].width(), 0);
    EXPECT_EQ(layout.bars[1].segments[1].width(), 1);
    EXPECT_NEAR(layout.bars[0].segments[2].width(), 400, 1);
}

TEST(StorageBarsLayout, OfNothingIsNothing) {
    EXPECT_TRUE(lay_out_bars({}, {0, 0, 400, 100}, 20, 30).bars.empty());
    EXPECT_EQ(lay_out_bars({{QStringLiteral("empty"), {}}}, {0, 0, 400, 100}, 20, 30).bars[0].length, 0);
}

TEST(StorageBars, TellsTheExactBytesOfASegment) {
    StorageBars bars;
    bars.set_bars(blocks_against_csr());
    const std::string values = bars.tooltip_of({0, 2}).toStdString();
    EXPECT_THAT(values, HasSubstr("3\u2009000 bytes"));
    EXPECT_THAT(values, HasSubstr("75.0 % of This schedule"));
    EXPECT_THAT(values, HasSubstr("padding: 1\u2009500 bytes, 50.0 %"));
    EXPECT_THAT(bars.tooltip_of({1, 1}).toStdString(), HasSubstr("k1 crd"));
}

TEST(StorageBars, ComparesWithTheLastBar) {
    StorageBars bars;
    bars.set_bars(blocks_against_csr());
    EXPECT_THAT(bars.accessibleDescription().toStdString(), HasSubstr("4.00× Fixed CSR"));
}

TEST(StorageBars, FindsTheSegmentUnderTheMouse) {
    StorageBars bars;
    bars.set_bars(blocks_against_csr());
    bars.resize(700, bars.heightForWidth(700));
    const StorageBarsLayout layout = bars.bars_layout();
    EXPECT_EQ(bars.place_at(layout.bars[0].segments[1].center()), (StorageBarPlace{0, 1}));
    EXPECT_EQ(bars.place_at(layout.bars[1].segments[2].center()), (StorageBarPlace{1, 2}));
    EXPECT_EQ(bars.place_at({1, 1}), std::nullopt);
}

TEST(StorageBars, PaintsValuesSolidAndPaddingHatched) {
    StorageBars bars;
    bars.set_bars(blocks_against_csr());
    bars.resize(700, bars.heightForWidth(700));
    const QImage picture = bars.grab().toImage();
    const StorageBarsLayout layout = bars.bars_layout();
    const QRectF values = layout.bars[0].segments[2];
    EXPECT_EQ(picture.pixelColor(
                  (QPointF(values.left() + 4, values.top() + 3) * picture.devicePixelRatio()).toPoint()),
              current_theme().accent);
    const QRectF zeros = layout.bars[0].padding[2];
    std::set<QRgb> colours;
    for (int x = qRound(zeros.left()) + 2; x < qRound(zeros.right()) - 6; ++x)
        colours.insert(
            picture.pixel((QPointF(x, zeros.center().y()) * picture.devicePixelRatio()).toPoint()));
    EXPECT_GT(colours.size(), 1U);
    EXPECT_FALSE(colours.contains(current_theme().accent.rgb()));
}

TEST(StorageBars, GivesItsNumbersAway) {
    StorageBars bars;
    bars.set_bars(blocks_against_csr());
    EXPECT_THAT(bars.exported().csv.toStdString(), HasSubstr("\"This schedule\",,values,3000,1500\n"));
}

TEST(StorageBars, HasRoomForItsTextsAtAnyWidth) {
    StorageBars bars;
    bars.set_bars(blocks_against_csr());
    EXPECT_GE(bars.heightForWidth(bars.minimumSizeHint().width()), bars.heightForWidth(1200));
}

} // namespace
} // namespace sparsight
