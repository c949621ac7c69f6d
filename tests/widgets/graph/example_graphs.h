// Graphs to look at: the dependencies of a block of machine code, and a larger one from a seed.
#pragma once

#include "widgets/graph/graph.h"

#include <algorithm>
#include <random>

namespace sparsight {

/// A dot product, one loop iteration: two loads, multiply-add, pointers, counter, flags.
inline Graph block_graph() {
    Graph graph;
    graph.title = QStringLiteral("Dependencies of the block");
    graph.titles_are_code = true;
    graph.role_names = {{GraphRole::Compute, QStringLiteral("Integer")},
                        {GraphRole::Vector, QStringLiteral("Vector")},
                        {GraphRole::Load, QStringLiteral("Load")},
                        {GraphRole::Store, QStringLiteral("Store")},
                        {GraphRole::Control, QStringLiteral("Control")}};
    const auto node = [&](const char* title, GraphRole role, int latency, bool marked = false) {
        const int id = static_cast<int>(graph.nodes.size());
        graph.nodes.push_back(
            {.id = id,
             .title = QString::fromUtf8(title),
             .detail = QStringLiteral("#%1").arg(id + 1),
             .tip = QStringLiteral("Latency: %1 cycles").arg(latency),
             .badge = latency == 1 ? QStringLiteral("1 cycle") : QStringLiteral("%1 cycles").arg(latency),
             .bar = latency / 7.0,
             .role = role,
             .marked = marked});
    };
    node("vmovups ymm1, [rsi]", GraphRole::Load, 7);
    node("vmovups ymm2, [rsi + 32]", GraphRole::Load, 7);
    node("vmovups ymm3, [rdi]", GraphRole::Load, 7);
    node("vfmadd231ps ymm0, ymm1, ymm3", GraphRole::Vector, 4, true);
    node("vmulps ymm4, ymm2, ymm3", GraphRole::Vector, 4);
    node("vaddps ymm5, ymm4, ymm1", GraphRole::Vector, 4);
    node("vmovups [rdx], ymm5", GraphRole::Store, 5);
    node("add rsi, 64", GraphRole::Compute, 1);
    node("add rdi, 32", GraphRole::Compute, 1);
    node("add rdx, 32", GraphRole::Compute, 1);
    node("cmp rdx, rcx", GraphRole::Compute, 1);
    node("jne .loop", GraphRole::Control, 1);
    const auto edge = [&](int from, int to, const char* label, GraphEdgeKind kind = GraphEdgeKind::Value,
                          bool back = false, bool marked = false) {
        graph.edges.push_back({.from = from,
                               .to = to,
                               .label = QString::fromUtf8(label),
                               .kind = kind,
                               .marked = marked,
                               .back = back});
    };
    edge(0, 3, "ymm1");
    edge(2, 3, "ymm3");
    edge(1, 4, "ymm2");
    edge(2, 4, "ymm3");
    edge(4, 5, "ymm4");
    edge(0, 5, "ymm1");
    edge(5, 6, "ymm5");
    edge(0, 7, "rsi", GraphEdgeKind::Ordering);
    edge(1, 7, "rsi", GraphEdgeKind::Ordering);
    edge(2, 8, "rdi", GraphEdgeKind::Ordering);
    edge(6, 9, "rdx", GraphEdgeKind::Ordering);
    edge(9, 10, "rdx");
    edge(10, 11, "flags");
    edge(9, 10, "flags", GraphEdgeKind::Overwriting);
    edge(3, 3, "ymm0", GraphEdgeKind::Value, true, true);
    edge(7, 0, "rsi", GraphEdgeKind::Value, true);
    edge(7, 1, "rsi", GraphEdgeKind::Value, true);
    edge(8, 2, "rdi", GraphEdgeKind::Value, true);
    edge(9, 6, "rdx", GraphEdgeKind::Value, true);
    edge(9, 9, "rdx", GraphEdgeKind::Value, true);
    graph.edges.push_back({.from = 6,
                           .to = 2,
                           .label = QStringLiteral("memory"),
                           .kind = GraphEdgeKind::Memory,
                           .dashed = true,
                           .back = true});
    return graph;
}

/// As a tensor graph: mostly chains, with branches that join again.
inline Graph large_graph(int nodes, unsigned seed) {
    std::mt19937 random(seed);
    constexpr GraphRole roles[] = {GraphRole::Plain, GraphRole::Compute, GraphRole::Vector, GraphRole::Load};
    constexpr const char* names[] = {"reshape", "convolution", "add", "parameter", "multiply", "reduce"};
    Graph graph;
    graph.title = QStringLiteral("Tensor graph");
    for (int n = 0; n < nodes; ++n) {
        const unsigned kind = static_cast<unsigned>(random() % 6);
        graph.nodes.push_back(
            {.id = n,
             .title = QStringLiteral("%1.%2").arg(QLatin1String(names[kind])).arg(n),
             .detail = QStringLiteral("f32[%1,%2]").arg(1 << random() % 10).arg(1 << random() % 10),
             .role = roles[kind % 4]});
        if (n == 0)
            continue;
        const auto back = [&](int reach) {
            return n - 1 - static_cast<int>(random() % static_cast<unsigned>(std::min(n, reach)));
        };
        graph.edges.push_back({.from = back(4), .to = n});
        if (random() % 3 == 0)
            graph.edges.push_back({.from = back(12),
                                   .to = n,
                                   .kind = random() % 5 == 0 ? GraphEdgeKind::Memory : GraphEdgeKind::Value});
    }
    return graph;
}

} // namespace sparsight
