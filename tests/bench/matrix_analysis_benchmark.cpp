// Generators, statistics and density at 10 M entries. Goals: generate within a few seconds, statistics under
// 2 s on two cores, any viewport under 10 ms.
#include "base/parallel.h"
#include "base/random.h"
#include "domains/sparse/tensor/density_grid.h"
#include "domains/sparse/tensor/density_pyramid.h"
#include "domains/sparse/tensor/generators/generator.h"
#include "domains/sparse/tensor/statistics.h"

#include <algorithm>
#include <benchmark/benchmark.h>
#include <chrono>
#include <cmath>
#include <ctime>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>

namespace sparsight {
namespace {

struct Recipe {
    const char* label;
    const char* family;
    ParameterValues values;
};

/// About 10 M entries each.
const std::vector<Recipe>& recipes() {
    static const std::vector<Recipe> all{
        {"uniform", "uniform", {{"rows", 1e6}, {"cols", 1e6}, {"density", 1e-5}}},
        {"uniform-hyper-sparse", "uniform", {{"rows", 1e7}, {"cols", 1e7}, {"density", 1e-7}}},
        {"power-law", "power-law", {{"scale", 20}, {"edge-factor", 10}}},
        {"power-law-shuffled", "power-law", {{"scale", 20}, {"edge-factor", 10}, {"shuffle", 1}}},
        {"kronecker", "kronecker", {{"power", 21}}},
        {"hyper-sparse", "hyper-sparse", {{"rows", 1e7}, {"cols", 1e7}, {"occupied-rows", 0.5}}},
        {"one-dense-row-and-column", "arrow", {{"size", 3.4e6}, {"head", 1}}},
        {"dense", "uniform", {{"rows", 3200}, {"cols", 3200}, {"density", 0.99}}},
        {"tall", "uniform", {{"rows", 1e7}, {"cols", 64}, {"density", 0.0156}}},
        {"banded", "banded", {{"size", 6e5}}},
        {"stencil-3d", "stencil-3d", {{"x", 72}, {"y", 72}, {"z", 72}, {"points", 27}}},
        {"scattered-blocks", "scattered-blocks", {{"rows", 1e6}, {"cols", 1e6}, {"blocks", 4e4}}},
        {"block-diagonal", "block-diagonal", {{"size", 4.5e5}}},
        {"row-skewed", "row-skewed", {{"rows", 1e6}, {"cols", 1e6}, {"mean-length", 10}}},
        {"pruned-random", "pruned-random", {{"rows", 1e4}, {"cols", 1e4}}},
        {"pruned-n-m", "pruned-n-m", {{"rows", 4096}, {"cols", 4882}}},
        {"pruned-block", "pruned-block", {{"rows", 1e4}, {"cols", 1e4}}},
        {"multi-diagonal", "multi-diagonal", {{"size", 1.4e6}}},
        {"attention-longformer", "attention-longformer", {{"tokens", 60'000}}},
        {"attention-bigbird", "attention-bigbird", {{"tokens", 16'384}}},
    };
    return all;
}

std::shared_ptr<const CsrPattern> pattern_of(const Recipe& recipe) {
    static std::pair<std::string, std::shared_ptr<const CsrPattern>> last;
    if (last.first != recipe.label) {
        last = {recipe.label, nullptr};
        last.second = std::make_shared<const CsrPattern>(*generate_matrix(recipe.family, recipe.values, 1));
    }
    return last.second;
}

void generate_family(benchmark::State& state, const Recipe& recipe) {
    double entries = 0;
    for (auto _ : state) {
        const auto pattern = generate_matrix(recipe.family, recipe.values, 1);
        entries = static_cast<double>(pattern->nnz());
        benchmark::DoNotOptimize(pattern->column_ids.data());
    }
    state.counters["entries"] = entries;
}

void statistics_of(benchmark::State& state, const Recipe& recipe) {
    const auto pattern = pattern_of(recipe);
    for (auto _ : state)
        benchmark::DoNotOptimize(compute_statistics(*pattern, static_cast<int>(state.range(0))).symmetry);
    state.counters["entries"] = static_cast<double>(pattern->nnz());
}

void build_pyramid(benchmark::State& state, const Recipe& recipe) {
    const auto pattern = pattern_of(recipe);
    for (auto _ : state)
        benchmark::DoNotOptimize(DensityPyramid::build(pattern, static_cast<int>(state.range(0)))->levels());
    state.counters["entries"] = static_cast<double>(pattern->nnz());
}

void build_levels(benchmark::State& state, const Recipe& recipe) {
    const auto pattern = pattern_of(recipe);
    for (auto _ : state)
        benchmark::DoNotOptimize(build_density_levels(*pattern, static_cast<int>(state.range(0))).size());
}

/// The whole, zooms around busy and random places by powers of two down to single entries, and thin strips
/// along rows and columns.
std::vector<Viewport> viewports_over(const CsrPattern& pattern) {
    Random random(5);
    std::vector<Viewport> views{{0, pattern.rows, 0, pattern.cols}};
    const auto around = [](std::int64_t centre, std::int64_t length, std::int64_t extent) {
        length = std::clamp<std::int64_t>(length, 1, extent);
        const std::int64_t begin = std::clamp<std::int64_t>(centre - length / 2, 0, extent - length);
        return std::pair(begin, begin + length);
    };
    for (int place = 0; place < 4; ++place) {
        const auto entry = static_cast<std::size_t>(random.below(static_cast<std::uint64_t>(pattern.nnz())));
        const std::int64_t row =
            std::ranges::upper_bound(pattern.row_pointers, static_cast<std::int64_t>(entry)) -
            pattern.row_pointers.begin() - 1;
        const std::int64_t col = pattern.column_ids[entry];
        for (double zoom = 1; zoom < 2e7; zoom *= 1.9)
            for (const auto& [row_zoom, col_zoom] :
                 {std::pair(zoom, zoom), std::pair(zoom, 1.0), std::pair(1.0, zoom)}) {
                const auto [top, bottom] =
                    around(row, std::llround(static_cast<double>(pattern.rows) / row_zoom), pattern.rows);
                const auto [left, right] =
                    around(col, std::llround(static_cast<double>(pattern.cols) / col_zoom), pattern.cols);
                views.push_back({top, bottom, left, right});
            }
    }
    return views;
}

/// Of the calling thread: what others do on the machine does not count.
double thread_milliseconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

/// One iteration asks for every viewport once; the slowest (its fastest repetition) is what counts.
void query_viewports(benchmark::State& state, const Recipe& recipe) {
    const auto pattern = pattern_of(recipe);
    const auto pyramid = DensityPyramid::build(pattern, available_threads());
    const auto views = viewports_over(*pattern);
    std::vector<double> fastest(views.size(), 1e9);
    std::vector<double> fastest_cpu = fastest;
    const int pixels = 1024;
    for (auto _ : state)
        for (std::size_t v = 0; v < views.size(); ++v) {
            const double cpu_start = thread_milliseconds();
            const auto start = std::chrono::steady_clock::now();
            const auto grid = pyramid->density(views[v], pixels, pixels, static_cast<int>(state.range(0)));
            const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
            benchmark::DoNotOptimize(grid->counts.data());
            fastest[v] = std::min(fastest[v], took.count());
            fastest_cpu[v] = std::min(fastest_cpu[v], thread_milliseconds() - cpu_start);
        }
    std::vector<double> sorted = fastest;
    std::ranges::sort(sorted);
    const auto slowest = std::ranges::max_element(fastest_cpu) - fastest_cpu.begin();
    const Viewport& view = views[static_cast<std::size_t>(slowest)];
    state.SetLabel(fmt::format("slowest: {} rows, {} cols", view.row_end - view.row_begin,
                               view.col_end - view.col_begin));
    state.counters["slowest_thread_ms"] = *std::ranges::max_element(fastest_cpu);
    state.counters["viewports"] = static_cast<double>(views.size());
    state.counters["slowest_ms"] = sorted.back();
    state.counters["median_ms"] = sorted[sorted.size() / 2];
    state.counters["whole_ms"] = fastest.front();
}

void list_entries(benchmark::State& state, const Recipe& recipe) {
    const auto pattern = pattern_of(recipe);
    const auto pyramid = DensityPyramid::build(pattern, available_threads());
    std::vector<Viewport> views = viewports_over(*pattern);
    std::erase_if(views, [](const Viewport& view) { return view.row_end - view.row_begin > 1024; });
    double slowest = 0;
    for (auto _ : state)
        for (const Viewport& view : views) {
            const auto start = std::chrono::steady_clock::now();
            benchmark::DoNotOptimize(pyramid->entries_in(view, 20'000).total);
            const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
            slowest = std::max(slowest, took.count());
        }
    state.counters["slowest_ms"] = slowest;
}

void draw_picture(benchmark::State& state, const Recipe& recipe) {
    const auto pattern = pattern_of(recipe);
    double bytes = 0;
    for (auto _ : state)
        bytes = static_cast<double>(
            density_png(overview(*pattern, 512, 512, available_threads()), 512, 512)->size());
    state.counters["bytes"] = bytes;
}

bool register_all() {
    using Body = void (*)(benchmark::State&, const Recipe&);
    const auto add = [](const std::string& what, Body body, const Recipe& recipe) {
        return benchmark::RegisterBenchmark((what + "/" + recipe.label).c_str(),
                                            [body, &recipe](benchmark::State& state) { body(state, recipe); })
            ->Unit(benchmark::kMillisecond)
            ->UseRealTime();
    };
    for (const Recipe& recipe : recipes())
        add("generate", generate_family, recipe)->Iterations(1);
    for (std::size_t r = 0; r < 9; ++r) {
        const Recipe& recipe = recipes()[r];
        add("statistics", statistics_of, recipe)->Arg(1)->Arg(2)->Iterations(2);
        add("build_levels", build_levels, recipe)->Arg(1)->Arg(2)->Iterations(3);
        add("build_pyramid", build_pyramid, recipe)->Arg(1)->Arg(2)->Iterations(1);
        add("viewports", query_viewports, recipe)->Arg(1)->Arg(2)->Iterations(3);
        add("entries_in", list_entries, recipe)->Iterations(2);
        add("picture", draw_picture, recipe)->Iterations(2);
    }
    return true;
}

const bool registered = register_all();

} // namespace
} // namespace sparsight
