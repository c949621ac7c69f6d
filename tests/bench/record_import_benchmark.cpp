// What importing tuning records costs: tables, logs and cache files of as many records, and the same records
// once more.
#include "domains/records/exchange/record_import.h"
#include "domains/records/formats/record_formats.h"
#include "store/workspace.h"
#include "support/test_files.h"

#include <benchmark/benchmark.h>
#include <filesystem>
#include <fmt/format.h>
#include <iterator>
#include <string>

namespace sparsight {
namespace {

constexpr int record_count = 100'000;

/// Of 20 workloads with 5,000 configurations.
std::string table_text() {
    std::string text = "workload,machine,x,y,unroll,time_ms\n";
    for (int i = 0; i < record_count; ++i)
        fmt::format_to(std::back_inserter(text), "w{},A,{},{},{},{}\n", i / 5000, i % 50, i / 50 % 50,
                       i / 2500 % 2, 1 + i % 977);
    return text;
}
std::string log_text() {
    std::string text;
    for (int i = 0; i < record_count; ++i)
        fmt::format_to(
            std::back_inserter(text),
            R"({{"input": ["cuda -model=A", "task{}", [["TENSOR", [8, 64], "float32"]], {{}}], )"
            R"("config": {{"index": 1, "code_hash": null, "entity": [["x", "sp", [-1, {}]], )"
            R"(["y", "sp", [-1, {}]], ["unroll", "ot", {}]]}}, "result": [[{}e-3], 0, 1.5, 159900.5], )"
            R"("version": 0.2, "tvm_version": "0.9.0"}})"
            "\n",
            i / 5000, i % 50, i / 50 % 50, i / 2500 % 2, 1 + i % 977);
    return text;
}
std::string cache_text() {
    std::string text =
        R"({"device_name": "A", "kernel_name": "k", "tune_params_keys": ["x", "y", "z"], "cache": {)";
    for (int i = 0; i < record_count; ++i)
        fmt::format_to(std::back_inserter(text),
                       R"({}"{},{},{}": {{"x": {}, "y": {}, "z": {}, "time": {}, "times": [1, 2, 3], )"
                       R"("compile_time": 440.9, "timestamp": "2024-02-03 10:00:00.000001+00:00"}})"
                       "\n",
                       i == 0 ? "" : ",", i % 50, i / 50 % 50, i / 2500, i % 50, i / 50 % 50, i / 2500,
                       1 + i % 977);
    return text + "}}";
}

void read_records(benchmark::State& state, const std::string& text) {
    for (auto _ : state) {
        const auto source = open_records(RecordFile::of_text("records", text)).value();
        RecordRow row;
        std::int64_t count = 0;
        while (source->next(row).value())
            ++count;
        if (count != record_count)
            state.SkipWithError("records are missing");
    }
    state.SetItemsProcessed(state.iterations() * record_count);
}

void import_text(benchmark::State& state, const std::string& text, bool is_there_before) {
    const testing::TemporaryFolder folder;
    const auto file = testing::write_file(folder / "records", text);
    int number = 0;
    for (auto _ : state) {
        state.PauseTiming();
        Workspace workspace =
            Workspace::create(folder / fmt::format("{}.sparsight", ++number), "benchmark").value();
        Observer nobody;
        if (is_there_before)
            (void)import_records(workspace, {.files = {file}}, nobody, {}).value();
        state.ResumeTiming();
        if (import_records(workspace, {.files = {file}}, nobody, {}).value().measurements != record_count)
            state.SkipWithError("records are missing");
    }
    state.SetItemsProcessed(state.iterations() * record_count);
}

BENCHMARK_CAPTURE(read_records, table, table_text())->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read_records, tvm_log, log_text())->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read_records, kernel_tuner_cache, cache_text())->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(import_text, table, table_text(), false)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(import_text, tvm_log, log_text(), false)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(import_text, table_again, table_text(), true)->Unit(benchmark::kMillisecond);

} // namespace
} // namespace sparsight
