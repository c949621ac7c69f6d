// A graph of 60, 300 and 5000 nodes in its view: how long it takes to lay it out and draw it the first time,
// to paint it as a whole and at the size of texts, and what a node under the mouse costs. Prints JSON.
#include "widgets/graph/graph_view.h"

#include <QApplication>
#include <QScrollBar>
#include <QTest>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <random>

namespace sparsight {
namespace {

/// Operands are made a little before they are used.
Graph graph_of(int nodes) {
    std::mt19937 random(1);
    Graph graph;
    for (int n = 0; n < nodes; ++n) {
        graph.nodes.push_back({.id = n,
                               .title = QStringLiteral("multiply.%1").arg(n),
                               .detail = QStringLiteral("f32[64,256]"),
                               .role = GraphRole::Compute});
        if (n == 0)
            continue;
        const auto before = [&](int reach) {
            return n - 1 - static_cast<int>(random() % static_cast<unsigned>(std::min(n, reach)));
        };
        graph.edges.push_back({.from = before(8), .to = n, .label = QStringLiteral("f32")});
        if (n % 5 < 3)
            graph.edges.push_back({.from = before(30), .to = n});
    }
    return graph;
}

/// The median of some runs, in milliseconds.
template <class Act>
double median_ms(int runs, Act act) {
    std::vector<double> times;
    for (int run = 0; run < runs; ++run) {
        const auto start = std::chrono::steady_clock::now();
        act(run);
        times.push_back(
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
    }
    std::ranges::sort(times);
    return std::round(100 * times[times.size() / 2]) / 100;
}

nlohmann::ordered_json view(int nodes) {
    const Graph graph = graph_of(nodes);
    GraphView view;
    view.resize(1280, 800);
    view.show();
    QCoreApplication::processEvents(); // it is exposed
    const double shown = median_ms(3, [&](int) {
        view.set_graph(graph);
        view.viewport()->repaint();
    });
    view.show_whole();
    const double whole = median_ms(5, [&](int) { view.viewport()->repaint(); });
    const double hovered = median_ms(9, [&](int run) {
        QTest::mouseMove(view.viewport(), view.node_rect(nodes * (run + 1) / 12).center().toPoint());
        view.viewport()->repaint();
    });
    while (view.scale() < 1)
        view.zoom_in();
    const double close = median_ms(9, [&](int run) {
        view.verticalScrollBar()->setValue(run * view.verticalScrollBar()->maximum() / 10);
        view.viewport()->repaint();
    });
    return {{"nodes", nodes},
            {"edges", graph.edges.size()},
            {"set_and_paint_ms", shown},
            {"paint_whole_ms", whole},
            {"hover_and_paint_whole_ms", hovered},
            {"scroll_and_paint_at_text_size_ms", close}};
}

} // namespace
} // namespace sparsight

int main(int argc, char** argv) {
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    const QApplication application(argc, argv);
    nlohmann::ordered_json results;
    for (const int nodes : {60, 300, 5000})
        results.push_back(sparsight::view(nodes));
    std::puts(results.dump(2).c_str());
}
