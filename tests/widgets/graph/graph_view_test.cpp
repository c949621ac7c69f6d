#include "../look/screenshot.h"
#include "example_graphs.h"
#include "widgets/chart/plot_menu.h"
#include "widgets/graph/graph_view.h"

#include <QAction>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QFile>
#include <QScrollBar>
#include <QTemporaryDir>
#include <QWheelEvent>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sparsight {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

TEST(GraphPictures, AreShownInBothThemes) {
    GraphView view;
    view.resize(900, 700);
    view.set_graph(block_graph());
    in_both_themes(view, QStringLiteral("graph-block"), [](const QImage& picture) {
        EXPECT_GT(pixels_like(picture, current_theme().lose, 12), 100) << "the critical path";
    });
    view.choose(5);
    in_both_themes(view, QStringLiteral("graph-chosen"), [](const QImage& picture) {
        EXPECT_GT(pixels_like(picture, current_theme().accent, 12), 100) << "the chosen node with its edges";
    });
    GraphView large;
    large.resize(1200, 900);
    large.set_graph(large_graph(300, 1));
    in_both_themes(large, QStringLiteral("graph-large"), [](const QImage& picture) {
        EXPECT_GT(pixels_like(picture, current_theme().dim_text, 60), 500) << "edges";
    });
    large.show_whole();
    in_both_themes(large, QStringLiteral("graph-large-whole"), [](const QImage& picture) {
        EXPECT_GT(pixels_like(picture, current_theme().surface), 1000);
    });
}

class GraphViewTest : public ::testing::Test {
protected:
    void SetUp() override {
        view_.resize(900, 720);
        view_.set_graph(block_graph());
        view_.show();
        ASSERT_TRUE(QTest::qWaitForWindowExposed(&view_));
        QObject::connect(&view_, &GraphView::node_chosen, &view_,
                         [this](std::optional<int> id) { chosen_.push_back(id); });
        QObject::connect(&view_, &GraphView::node_hovered, &view_,
                         [this](std::optional<int> id) { hovered_.push_back(id); });
        QObject::connect(&view_, &GraphView::node_activated, &view_,
                         [this](int id) { activated_.push_back(id); });
    }
    void TearDown() override { apply_theme(*qApp, ThemeChoice::Light); }

