// Packing 1 M non-zeros (100 000 × 100 000, about 10 a row) into typical formats, on 1 and 2 threads.
// ns_per_nnz is the figure to read; it includes planning and everything that is allocated.
#include "base/random.h"
#include "domains/sparse/kernel/storage/packing.h"

#include <benchmark/benchmark.h>
#include <chrono>
#include <stdexcept>
#include <string_view>

namespace sparsight {
namespace {

constexpr std::int64_t side = 100'000;

const CsrPattern& uniform_matrix() {
    static const CsrPattern matrix = [] {
        Random random(1);
        CooPattern coordinates{side, side, {}, {}, {}};
        for (int e = 0; e < 1'000'000; ++e) {
            coordinates.row_ids.push_back(static_cast<std::int32_t>(random.below(side)));
            coordinates.column_ids.push_back(static_cast<std::int32_t>(random.below(side)));
            coordinates.values.push_back(static_cast<float>(random.uniform()));
        }
        return compress(std::move(coordinates), 2).pattern;
    }();
    return matrix;
}

struct Case {
    std::string_view order;   ///< "i1 k1 i0 k0"
    std::string_view formats; ///< a letter for each level, in that order
    std::int64_t row_split;
    std::int64_t column_split;
};

StorageFormat format_of(const Case& what) {
    StorageFormat format{{side, side}, {}};
    for (std::size_t l = 0; l < what.formats.size(); ++l) {
        const bool is_row = what.order[3 * l] == 'i';
        const Part part = what.order[3 * l + 1] == '1' ? Part::Outer : Part::Inner;
        const std::int64_t split = is_row ? what.row_split : what.column_split;
        format.levels.push_back(
            {{is_row ? Index::I : Index::K, part},
             is_row ? 0U : 1U,
             split,
             part == Part::Outer ? (side + split - 1) / split : split,
             what.formats[l] == 'U' ? LevelFormat::Uncompressed : LevelFormat::Compressed});
    }
    return format;
}

void report_ns_per_nnz(benchmark::State& state, std::chrono::steady_clock::time_point begin) {
    const std::chrono::duration<double, std::nano> elapsed = std::chrono::steady_clock::now() - begin;
    state.counters["ns_per_nnz"] = elapsed.count() / static_cast<double>(state.iterations()) /
                                   static_cast<double>(uniform_matrix().nnz());
}

void pack_matrix(benchmark::State& state, const Case& what) {
    const CsrPattern& matrix = uniform_matrix();
    const StorageFormat format = format_of(what);
    PackingOptions options;
    options.threads = static_cast<int>(state.range(0));
    const auto begin = std::chrono::steady_clock::now();
    for ([[maybe_unused]] auto iteration : state) {
        auto packed = pack(matrix, format, options);
        if (!packed)
            throw std::runtime_error(packed.error().text());
        benchmark::DoNotOptimize(packed->values.data());
        state.counters["MiB"] = static_cast<double>(packed->bytes()) / (1 << 20);
    }
    report_ns_per_nnz(state, begin);
}

void predict_matrix(benchmark::State& state, const Case& what) {
    const CsrPattern& matrix = uniform_matrix();
    const StorageFormat format = format_of(what);
    const auto begin = std::chrono::steady_clock::now();
    for ([[maybe_unused]] auto iteration : state)
        benchmark::DoNotOptimize(predict_storage(matrix, format, static_cast<int>(state.range(0))));
    report_ns_per_nnz(state, begin);
}

constexpr Case csr{"i1 k1", "UC", 1, 1};
constexpr Case dcsr{"i1 k1", "CC", 1, 1};
constexpr Case bcsr{"i1 k1 i0 k0", "UCUU", 4, 4};
constexpr Case csc{"k1 i1", "UC", 1, 1};
constexpr Case mixed{"k1 i1 i0 k0", "CCCC", 16, 64};
constexpr Case row_inside{"i0 k0 i1 k1", "UUCC", 8, 8};
constexpr Case odd_splits{"i1 k1 k0 i0", "UCCC", 12, 20};

#define SPARSIGHT_PACKING(name, what)                                                                        \
    BENCHMARK_CAPTURE(name, what, what)->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMillisecond)

SPARSIGHT_PACKING(pack_matrix, csr);
SPARSIGHT_PACKING(pack_matrix, dcsr);
SPARSIGHT_PACKING(pack_matrix, bcsr);
SPARSIGHT_PACKING(pack_matrix, csc);
SPARSIGHT_PACKING(pack_matrix, mixed);
SPARSIGHT_PACKING(pack_matrix, row_inside);
SPARSIGHT_PACKING(pack_matrix, odd_splits);
SPARSIGHT_PACKING(predict_matrix, csr);
SPARSIGHT_PACKING(predict_matrix, mixed);

} // namespace
} // namespace sparsight
