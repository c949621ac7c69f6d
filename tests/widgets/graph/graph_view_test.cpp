#include "../look/screenshot.h"
#include "example_graphs.h"
#include "widgets/graph/graph_view.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sparsight {
namespace {

TEST(GraphPictures, AreShownInBothThemes) {
    GraphView view;
    view.resize(900, 700);
    view.set_graph(block_graph());
    view.choose(5);
    in_both_themes(view, QStringLiteral("graph-block"), [](const QImage& picture) {
        EXPECT_GT(pixels_like(picture, current_theme().accent, 40), 100) << "the chosen node";
    });
    view.choose(std::nullopt);
    in_both_themes(view, QStringLiteral("graph-block-plain"), [](const QImage&) {});
    GraphView large;
    large.resize(1200, 900);
    large.set_graph(large_graph(300, 1));
    in_both_themes(large, QStringLiteral("graph-large"), [](const QImage& picture) {
        EXPECT_GT(pixels_like(picture, current_theme().surface), 1000);
    });
}

} // namespace
} // namespace sparsight
