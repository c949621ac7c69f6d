// What search pays for a cost model: looking at a matrix, embedding schedules, scoring 100,000 embeddings;
// each beside the time of its floating-point operations at the matrix-product rate of the same run.
#include "base/random.h"
#include "domains/sparse/encoder/network_description.h"
#include "domains/sparse/encoder/sparse_learning.h"
#include "domains/sparse/schedule/sampler.h"
#include "domains/sparse/schedule/schedule_space.h"
#include "domains/sparse/tensor/sparse_workload.h"
#include "model/cost_model.h"
#include "search/portfolio.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/ones.h>
#include <benchmark/benchmark.h>

namespace sparsight {
namespace {

constexpr int pool = 100'000;

Checkpoint network(Architecture architecture) {
    NetworkDescription network;
    network.architecture = architecture;
    const std::size_t count = matrix_numbers(architecture, {}).size();
    network.standardisation = {std::vector<double>(count, 0.0), std::vector<double>(count, 1e5)};
    Checkpoint checkpoint;
    checkpoint.weights = initial_weights(network, 1);
    checkpoint.model.architecture = describe(network);
    return checkpoint;
}

std::unique_ptr<CostModel> model(Architecture architecture) {
    return make_cost_model(network(architecture), SparseLearning()).value();
}

CsrPattern uniform(std::int64_t nnz) {
    CooPattern entries{nnz / 10, nnz / 10, {}, {}, {}};
    Random random(1);
    for (std::int64_t i = 0; i < nnz; ++i) {
        entries.row_ids.push_back(
            static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(entries.rows))));
        entries.column_ids.push_back(
            static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(entries.cols))));
    }
    return compress(std::move(entries), 1).pattern;
}

const std::vector<Configuration>& configurations() {
    static const std::vector<Configuration> drawn = [] {
        Random random(2);
        return ScheduleSpace(Operator::SpMM, extents(Operator::SpMM, 100'000, 100'000, 256))
            .sample(pool, random);
    }();
    return drawn;
}

/// GFLOP/s of a product of the shape that scoring consists of.
void product(benchmark::State& state) {
    const at::NoGradGuard no_gradients;
    const at::Tensor rows = at::ones({4096, embedding_width});
    const at::Tensor square = at::ones({embedding_width, embedding_width});
    for (auto _ : state)
        benchmark::DoNotOptimize(at::mm(rows, square));
    state.counters["GFLOP/s"] = benchmark::Counter(2e-9 * 4096 * embedding_width * embedding_width,
                                                   benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(product)->Unit(benchmark::kMillisecond);

void embed_matrix(benchmark::State& state, Architecture architecture) {
    const auto of = model(architecture);
    const auto pattern = payload_of(uniform(state.range(0)));
    for (auto _ : state)
        benchmark::DoNotOptimize(of->embed(pattern, nullptr, 1).value());
}
BENCHMARK_CAPTURE(embed_matrix, waconet, Architecture::WacoNet)
    ->RangeMultiplier(10)
    ->Range(10'000, 1'000'000)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(embed_matrix, statistics, Architecture::StatisticsNet)
    ->RangeMultiplier(10)
    ->Range(10'000, 1'000'000)
    ->Unit(benchmark::kMillisecond);

void embed_configurations(benchmark::State& state) {
    const auto of = model(Architecture::WacoNet);
    for (auto _ : state)
        benchmark::DoNotOptimize(of->embed_configurations(configurations()).value());
}
BENCHMARK(embed_configurations)->Unit(benchmark::kMillisecond);

void score_embeddings(benchmark::State& state) {
    const auto of = model(Architecture::WacoNet);
    const auto scorer = of->embed(payload_of(uniform(10'000)), nullptr, 1).value();
    const auto embeddings = of->embed_configurations(configurations()).value();
    for (auto _ : state)
        benchmark::DoNotOptimize(scorer->score_embeddings(embeddings).value());
    state.counters["GFLOP/s"] = benchmark::Counter(2e-9 * pool * (embedding_width * 128 + 128 * 64 + 64),
                                                   benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(score_embeddings)->Unit(benchmark::kMillisecond);

/// The shortlist of a model that the simulator has a share in: counted from the pattern anew, as a search of
/// a new matrix does, by one thread.
void score_with_simulator(benchmark::State& state) {
    Checkpoint checkpoint = network(Architecture::StatisticsNet);
    checkpoint.model.blend = SimulatorBlend{resolve_parameters({}).values, 256, 0.2, 5};
    const auto of = make_cost_model(checkpoint, SparseLearning()).value();
    const auto pattern = payload_of(uniform(state.range(0)));
    const std::span<const Configuration> shortlist = std::span(configurations()).first(1000);
    for (auto _ : state)
        benchmark::DoNotOptimize(of->embed(pattern, nullptr, 1).value()->score(shortlist).value());
}
BENCHMARK(score_with_simulator)->Arg(10'000)->Arg(100'000)->Unit(benchmark::kMillisecond);

void choose_portfolio_of_3000(benchmark::State& state) {
    const ScheduleSpace space(Operator::SpMM, extents(Operator::SpMM, 100'000, 100'000, 256));
    const std::span<const Configuration> shortlist = std::span(configurations()).first(3000);
    Random random(1);
    std::vector<float> scores;
    for (std::size_t at = 0; at < shortlist.size(); ++at)
        scores.push_back(static_cast<float>(random.normal()));
    for (auto _ : state)
        benchmark::DoNotOptimize(choose_portfolio(space, shortlist, scores));
}
BENCHMARK(choose_portfolio_of_3000)->Unit(benchmark::kMillisecond);

} // namespace
} // namespace sparsight
