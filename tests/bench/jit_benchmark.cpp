// How long one kernel takes from loop nest to machine code, over schedules of WACO's generator.

#include "base/random.h"
#include "domains/sparse/clock/compiled_kernel.h"
#include "domains/sparse/schedule/sampler.h"

#include <benchmark/benchmark.h>

namespace {

using namespace sparsight;

void compile_kernels(benchmark::State& state, Operator op) {
    auto compiler = KernelCompiler::make();
    if (!compiler) {
        state.SkipWithError(compiler.error().message.c_str());
        return;
    }
    const Extents extents = sparsight::extents(op, 4096, 8192, 256);
    Random random(1);
    const auto schedules = sample_waco(op, extents, 100, 2, random);
    std::vector<double> times;
    std::size_t next = 0;
    for ([[maybe_unused]] auto _ : state) {
        const auto kernel =
            compiler->compile(lower(schedules[next++ % schedules.size()], extents, compiler->target()));
        if (!kernel) {
            state.SkipWithError(kernel.error().message.c_str());
            return;
        }
        times.push_back(kernel->compile_time().count());
    }
    std::ranges::sort(times);
    state.counters["median_ms"] = times[times.size() / 2];
    state.counters["p90_ms"] = times[times.size() * 9 / 10];
}

BENCHMARK_CAPTURE(compile_kernels, spmm, Operator::SpMM)->Unit(benchmark::kMillisecond)->Iterations(200);
BENCHMARK_CAPTURE(compile_kernels, spmv, Operator::SpMV)->Unit(benchmark::kMillisecond)->Iterations(200);
BENCHMARK_CAPTURE(compile_kernels, sddmm, Operator::SDDMM)->Unit(benchmark::kMillisecond)->Iterations(200);

} // namespace
