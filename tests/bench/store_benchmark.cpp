// What a workspace costs: recording measurements one committed transaction each, listing them with names and
// speedups, resuming, importing tables of runtimes, and patterns in and out.
#include "base/random.h"
#include "domains/sparse/schedule/super_schedule.h"
#include "domains/sparse/schedule/text.h"
#include "domains/sparse/storage/pattern_codec.h"
#include "domains/sparse/storage/runtime_tables.h"
#include "domains/sparse/storage/schedules.h"
#include "store/workspace.h"

#include <benchmark/benchmark.h>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <memory>
#include <optional>
#include <unistd.h>
#include <vector>

namespace sparsight {
namespace {

constexpr int measurement_count = 10'000;
constexpr int matrix_count = 100;

SuperSchedule numbered_schedule(int number) {
    SuperSchedule schedule = fixed_csr(Operator::SpMM, 2);
    schedule.chunk = 32 + number;
    return schedule;
}

class EmptyWorkspace {
public:
    EmptyWorkspace()
        : path_(std::filesystem::temp_directory_path() /
                fmt::format("sparsight-benchmark-{}.sparsight", ::getpid())) {
        std::filesystem::remove(path_);
        workspace_ = Workspace::create(path_, "benchmark").value();
        for (int matrix = 0; matrix < matrix_count; ++matrix)
            matrices_.push_back(add_matrix_name(*workspace_, fmt::format("matrix_{}", matrix), "").value());
        machine_ = recorded_machine(*workspace_, "machine").value();
    }
    ~EmptyWorkspace() {
        workspace_.reset();
        std::filesystem::remove(path_);
    }

