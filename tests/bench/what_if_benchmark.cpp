// What the page "What if" and its command ask of the simulator. Goals: re-ranking 100 schedules of 1e5
// entries on one machine under 5 ms, so that a slider moves the ranking within a frame; the first evaluation
// of 100 schedules at 1e6 entries under 3 s.
#include "base/parallel.h"
#include "base/random.h"
#include "domains/sparse/schedule/sampler.h"
#include "domains/sparse/simulator/schedule_ranking.h"
#include "domains/sparse/tensor/generators/generator.h"
#include "machine/machine_edit.h"
#include "machine/machine_presets.h"

#include <benchmark/benchmark.h>

namespace sparsight {
namespace {

/// About 8 entries a row.
CsrPattern pattern_of(std::int64_t entries) {
    const double rows = static_cast<double>(entries) / 8;
    return *generate_matrix("row-skewed", {{"rows", rows}, {"cols", rows}, {"mean-length", 8}}, 1);
}

std::vector<SuperSchedule> drawn(const CsrPattern& pattern, int count) {
    Random random(1);
    return sample_waco(Operator::SpMM, extents(Operator::SpMM, pattern.rows, pattern.cols, 256), count,
                       all_threads, random);
}

MachineDescription server() {
    return find_machine_preset("epyc-7543")->machine;
}

void re_rank(benchmark::State& state) {
    const CsrPattern pattern = pattern_of(100'000);
    const auto profiles = *profile_all(ProfiledPattern(pattern), drawn(pattern, 100), 256);
    const MachineDescription machine = server();
    double cores = 1;
    for (auto _ : state) {
        cores = cores >= 128 ? 1 : cores + 1;
        const auto moved = with_parameter(machine, MachineParameter::Cores, cores);
        benchmark::DoNotOptimize(rank(simulate(resolve_parameters(moved).values, profiles)).order.data());
    }
    state.counters["entries"] = static_cast<double>(pattern.nnz());
}
BENCHMARK(re_rank)->Unit(benchmark::kMillisecond);

void evaluate_first(benchmark::State& state) {
    const CsrPattern pattern = pattern_of(1'000'000);
    const auto schedules = drawn(pattern, 100);
    const MachineParameters machine = resolve_parameters(server()).values;
    for (auto _ : state) {
        const auto profiles = profile_all(ProfiledPattern(pattern), schedules, 256,
                                          {.threads = static_cast<int>(state.range(0))});
        benchmark::DoNotOptimize(rank(simulate(machine, *profiles)).order.data());
    }
    state.counters["entries"] = static_cast<double>(pattern.nnz());
}
BENCHMARK(evaluate_first)->Arg(1)->Arg(available_threads())->Unit(benchmark::kMillisecond)->UseRealTime();

void map_of_winners(benchmark::State& state) {
    const CsrPattern pattern = pattern_of(100'000);
    const auto profiles = *profile_all(ProfiledPattern(pattern), drawn(pattern, 20), 256);
    const MachineDescription machine = server();
    const MapAxis cores = map_axis(machine, MachineParameter::MemoryLatency, 32);
    const MapAxis bandwidth = map_axis(machine, MachineParameter::SocketBandwidth, 32);
    std::size_t winners = 0;
    for (auto _ : state) {
        const auto map = winner_map(machine, cores, bandwidth, profiles, static_cast<int>(state.range(0)));
        winners = map->winners().size();
    }
    state.counters["winners"] = static_cast<double>(winners);
}
BENCHMARK(map_of_winners)->Arg(1)->Arg(available_threads())->Unit(benchmark::kMillisecond)->UseRealTime();

} // namespace
} // namespace sparsight
