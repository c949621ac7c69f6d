// Basic blocks as compilers make them: decoding, printing, predicting and explaining, blocks a second.
#include "domains/blocks/analyser/mca_model.h"
#include "domains/blocks/explanation/block_explanation.h"
#include "domains/blocks/models/bound_model.h"
#include "domains/blocks/models/crude_model.h"
#include "domains/blocks/simulator/table_sampling.h"
#include "domains/blocks/simulator/table_simulator.h"

#include <array>
#include <benchmark/benchmark.h>
#include <string>

namespace sparsight {
namespace {

/// Of six instructions: a mean block of BHive has five and a half.
constexpr std::string_view assembly = "mov rax, qword ptr [rsp + 48]\nlea rcx, [rax + 8*rdx]\nadd rcx, rbx\n"
                                      "mov qword ptr [rdi + 8], rcx\nadd rdx, 1\ncmp rdx, rsi\n";
constexpr std::string_view forms =
    "\"MOV (R64, M64)\",[<=4;5],0.50 / 0.50,1 / 1,1*p23\nhaswell,LEA_B_IS (R64),1,0.50 / 0.50,1 / 1,1*p15\n"
    "haswell,\"ADD_01 (R64, R64)\",1,0.25 / 0.25,1 / 1,1*p0156\n"
    "haswell,\"MOV (M64, R64)\",[<=4;<=9],1.00 / 1.00,1 / 2,1*p237+1*p4\n"
    "haswell,\"ADD (R64, I8)\",1,0.25 / 0.25,1 / 1,1*p0156\n"
    "haswell,\"CMP_39 (R64, R64)\",1,0.25 / 0.25,1 / 1,1*p0156\n";

struct Prepared {
    BlockDecoder decoder = BlockDecoder::make().value();
    MachineCode code = decoder.assemble(assembly, AssemblySyntax::Intel).value();
    DecodedBlock block{code, decoder.decode(code).value()};
};

void count_blocks(benchmark::State& state) {
    state.counters["blocks/s"] =
        benchmark::Counter(static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}

void decode(benchmark::State& state) {
    const Prepared prepared;
    for (auto _ : state)
        benchmark::DoNotOptimize(prepared.decoder.decode(prepared.code));
    count_blocks(state);
}

void print_and_assemble(benchmark::State& state) {
    const Prepared prepared;
    for (auto _ : state)
        benchmark::DoNotOptimize(prepared.decoder.assemble(
            *prepared.decoder.print(prepared.code, AssemblySyntax::Intel), AssemblySyntax::Intel));
    count_blocks(state);
}

void predict_with(benchmark::State& state, const BlockModel& model, const DecodedBlock& block) {
    for (auto _ : state)
        benchmark::DoNotOptimize(model.cycles(std::span(&block, 1)));
    count_blocks(state);
}

void predict_bound(benchmark::State& state) {
    const Prepared prepared;
    const std::string text =
        "uarch,instruction,latency,throughput_cycles,uops_retired_issued,ports\nhaswell," +
        std::string(forms);
    const BoundModel model(PortTable::read(CsvTable::of_text("ports", text).value(), "haswell").value());
    predict_with(state, model, prepared.block);
}

void predict_mca(benchmark::State& state, McaFigure figure) {
    const Prepared prepared;
    predict_with(state, *McaModel::make(prepared.decoder, "hsw", figure).value(), prepared.block);
}

/// With parameters of its own for each simulation, as a tuning asks for.
void simulate_with_changed_tables(benchmark::State& state) {
    const Prepared prepared;
    const auto simulator = TableSimulator::make("hsw", 1).value();
    const std::array codes{&prepared.code};
    const auto classes = simulator->classes(codes).value().front().value();
    SimulatorTable table = simulator->original();
    Random random(1);
    for (const std::size_t place : classes)
        table.classes[place].values =
            sample_class(simulator->original(), table, place, TableSampling::AroundTable, random);
    const std::array queries{query_of(prepared.code, classes, table)};
    for (auto _ : state)
        benchmark::DoNotOptimize(simulator->cycles(queries, usual_iterations, {}));
    count_blocks(state);
}

void explain(benchmark::State& state) {
    const Prepared prepared;
    constexpr std::string_view text =
        "instruction,throughput_cycles\n\"MOV (R64, M64)\",0.5\n\"MOV (M64, R64)\",1\n"
        "LEA_B_IS (R64),0.5\n\"ADD_01 (R64, R64)\",0.25\n";
    const CrudeModel model(ThroughputTable::read(CsvTable::of_text("table", text).value()).value());
    const BlockEditor editor = BlockEditor::make(prepared.decoder, prepared.code).value();
    for (auto _ : state)
        benchmark::DoNotOptimize(explain_block(model, editor, {.tolerance = 0.01}));
    count_blocks(state);
}

BENCHMARK(decode);
BENCHMARK(print_and_assemble);
BENCHMARK(predict_bound);
BENCHMARK_CAPTURE(predict_mca, reciprocal_throughput, McaFigure::ReciprocalThroughput);
BENCHMARK_CAPTURE(predict_mca, total_cycles, McaFigure::TotalCycles);
BENCHMARK(simulate_with_changed_tables);
BENCHMARK(explain)->Unit(benchmark::kMillisecond);

} // namespace
} // namespace sparsight