    Workspace& workspace() { return *workspace_; }
    [[nodiscard]] MeasurementSetting setting(int number) const {
        return {matrices_[static_cast<std::size_t>(number % matrix_count)], machine_};
    }
    Result<void> record(int number) {
        Measurement measurement;
        measurement.status = MeasurementStatus::Measured;
        measurement.median = Milliseconds(1 + number);
        return record_measurement(*workspace_, setting(number), numbered_schedule(number / matrix_count),
                                  measurement);
    }
    Result<void> fill() {
        return in_one_transaction(*workspace_, [&]() -> Result<void> {
            for (int number = 0; number < measurement_count; ++number)
                if (auto done = record(number); !done)
                    return done;
            return {};
        });
    }

private:
    std::filesystem::path path_;
    std::optional<Workspace> workspace_;
    std::vector<WorkloadId> matrices_;
    MachineId machine_{};
};

void record_each_alone(benchmark::State& state) {
    for (auto _ : state) {
        state.PauseTiming();
        auto files = std::make_unique<EmptyWorkspace>();
        state.ResumeTiming();
        for (int number = 0; number < measurement_count; ++number)
            if (!files->record(number))
                return state.SkipWithError("a measurement was not recorded");
        state.PauseTiming();
        files.reset();
        state.ResumeTiming();
    }
    state.SetItemsProcessed(state.iterations() * measurement_count);
}
BENCHMARK(record_each_alone)->Unit(benchmark::kMillisecond)->UseRealTime();

void record_all_at_once(benchmark::State& state) {
    for (auto _ : state) {
        state.PauseTiming();
        auto files = std::make_unique<EmptyWorkspace>();
        state.ResumeTiming();
        if (!files->fill())
            return state.SkipWithError("the measurements were not recorded");
        state.PauseTiming();
        files.reset();
        state.ResumeTiming();
    }
    state.SetItemsProcessed(state.iterations() * measurement_count);
}
BENCHMARK(record_all_at_once)->Unit(benchmark::kMillisecond)->UseRealTime();

void list_all_results(benchmark::State& state) {
    EmptyWorkspace files;
    if (!files.fill())
        return state.SkipWithError("the measurements were not recorded");
    for (auto _ : state) {
        const auto rows = list_results(files.workspace());
        if (!rows || rows->size() != measurement_count || !rows->back().speedup_over_fixed_csr)
            return state.SkipWithError("the results are not complete");
    }
    state.SetItemsProcessed(state.iterations() * measurement_count);
}
BENCHMARK(list_all_results)->Unit(benchmark::kMillisecond);

void list_all_runtimes(benchmark::State& state) {
    EmptyWorkspace files;
    if (!files.fill())
        return state.SkipWithError("the measurements were not recorded");
    const RuntimeSource source{files.setting(0).machine, Operator::SpMM, 256, "adaptive", 2};
    for (auto _ : state) {
        const auto runtimes = list_runtimes(files.workspace(), source);
        if (!runtimes || runtimes->size() != measurement_count)
            return state.SkipWithError("the runtimes are not complete");
    }
    state.SetItemsProcessed(state.iterations() * measurement_count);
}
BENCHMARK(list_all_runtimes)->Unit(benchmark::kMillisecond);

/// For the first time, and once more.
void import_table(benchmark::State& state) {
    const bool again = state.range(0) != 0;
    const auto path = std::filesystem::temp_directory_path() / fmt::format("sparsight-{}.csv", ::getpid());
    std::ofstream table(path);
    table << "matrix,schedule,ms\n";
    for (int number = 0; number < measurement_count; ++number)
        table << fmt::format("matrix_{},{},{}\n", number / matrix_count, to_text(numbered_schedule(number)),
                             1 + number);
    table.close();
    const TableImport request{.file = path, .machine = "machine"};
    for (auto _ : state) {
        state.PauseTiming();
        auto files = std::make_unique<EmptyWorkspace>();
        if (again && !import_runtime_table(files->workspace(), request))
            return state.SkipWithError("the table was not imported");
        state.ResumeTiming();
        const auto report = import_runtime_table(files->workspace(), request);
        if (!report || report->measurements != measurement_count)
            return state.SkipWithError("the table was not imported");
        state.PauseTiming();
        files.reset();
        state.ResumeTiming();
    }
    std::filesystem::remove(path);
    state.SetItemsProcessed(state.iterations() * measurement_count);
}
BENCHMARK(import_table)->ArgName("again")->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond)->UseRealTime();

void find_missing_schedules(benchmark::State& state) {
    EmptyWorkspace files;
    if (!files.fill())
        return state.SkipWithError("the measurements were not recorded");
    std::vector<SuperSchedule> wanted;
    for (int number = 0; number < measurement_count / matrix_count + 1; ++number)
        wanted.push_back(numbered_schedule(number));
    for (auto _ : state) {
        const auto missing = missing_schedules(files.workspace(), files.setting(0), Operator::SpMM, wanted);
        if (!missing || missing->size() != 1)
            return state.SkipWithError("not one schedule is missing");
    }
}
BENCHMARK(find_missing_schedules)->Unit(benchmark::kMicrosecond);

CsrPattern random_pattern(std::int64_t rows, std::int64_t per_row) {
    Random random(1);
    CooPattern coordinates;
    coordinates.rows = coordinates.cols = rows;
    for (std::int64_t row = 0; row < rows; ++row)
        for (std::int64_t e = 0; e < per_row; ++e) {
            coordinates.row_ids.push_back(static_cast<std::int32_t>(row));
            coordinates.column_ids.push_back(
                static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(rows))));
        }
    return compress(std::move(coordinates), 1).pattern;
}

void encode(benchmark::State& state) {
    const CsrPattern pattern = random_pattern(100'000, 10);
    std::size_t size = 0;
    for (auto _ : state)
        size = encode_pattern(pattern).value().structure.size();
    state.SetItemsProcessed(state.iterations() * pattern.nnz());
    state.counters["bytes_per_nonzero"] = static_cast<double>(size) / static_cast<double>(pattern.nnz());
}
BENCHMARK(encode)->Unit(benchmark::kMillisecond);

void decode(benchmark::State& state) {
    const CsrPattern pattern = random_pattern(100'000, 10);
    const auto encoded = encode_pattern(pattern).value();
    for (auto _ : state)
        if (decode_pattern({pattern.rows, pattern.cols, pattern.nnz()}, encoded.structure, {})
                .value()
                .nnz() != pattern.nnz())
            return state.SkipWithError("the pattern came back in part");
    state.SetItemsProcessed(state.iterations() * pattern.nnz());
}
BENCHMARK(decode)->Unit(benchmark::kMillisecond);

} // namespace
} // namespace sparsight
