// What the search for an anchor costs beside the model: of 10,000 cases with a model that answers at once.
#include "core/evaluation/model_reasons/invented_rule.h"

#include <benchmark/benchmark.h>

namespace {

using namespace sparsight;

/// A model that goes by chance makes the search use all its calls.
void search_without_a_rule(benchmark::State& state) {
    std::int64_t calls = 0;
    for (auto _ : state) {
        testing::InventedSpace space(std::vector<double>(static_cast<std::size_t>(state.range(0)), 0.5),
                                     [](const auto&, Random& random) { return random.chance(0.5); });
        AnchorOptions options;
        options.calls = 10'000;
        const auto found = find_anchor(space, options);
        calls += found->calls;
        benchmark::DoNotOptimize(found);
    }
    state.counters["calls"] =
        benchmark::Counter(static_cast<double>(calls), benchmark::Counter::kAvgIterations);
}
BENCHMARK(search_without_a_rule)->Arg(40)->Arg(150)->Unit(benchmark::kMillisecond);

/// The draws alone, as many: what is left over is the search's own.
void draw_cases(benchmark::State& state) {
    testing::InventedSpace space(std::vector<double>(static_cast<std::size_t>(state.range(0)), 0.5),
                                 [](const auto&, Random& random) { return random.chance(0.5); });
    Random random(1);
    for (auto _ : state)
        benchmark::DoNotOptimize(space.draw({}, 10'000, random));
}
BENCHMARK(draw_cases)->Arg(40)->Arg(150)->Unit(benchmark::kMillisecond);

} // namespace
