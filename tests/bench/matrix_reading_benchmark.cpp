// Reading a Matrix Market file of 16-digit values: bytes of text a second with one and with all threads, next
// to the plain `ifstream >>` loop that everyone writes first, and how much memory it takes. Beside it, the
// text of a sparse tensor from memory, by one thread.
//
// What counts as memory: the growth of the process's resident set at its peak, while the file is read, over
// what it was before; the file itself is read through a small buffer, so its bytes are not part of it. The
// counter peak_over_pattern is that growth divided by the bytes of the finished pattern.
#include "base/parallel.h"
#include "base/random.h"
#include "domains/sparse/tensor/higher_order/tns_file.h"
#include "domains/sparse/tensor/matrix_files.h"

#include <algorithm>
#include <benchmark/benchmark.h>
#include <cstdlib>
#include <filesystem>
#include <fmt/compile.h>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <limits>
#include <malloc.h>
#include <string>
#include <unistd.h>
#include <vector>

namespace {

using sparsight::CsrPattern;

enum class Order { ByRow, ByColumn };

constexpr std::int64_t extent = 100'000;
constexpr std::int64_t entries = 1'000'000;

/// A file of about 37 MB, made once for a run and removed at its end.
class TextFile {
public:
    TextFile(Order order, bool with_values)
        : path_(std::filesystem::temp_directory_path() /
                fmt::format("sparsight-{}-{}-{}.mtx", ::getpid(), order == Order::ByRow ? "rows" : "columns",
                            with_values ? "real" : "pattern")) {
        sparsight::Random random(1);
        std::vector<std::int64_t> major(entries);
        std::ranges::generate(major, [&] { return random.between(1, extent); });
        std::ranges::sort(major);
        fmt::memory_buffer text;
        auto out = std::back_inserter(text);
        fmt::format_to(out, "%%MatrixMarket matrix coordinate {} general\n{} {} {}\n",
                       with_values ? "real" : "pattern", extent, extent, entries);
        for (const std::int64_t outer : major) {
            const std::int64_t inner = random.between(1, extent);
            const auto [row, column] =
                order == Order::ByRow ? std::pair(outer, inner) : std::pair(inner, outer);
            if (with_values)
                fmt::format_to(out, FMT_COMPILE("{} {} {:.15e}\n"), row, column, random.normal());
            else
                fmt::format_to(out, FMT_COMPILE("{} {}\n"), row, column);
        }
        std::ofstream(path_, std::ios::binary).write(text.data(), static_cast<std::streamsize>(text.size()));
        bytes_ = text.size();
    }
    TextFile(const TextFile&) = delete;
    TextFile& operator=(const TextFile&) = delete;
    ~TextFile() {
        std::error_code ignored;
        std::filesystem::remove(path_, ignored);
    }

    const std::filesystem::path& path() const { return path_; }
    std::int64_t bytes() const { return static_cast<std::int64_t>(bytes_); }

private:
    std::filesystem::path path_;
    std::size_t bytes_ = 0;
};

const TextFile& text_file(Order order, bool with_values) {
    static const TextFile real_by_row(Order::ByRow, true);
    static const TextFile real_by_column(Order::ByColumn, true);
    static const TextFile pattern_by_column(Order::ByColumn, false);
    if (!with_values)
        return pattern_by_column;
    return order == Order::ByRow ? real_by_row : real_by_column;
}

/// A number of kB out of /proc/self/status.
std::int64_t status_kilobytes(const std::string& name) {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with(name + ":"))
            return std::strtoll(line.c_str() + name.size() + 1, nullptr, 10);
    return 0;
}

std::int64_t bytes_of(const CsrPattern& pattern) {
    return static_cast<std::int64_t>(pattern.row_pointers.size() * sizeof(std::int64_t) +
                                     pattern.column_ids.size() * sizeof(std::int32_t) +
                                     pattern.values.size() * sizeof(float));
}

