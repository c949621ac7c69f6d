// How long the drawing of a graph in layers takes, for sizes of basic blocks and of tensor graphs. Edges
// reach back as far as operands do; a tenth of a block's edges is carried by the loop.
#include "widgets/graph/layout/layered_layout.h"

#include <benchmark/benchmark.h>
#include <random>

namespace sparsight {
namespace {

LayoutInput graph_of(std::size_t nodes, std::size_t edges, std::size_t reach, unsigned back_percent) {
    std::mt19937 random(1);
    const auto below = [&](std::size_t bound) { return static_cast<std::size_t>(random() % bound); };
    LayoutInput input;
    for (std::size_t n = 0; n < nodes; ++n)
        input.nodes.emplace_back(80.0 + static_cast<double>(below(120)), 40.0);
    for (std::size_t e = 0; e < edges; ++e) {
        const std::size_t to = 1 + below(nodes - 1);
        const std::size_t from = to - 1 - below(std::min(to, reach));
        if (below(100) < back_percent)
            input.edges.push_back({.from = to, .to = from, .back = true});
        else
            input.edges.push_back({.from = from, .to = to});
    }
    return input;
}

void draw(benchmark::State& state, const LayoutInput& input) {
    LayeredLayout layout;
    for (auto _ : state) {
        layout = lay_out_in_layers(input);
        benchmark::DoNotOptimize(layout);
    }
    std::size_t upwards = 0;
    for (const LayoutRoute& route : layout.routes)
        upwards += route.upwards ? 1 : 0;
    state.counters["crossings"] = static_cast<double>(layout.crossings);
    state.counters["upwards"] = static_cast<double>(upwards);
}

void basic_block(benchmark::State& state) {
    const auto nodes = static_cast<std::size_t>(state.range(0));
    draw(state, graph_of(nodes, nodes * 3 / 2, 12, 10));
}
BENCHMARK(basic_block)->Arg(12)->Arg(60)->Arg(200)->Unit(benchmark::kMillisecond);

void tensor_graph(benchmark::State& state) {
    const auto nodes = static_cast<std::size_t>(state.range(0));
    draw(state, graph_of(nodes, nodes * 8 / 5, 30, 0));
}
BENCHMARK(tensor_graph)->Arg(300)->Arg(1000)->Arg(5000)->Unit(benchmark::kMillisecond);

/// Any node may use any earlier one: nearly all of the drawing is long edges.
void edges_of_any_length(benchmark::State& state) {
    const auto nodes = static_cast<std::size_t>(state.range(0));
    draw(state, graph_of(nodes, nodes * 8 / 5, nodes, 0));
}
BENCHMARK(edges_of_any_length)->Arg(300)->Arg(5000)->Unit(benchmark::kMillisecond);

} // namespace
} // namespace sparsight
