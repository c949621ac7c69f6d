#include "widgets/schedule/tree_layout.h"

#include "tree_pictures.h"

#include <gmock/gmock.h>

namespace sparsight {
namespace {

using testing::csr_picture;
using ::testing::ElementsAre;
using testing::wide_picture;

TreeMetrics metrics() {
    TreeMetrics result;
    result.text_width = [](const QString& text) { return 8.0 * static_cast<double>(text.size()); };
    return result;
}

TEST(TreeLayout, StandsEachLevelBelowTheOneBefore) {
    const TreeLayout layout = lay_out(csr_picture(), metrics());
    EXPECT_LT(layout.root.bottom(), layout.nodes[0][0].top());
    for (const QRectF& row : layout.nodes[0])
        EXPECT_EQ(row.top(), layout.nodes[0][0].top());
    EXPECT_GT(layout.nodes[1][0].top(), layout.nodes[0][0].bottom());
    EXPECT_LT(layout.nodes[1][0].bottom(), layout.arrays_top);
}

TEST(TreeLayout, StandsParentsOverTheMiddleOfTheirChildren) {
    const TreeLayout layout = lay_out(csr_picture(), metrics());
    EXPECT_NEAR(layout.nodes[0][0].center().x(),
                (layout.nodes[1][0].center().x() + layout.nodes[1][1].center().x()) / 2, 1e-9);
    EXPECT_NEAR(layout.nodes[0][2].center().x(), layout.nodes[1][2].center().x(), 1e-9);
    EXPECT_NEAR(layout.root.center().x(),
                (layout.nodes[0][0].center().x() + layout.nodes[0][2].center().x()) / 2, 1e-9);
}

TEST(TreeLayout, LetsNoNodesOverlap) {
    TreePicture picture = csr_picture();
    picture.levels[0].nodes[1].coordinate = 1'000'000; // a wide empty row between narrow ones
    const TreeLayout layout = lay_out(picture, metrics());
    for (const std::vector<QRectF>& level : layout.nodes)
        for (std::size_t n = 1; n < level.size(); ++n)
            EXPECT_GT(level[n].left(), level[n - 1].right());
}

TEST(TreeLayout, StandsFamiliesFurtherApartThanSiblings) {
    const TreeLayout layout = lay_out(csr_picture(), metrics());
    const double siblings = layout.nodes[1][1].left() - layout.nodes[1][0].right();
    const double families = layout.nodes[1][2].left() - layout.nodes[1][1].right();
    EXPECT_GT(families, siblings);
}

TEST(TreeLayout, ListsTheArraysInTheOrderOfTheLevels) {
    const TreeLayout layout = lay_out(csr_picture(), metrics());
    std::vector<TreeArray> arrays;
    for (const TreeArrayRow& row : layout.arrays)
        arrays.push_back(row.array);
    EXPECT_THAT(arrays, ElementsAre(TreeArray::Nothing, TreeArray::Positions, TreeArray::Coordinates,
                                    TreeArray::Values));
    EXPECT_EQ(layout.arrays[1].texts, (QStringList{QStringLiteral("0"), QStringLiteral("2"),
                                                   QStringLiteral("2"), QStringLiteral("3")}));
    EXPECT_EQ(layout.arrays[3].texts[1], QStringLiteral("2.50"));
    EXPECT_LE(layout.arrays.back().cells.back().bottom(), layout.size.height());
}

TEST(TreeLayout, FindsTheNodeAndTheCellUnderAPoint) {
    const TreeLayout layout = lay_out(csr_picture(), metrics());
    EXPECT_EQ(layout.node_at(layout.nodes[1][2].center()), (TreePlace{1, 2}));
    EXPECT_EQ(layout.node_at({-50, -50}), std::nullopt);
    EXPECT_EQ(layout.cell_at(layout.arrays[2].cells[1].center()), (TreePlace{1, 1}));
    EXPECT_EQ(layout.cell_at(layout.arrays[1].cells[1].center()), std::nullopt) << "pos belongs to parents";
}

TEST(TreeLayout, OfNothingIsTheRootAlone) {
    const TreeLayout layout = lay_out({}, metrics());
    EXPECT_FALSE(layout.root.isEmpty());
    EXPECT_TRUE(layout.arrays.empty());
}

TEST(TreeLayout, GrowsWithTheNumberOfLeaves) {
    EXPECT_GT(lay_out(wide_picture(100), metrics()).size.width(), 100 * metrics().node_height);
}

TEST(TreeFamily, IsThePathToTheRootAndAllBelow) {
    const TreePicture picture = csr_picture();
    EXPECT_THAT(family_of(picture, {0, 0}),
                ElementsAre(ElementsAre(true, false, false), ElementsAre(true, true, false)));
    EXPECT_THAT(family_of(picture, {1, 2}),
                ElementsAre(ElementsAre(false, false, true), ElementsAre(false, false, true)));
}

} // namespace
} // namespace sparsight