    [[nodiscard]] QPoint middle_of(int id) const { return view_.node_rect(id).center().toPoint(); }
    void click(const QPoint& place) { QTest::mouseClick(view_.viewport(), Qt::LeftButton, {}, place); }
    void press(Qt::Key key) { QTest::keyClick(&view_, key); }
    void turn_wheel(const QPointF& place, int notches, Qt::KeyboardModifiers modifiers) {
        QWheelEvent event(place, view_.viewport()->mapToGlobal(place), {}, {0, 120 * notches}, Qt::NoButton,
                          modifiers, Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(view_.viewport(), &event);
    }
    [[nodiscard]] QStringList menu_texts() {
        QMenu* const menu = view_.findChild<PlotMenuButton*>()->menu();
        QMetaObject::invokeMethod(menu, "aboutToShow");
        QStringList texts;
        for (const QAction* const action : menu->actions())
            texts << action->text();
        return texts;
    }

    GraphView view_;
    std::vector<std::optional<int>> chosen_;
    std::vector<std::optional<int>> hovered_;
    std::vector<int> activated_;
};

TEST_F(GraphViewTest, ShowsABlockAsAWhole) {
    for (const GraphNode& node : view_.graph().nodes) {
        const QRectF box = view_.node_rect(node.id);
        EXPECT_GT(box.width(), 40) << node.id;
        EXPECT_TRUE(QRectF(view_.viewport()->rect()).contains(box)) << node.id;
    }
    EXPECT_EQ(view_.verticalScrollBar()->maximum(), 0);
}

TEST_F(GraphViewTest, ShowingAllNeedsNoScrollBarAtAnySize) {
    for (const QSize size : {QSize(500, 700), QSize(1400, 300), QSize(333, 333), QSize(901, 617)}) {
        for (int i = 0; i < 8; ++i)
            press(Qt::Key_Plus);
        EXPECT_GT(view_.verticalScrollBar()->maximum(), 0);
        view_.resize(size);
        press(Qt::Key_0);
        QTest::qWait(1);
        EXPECT_EQ(view_.verticalScrollBar()->maximum(), 0) << size.width();
        EXPECT_EQ(view_.horizontalScrollBar()->maximum(), 0) << size.width();
    }
}

TEST_F(GraphViewTest, AClickChoosesANodeAndAClickBesideAllNodesNone) {
    click(middle_of(4));
    EXPECT_EQ(view_.chosen(), 4);
    click(middle_of(4));
    click(QPoint(4, 300));
    EXPECT_EQ(view_.chosen(), std::nullopt);
    EXPECT_THAT(chosen_, ElementsAre(std::optional(4), std::nullopt)) << "told once";
}

TEST_F(GraphViewTest, OthersChooseANodeToo) {
    view_.choose(7);
    EXPECT_EQ(view_.chosen(), 7);
    view_.choose(700);
    EXPECT_EQ(view_.chosen(), std::nullopt) << "there is no such node";
}

TEST_F(GraphViewTest, ArrowKeysFollowEdgesAndLayers) {
    press(Qt::Key_Home);
    EXPECT_EQ(view_.chosen(), 0);
    view_.choose(4);
    press(Qt::Key_Down);
    EXPECT_EQ(view_.chosen(), 5) << "vmulps to vaddps";
    press(Qt::Key_Down);
    EXPECT_EQ(view_.chosen(), 6);
    press(Qt::Key_Up);
    press(Qt::Key_Up);
    EXPECT_TRUE(view_.chosen() == 4 || view_.chosen() == 0) << "a node that vaddps needs";
    view_.choose(2);
    const double x = view_.node_rect(2).center().x();
    press(Qt::Key_Left);
    EXPECT_LT(view_.node_rect(*view_.chosen()).center().x(), x);
    EXPECT_EQ(view_.node_rect(*view_.chosen()).top(), view_.node_rect(2).top()) << "in the same layer";
    press(Qt::Key_Right);
    EXPECT_EQ(view_.chosen(), 2);
    press(Qt::Key_End);
    EXPECT_EQ(view_.chosen(), 11);
    press(Qt::Key_Down);
    EXPECT_EQ(view_.chosen(), 11) << "nothing is below";
}

TEST_F(GraphViewTest, TheFirstArrowKeyBeginsAtTheTop) {
    press(Qt::Key_Down);
    ASSERT_TRUE(view_.chosen());
    for (const GraphNode& node : view_.graph().nodes)
        EXPECT_LE(view_.node_rect(*view_.chosen()).top(), view_.node_rect(node.id).top());
}

TEST_F(GraphViewTest, EnterAndADoubleClickActivateANodeAndEscapeLetsItGo) {
    press(Qt::Key_Return);
    EXPECT_THAT(activated_, IsEmpty());
    view_.choose(3);
    press(Qt::Key_Return);
    QTest::mouseDClick(view_.viewport(), Qt::LeftButton, {}, middle_of(8));
    EXPECT_THAT(activated_, ElementsAre(3, 8));
    press(Qt::Key_Escape);
    EXPECT_EQ(view_.chosen(), std::nullopt);
}

TEST_F(GraphViewTest, ANodeUnderTheMouseStandsOutWithItsEdges) {
    const int before = pixels_like(view_.grab().toImage(), current_theme().accent, 12);
    QTest::mouseMove(view_.viewport(), middle_of(5));
    EXPECT_GT(pixels_like(view_.grab().toImage(), current_theme().accent, 12), before + 200);
    QTest::mouseMove(view_.viewport(), QPoint(4, 300));
    EXPECT_EQ(pixels_like(view_.grab().toImage(), current_theme().accent, 12), before);
    EXPECT_THAT(hovered_, ElementsAre(std::optional(5), std::nullopt));
}

TEST_F(GraphViewTest, CtrlWithTheWheelZoomsAtTheMouse) {
    const QPointF place = view_.node_rect(6).center();
    const double scale = view_.scale();
    turn_wheel(place, 6, Qt::ControlModifier);
    EXPECT_GT(view_.scale(), 2 * scale);
    EXPECT_NEAR(view_.node_rect(6).center().x(), place.x(), 2);
    EXPECT_NEAR(view_.node_rect(6).center().y(), place.y(), 2);
    const double zoomed = view_.scale();
    turn_wheel(place, -1, {});
    EXPECT_EQ(view_.scale(), zoomed) << "the wheel alone scrolls";
    EXPECT_LT(view_.node_rect(6).center().y(), place.y());
}

TEST_F(GraphViewTest, KeysZoomAndShowAllAgain) {
    const double scale = view_.scale();
    press(Qt::Key_Plus);
    press(Qt::Key_Plus);
    EXPECT_GT(view_.scale(), 1.5 * scale);
    press(Qt::Key_Minus);
    EXPECT_LT(view_.scale(), 1.3 * scale);
    press(Qt::Key_0);
    EXPECT_DOUBLE_EQ(view_.scale(), scale);
    press(Qt::Key_Minus);
    EXPECT_LE(view_.scale(), scale);
    EXPECT_GT(view_.scale(), 0.5 * scale) << "never smaller than needed";
}

TEST_F(GraphViewTest, DraggingMovesTheGraphAndChoosesNothing) {
    for (int i = 0; i < 4; ++i)
        press(Qt::Key_Plus);
    const QPointF before = view_.node_rect(5).center();
    const QPoint from = before.toPoint();
    QTest::mousePress(view_.viewport(), Qt::LeftButton, {}, from);
    QTest::mouseMove(view_.viewport(), from + QPoint(-30, -20));
    QTest::mouseMove(view_.viewport(), from + QPoint(-60, -40));
    QTest::mouseRelease(view_.viewport(), Qt::LeftButton, {}, from + QPoint(-60, -40));
    EXPECT_NEAR(view_.node_rect(5).center().x(), before.x() - 60, 1);
    EXPECT_NEAR(view_.node_rect(5).center().y(), before.y() - 40, 1);
    EXPECT_THAT(chosen_, IsEmpty());
}

TEST_F(GraphViewTest, AValueWithTheSameNodesKeepsChoiceZoomAndPlace) {
    for (int i = 0; i < 4; ++i)
        press(Qt::Key_Plus);
    view_.choose(9);
    chosen_.clear();
    const double scale = view_.scale();
    const QRectF place = view_.node_rect(9);
    Graph changed = block_graph();
    changed.nodes[3].badge = QStringLiteral("5 cycles");
    changed.edges.push_back({.from = 7, .to = 11}); // the layout is another one
    view_.set_graph(changed);
    EXPECT_EQ(view_.scale(), scale);
    EXPECT_EQ(view_.chosen(), 9);
    EXPECT_NEAR(view_.node_rect(9).left(), place.left(), 1.5);
    EXPECT_NEAR(view_.node_rect(9).top(), place.top(), 1.5);
    EXPECT_THAT(chosen_, IsEmpty());
}

TEST_F(GraphViewTest, AnotherGraphBeginsAnew) {
    for (int i = 0; i < 4; ++i)
        press(Qt::Key_Plus);
    view_.choose(9);
    view_.set_graph(large_graph(5, 1));
    EXPECT_EQ(view_.chosen(), std::nullopt);
    EXPECT_EQ(chosen_.back(), std::nullopt);
    EXPECT_EQ(view_.scale(), 1);
}

TEST_F(GraphViewTest, AGraphOfTheSameSubjectMayGainNodes) {
    Graph graph = block_graph();
    graph.subject = QStringLiteral("block 1");
    view_.set_graph(graph);
    view_.choose(6);
    graph.nodes.push_back({.id = 12, .title = QStringLiteral("nop")});
    view_.set_graph(graph);
    EXPECT_EQ(view_.chosen(), 6);
    std::erase_if(graph.nodes, [](const GraphNode& node) { return node.id == 6; });
    view_.set_graph(graph);
    EXPECT_EQ(view_.chosen(), std::nullopt) << "that node is gone";
}

TEST_F(GraphViewTest, TellsOfWhatIsUnderTheMouse) {
    EXPECT_THAT(view_.tooltip_at(view_.node_rect(3).center()).toStdString(), HasSubstr("Latency: 4 cycles"));
    EXPECT_THAT(view_.tooltip_at(QPointF(4, 300)).toStdString(), IsEmpty());
    // Between cmp and jne, which stand below each other.
    const QRectF cmp = view_.node_rect(10);
    const QPointF between(cmp.center().x(), (cmp.bottom() + view_.node_rect(11).top()) / 2);
    EXPECT_EQ(view_.tooltip_at(between).toStdString(),
              "<b>cmp rdx, rcx → jne .loop</b><br>flags · Value (RAW)");
}

TEST_F(GraphViewTest, ScreenReadersHearOfTheChosenNodeAndItsEdges) {
    EXPECT_EQ(view_.accessibleName(), QStringLiteral("Dependencies of the block"));
    EXPECT_EQ(view_.accessibleDescription(), QStringLiteral("12 nodes, 21 edges, 7 of them loop-carried."));
    view_.choose(10);
    const std::string text = view_.accessibleDescription().toStdString();
    EXPECT_THAT(text, HasSubstr("Chosen: cmp rdx, rcx, #11, 1 cycle."));
    EXPECT_THAT(text, HasSubstr("Edges from: add rdx, 32 (rdx · Value (RAW));"));
    EXPECT_THAT(text, HasSubstr("Edges to: jne .loop (flags · Value (RAW))."));
}

TEST_F(GraphViewTest, AnEmptyGraphSaysSoAndHasNoMenu) {
    view_.set_empty_text(QStringLiteral("Choose a block."));
    view_.set_graph({});
    EXPECT_EQ(view_.accessibleDescription(), QStringLiteral("Choose a block."));
    EXPECT_GT(pixels_like(view_.grab().toImage(), current_theme().dim_text, 40), 20);
    EXPECT_FALSE(view_.findChild<PlotMenuButton*>()->isVisible());
    press(Qt::Key_Down);
    press(Qt::Key_0);
    turn_wheel({100, 100}, 1, Qt::ControlModifier);
    EXPECT_EQ(view_.chosen(), std::nullopt);
}

TEST_F(GraphViewTest, TheMenuCopiesTheChosenNodeAndExports) {
    EXPECT_THAT(menu_texts().join(u'|').toStdString(), Not(HasSubstr("Copy “")));
    view_.choose(11);
    EXPECT_THAT(menu_texts().join(u'|').toStdString(),
                ::testing::AllOf(HasSubstr("Copy “jne .loop”"), HasSubstr("Show &all"),
                                 HasSubstr("&Save picture…"), HasSubstr("Save &data as CSV…"),
                                 HasSubstr("&Copy picture")));
    view_.findChild<PlotMenuButton*>()->menu()->actions().front()->trigger();
    EXPECT_EQ(QGuiApplication::clipboard()->text(), QStringLiteral("jne .loop"));
    view_.choose(10);
    QTest::keySequence(&view_, QKeySequence::Copy);
    EXPECT_EQ(QGuiApplication::clipboard()->text(), QStringLiteral("cmp rdx, rcx"));
}

TEST_F(GraphViewTest, TheKeyboardOpensTheMenuUnlessThereIsNoGraph) {
    const auto ask = [&] {
        QContextMenuEvent event(QContextMenuEvent::Keyboard, QPoint(10, 10),
                                view_.mapToGlobal(QPoint(10, 10)));
        QCoreApplication::sendEvent(&view_, &event);
        const auto menus = view_.viewport()->findChildren<QMenu*>(Qt::FindDirectChildrenOnly);
        for (QMenu* const menu : menus)
            menu->close();
        return menus.size();
    };
    EXPECT_EQ(ask(), 1);
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    view_.set_graph({});
    EXPECT_EQ(ask(), 0);
}

TEST_F(GraphViewTest, IsSavedAsPictureAndTable) {
    const QTemporaryDir folder;
    for (const char* suffix : {"png", "svg", "csv"}) {
        const QString path = folder.filePath(QStringLiteral("graph.") + QLatin1String(suffix));
        ASSERT_TRUE(save_picture(view_.exported(), path).has_value()) << suffix;
        EXPECT_GT(QFile(path).size(), 500) << suffix;
    }
    QFile svg(folder.filePath(QStringLiteral("graph.svg")));
    ASSERT_TRUE(svg.open(QIODevice::ReadOnly));
    EXPECT_THAT(svg.readAll().toStdString(), HasSubstr("vmovups [rdx], ymm5"));
    const QStringList lines = view_.exported().csv.split(QStringLiteral("\r\n"), Qt::SkipEmptyParts);
    ASSERT_EQ(lines.size(), 1 + 12 + 21);
    EXPECT_EQ(lines[1], QStringLiteral("node,0,,,\"vmovups ymm1, [rsi]\",#1,7 cycles,load,,,"));
    EXPECT_EQ(lines.back(), QStringLiteral("edge,,6,2,memory,,,memory,,yes,yes"));
}

TEST_F(GraphViewTest, ThePictureHasTheWholeGraphHoweverTheViewIsZoomed) {
    const QSizeF size = view_.exported().size;
    for (int i = 0; i < 6; ++i)
        press(Qt::Key_Plus);
    EXPECT_EQ(view_.exported().size, size);
}

TEST_F(GraphViewTest, ChoosingANodeOutsideScrollsToIt) {
    for (int i = 0; i < 6; ++i)
        press(Qt::Key_Plus);
    view_.choose(11);
    EXPECT_TRUE(QRectF(view_.viewport()->rect()).contains(view_.node_rect(11)));
    view_.choose(1);
    EXPECT_TRUE(QRectF(view_.viewport()->rect()).contains(view_.node_rect(1)));
}

TEST_F(GraphViewTest, LargeTypeMakesBoxesLargerAndNoneOverlaps) {
    view_.set_graph(large_graph(20, 2));
    for (int i = 0; i < 3; ++i)
        press(Qt::Key_Plus); // so that the window does not decide the size
    const double width = view_.node_rect(0).width();
    const QFont usual = QApplication::font();
    QFont large = usual;
    large.setPointSizeF(usual.pointSizeF() * 2);
    QApplication::setFont(large);
    QTest::qWait(10);
    EXPECT_GT(view_.node_rect(0).width(), 1.6 * width);
    for (int a = 0; a < 20; ++a)
        for (int b = a + 1; b < 20; ++b)
            EXPECT_FALSE(view_.node_rect(a).intersects(view_.node_rect(b)));
    QApplication::setFont(usual);
}

TEST(GraphView, ALongNarrowGraphBeginsAtItsTopWhereItCanBeRead) {
    Graph chain;
    for (int n = 0; n < 80; ++n) {
        chain.nodes.push_back({.id = n, .title = QStringLiteral("node %1").arg(n)});
        if (n > 0)
            chain.edges.push_back({.from = n - 1, .to = n});
    }
    GraphView view;
    view.resize(500, 400);
    view.show();
    view.set_graph(chain);
    EXPECT_EQ(view.scale(), 1);
    EXPECT_EQ(view.horizontalScrollBar()->maximum(), 0);
    EXPECT_TRUE(QRectF(view.viewport()->rect()).contains(view.node_rect(0)));
    view.show_whole();
    EXPECT_TRUE(QRectF(view.viewport()->rect()).contains(view.node_rect(79)));
    EXPECT_LT(view.scale(), 0.2);
    view.choose(40);
    view.resize(600, 800);
    EXPECT_TRUE(QRectF(view.viewport()->rect()).contains(view.node_rect(79))) << "the whole stays whole";
}

TEST(GraphDrawing, LabelsLieOnNoNodeAndNoOtherLabel) {
    for (const unsigned seed : {1U, 2U, 3U}) {
        Graph graph = large_graph(60, seed);
        for (GraphEdge& edge : graph.edges)
            edge.label = QStringLiteral("value %1").arg(edge.from);
        const GraphDrawing drawing = draw_graph(graph, graph_fonts(graph));
        const QRectF whole = QRectF({0, 0}, drawing.size).adjusted(-9, -9, 9, 9);
        std::size_t shown = 0;
        for (std::size_t e = 0; e < drawing.edges.size(); ++e) {
            const QRectF& label = drawing.edges[e].label;
            shown += label.isEmpty() ? 0 : 1;
            EXPECT_TRUE(label.isEmpty() || whole.contains(label));
            for (const NodeDrawing& node : drawing.nodes)
                EXPECT_FALSE(label.intersects(node.box));
            for (std::size_t other = 0; other < e; ++other)
                EXPECT_FALSE(label.intersects(drawing.edges[other].label));
        }
        EXPECT_GT(shown, drawing.edges.size() * 9 / 10) << "few have no room";
    }
}

TEST(GraphDrawing, TheLabelOfALoopHasRoomBesideItsNode) {
    const Graph graph = block_graph();
    const GraphDrawing drawing = draw_graph(graph, graph_fonts(graph));
    for (const EdgeDrawing& edge : drawing.edges) {
        if (edge.from != edge.to)
            continue;
        EXPECT_GT(edge.label.left(), drawing.nodes[edge.from].box.right());
    }
}

TEST(GraphDrawing, LeavesEdgesOfUnknownNodesOut) {
    Graph graph;
    graph.nodes = {{.id = 4}, {.id = 7}};
    graph.edges = {{.from = 4, .to = 5}, {.from = 4, .to = 7}};
    const GraphDrawing drawing = draw_graph(graph, graph_fonts(graph));
    ASSERT_EQ(drawing.edges.size(), 1);
    EXPECT_EQ(drawing.edges[0].edge, 1);
}

TEST(GraphDrawing, CurvesStayInTheBoxOfTheirRoute) {
    const std::vector<QPointF> turned{{10, 50}, {10, 60}, {80, 60}, {80, 0}, {30, 0}, {30, 10}};
    const std::vector<QPointF> slanted{{10, 0}, {10, 20}, {60, 50}, {60, 80}};
    for (const auto& points : {turned, slanted}) {
        const QPainterPath curve = curve_through(points, 8);
        EXPECT_EQ(curve.elementAt(0), points.front());
        EXPECT_EQ(curve.currentPosition(), points.back());
        QRectF box(points.front(), points.front());
        for (const QPointF& point : points)
            box |= QRectF(point, QSizeF(0.1, 0.1));
        EXPECT_TRUE(box.adjusted(-0.1, -0.1, 0.1, 0.1).contains(curve.boundingRect()));
    }
}

TEST(GraphLegend, NamesWhatOccursAndWrapsInANarrowWindow) {
    Graph graph = block_graph();
    const QFont font = caption_font();
    const GraphLegend legend(graph);
    const double wide = legend.height_for(2000, font);
    EXPECT_GT(wide, QFontMetricsF(font).height());
    EXPECT_GT(legend.height_for(300, font), 3 * wide);
    graph.edges.clear();
    graph.role_names.clear();
    for (GraphNode& node : graph.nodes)
        node.marked = false;
    EXPECT_EQ(GraphLegend(graph).height_for(2000, font), 0);
}

} // namespace
} // namespace sparsight