/// Peak growth of the resident set during one read, divided by the pattern's size; 0 where the kernel does
/// not let the peak be set back.
double peak_over_pattern(const TextFile& file, int threads) {
    ::malloc_trim(0);
    if (!(std::ofstream("/proc/self/clear_refs") << "5" << std::flush))
        return 0;
    const std::int64_t before = status_kilobytes("VmRSS");
    const auto loaded = sparsight::read_matrix(file.path(), {.threads = threads});
    const std::int64_t peak = status_kilobytes("VmHWM");
    constexpr double kilobyte = 1024;
    return loaded ? static_cast<double>(peak - before) * kilobyte /
                        static_cast<double>(bytes_of(loaded->pattern))
                  : 0;
}

void read_by_us(benchmark::State& state, Order order, bool with_values) {
    const TextFile& file = text_file(order, with_values);
    const auto threads = static_cast<int>(state.range(0));
    for (auto _ : state) {
        const auto loaded = sparsight::read_matrix(file.path(), {.threads = threads});
        if (!loaded || loaded->report.stored_entries != entries)
            state.SkipWithError("was not read");
        benchmark::DoNotOptimize(loaded);
    }
    state.SetBytesProcessed(state.iterations() * file.bytes());
    state.counters["peak_over_pattern"] = peak_over_pattern(file, threads);
}

/// A million entries of order 3, in order or not.
void read_tensor_text(benchmark::State& state) {
    sparsight::Random random(5);
    std::string text;
    constexpr int tensor_entries = 1'000'000;
    const bool is_sorted = state.range(0) != 0;
    for (int entry = 0; entry < tensor_entries; ++entry)
        text += is_sorted ? fmt::format("{} {} {} {:.4f}\n", entry / 10'000 + 1, entry / 100 % 100 + 1,
                                        entry % 100 + 1, random.uniform())
                          : fmt::format("{} {} {} {:.4f}\n", random.between(1, 10'000),
                                        random.between(1, 20'000), random.between(1, 5000), random.uniform());
    for (auto _ : state) {
        const auto loaded = sparsight::parse_tns(text, "t");
        if (!loaded || loaded->report.stored_entries != tensor_entries)
            state.SkipWithError("was not read");
        benchmark::DoNotOptimize(loaded);
    }
    state.SetBytesProcessed(state.iterations() * std::ssize(text));
}

/// Lines into coordinates, as the first program of everyone does it; not even sorted into a CSR.
void read_by_stream(benchmark::State& state) {
    const TextFile& file = text_file(Order::ByColumn, true);
    for (auto _ : state) {
        std::ifstream stream(file.path());
        stream.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
        std::int64_t rows = 0;
        std::int64_t cols = 0;
        std::int64_t count = 0;
        stream >> rows >> cols >> count;
        sparsight::CooPattern coordinates{rows, cols, {}, {}, {}};
        std::int32_t row = 0;
        std::int32_t column = 0;
        double value = 0;
        while (stream >> row >> column >> value) {
            coordinates.row_ids.push_back(row - 1);
            coordinates.column_ids.push_back(column - 1);
            coordinates.values.push_back(static_cast<float>(value));
        }
        if (coordinates.nnz() != count)
            state.SkipWithError("was not read");
        benchmark::DoNotOptimize(coordinates);
    }
    state.SetBytesProcessed(state.iterations() * file.bytes());
}

void threads_to_compare(benchmark::internal::Benchmark* benchmark) {
    benchmark->ArgName("threads")
        ->Arg(1)
        ->Unit(benchmark::kMillisecond)
        ->MeasureProcessCPUTime()
        ->UseRealTime();
    if (sparsight::available_threads() > 1)
        benchmark->Arg(sparsight::available_threads());
}

BENCHMARK_CAPTURE(read_by_us, real_by_column, Order::ByColumn, true)->Apply(threads_to_compare);
BENCHMARK_CAPTURE(read_by_us, real_by_row, Order::ByRow, true)->Apply(threads_to_compare);
BENCHMARK_CAPTURE(read_by_us, pattern_by_column, Order::ByColumn, false)->Apply(threads_to_compare);
BENCHMARK(read_tensor_text)->ArgName("sorted")->Arg(1)->Arg(0)->Unit(benchmark::kMillisecond);
BENCHMARK(read_by_stream)->Unit(benchmark::kMillisecond)->UseRealTime();

} // namespace
