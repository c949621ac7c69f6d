// fixed_csr_benchmark [--threads N] [--dense N] [--runs N] [FILE…]
// Our fixed CSR SpMM against Eigen and librsb on the same matrices in the same run, in turns, so that a noisy
// machine is noisy for all of them. A library's threads go on spinning for a moment after its product and
// hold the cores of the next one, so each runs untimed until that is over. Prints one JSON object: times in
// ms, ratios of medians, their geometric means (below 1: we are faster).

#include "eigen_product.h"

#include "base/parallel.h"
#include "domains/sparse/clock/compiled_kernel.h"
#include "domains/sparse/kernel/measurement/kernel_inputs.h"
#include "domains/sparse/kernel/storage/packing.h"
#include "domains/sparse/tensor/generators/generator.h"
#include "domains/sparse/tensor/matrix_files.h"
#include "study/measurement.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>
#ifdef SPARSIGHT_HAS_LIBRSB
#include <rsb.h>
#endif

namespace {

using namespace sparsight;

#ifdef SPARSIGHT_HAS_LIBRSB

class LibrsbProduct final : public bench::LibraryProduct {
public:
    LibrsbProduct(const CsrPattern& pattern, std::int64_t dense, int threads) {
        rsb_lib_init(RSB_NULL_INIT_OPTIONS);
        rsb_int_t wanted = threads;
        rsb_lib_set_opt(RSB_IO_WANT_EXECUTING_THREADS, &wanted);
        const std::vector<rsb_nnz_idx_t> row_pointers(pattern.row_pointers.begin(),
                                                      pattern.row_pointers.end());
        rsb_err_t error = RSB_ERR_NO_ERROR;
        matrix_ = rsb_mtx_alloc_from_csr_const(
            pattern.values.data(), row_pointers.data(), pattern.column_ids.data(),
            static_cast<rsb_nnz_idx_t>(pattern.nnz()), RSB_NUMERICAL_TYPE_FLOAT,
            static_cast<rsb_coo_idx_t>(pattern.rows), static_cast<rsb_coo_idx_t>(pattern.cols), 0, 0,
            RSB_FLAG_NOFLAGS, &error);
        if (matrix_ != nullptr)
            rsb_tune_spmm(&matrix_, nullptr, nullptr, 0, 5.0, RSB_TRANSPOSITION_N, &one_, nullptr,
                          static_cast<rsb_coo_idx_t>(dense), RSB_FLAG_WANT_ROW_MAJOR_ORDER, nullptr, 0,
                          &zero_, nullptr, 0);
    }
    ~LibrsbProduct() override {
        rsb_mtx_free(matrix_);
        rsb_lib_exit(RSB_NULL_EXIT_OPTIONS);
    }
    LibrsbProduct(const LibrsbProduct&) = delete;
    LibrsbProduct& operator=(const LibrsbProduct&) = delete;

    [[nodiscard]] bool usable() const { return matrix_ != nullptr; }

    void run(std::span<const float> b, std::span<float> c, std::int64_t dense) override {
        const auto columns = static_cast<rsb_coo_idx_t>(dense);
        rsb_spmm(RSB_TRANSPOSITION_N, &one_, matrix_, columns, RSB_FLAG_WANT_ROW_MAJOR_ORDER, b.data(),
                 columns, &zero_, c.data(), columns);
    }

private:
    rsb_mtx_t* matrix_ = nullptr;
    float one_ = 1;
    float zero_ = 0;
};

/// Its structure is tuned for this product by its own autotuner; null where it was not found when this was
/// built.
std::unique_ptr<bench::LibraryProduct> librsb_product(const CsrPattern& pattern, std::int64_t dense,
                                                      int threads) {
    auto product = std::make_unique<LibrsbProduct>(pattern, dense, threads);
    if (!product->usable())
        return nullptr;
    return product;
}

#else

std::unique_ptr<bench::LibraryProduct> librsb_product(const CsrPattern&, std::int64_t, int) {
    return nullptr;
}

#endif

struct BenchmarkSettings {
    int threads = available_threads();
    std::int64_t dense = 256;
    int runs = 21;
    std::vector<std::string> files;
};

BenchmarkSettings parse(int count, char** words) {
    BenchmarkSettings settings;
    for (int at = 1; at < count; ++at) {
        const std::string word = words[at];
        if (word.starts_with("--") && at + 1 < count) {
            const int value = std::atoi(words[++at]);
            if (word == "--threads")
                settings.threads = value;
            else if (word == "--dense")
                settings.dense = value;
            else if (word == "--runs")
                settings.runs = value;
        } else {
            settings.files.push_back(word);
        }
    }
    return settings;
}

std::vector<LoadedMatrix> load(const BenchmarkSettings& settings) {
    std::vector<LoadedMatrix> matrices;
    for (const std::string& file : settings.files) {
        if (auto loaded = read_matrix(file))
            matrices.push_back(std::move(*loaded));
        else
            std::fprintf(stderr, "%s\n", loaded.error().text().c_str());
    }
    if (!settings.files.empty())
        return matrices;
    for (const char* family : {"stencil-2d", "power-law", "uniform", "pruned-block"})
        if (auto pattern = generate_matrix(family, {}, 1))
            matrices.push_back({family, std::move(*pattern), {}});
    return matrices;
}

/// libgomp's threads spin 300,000 times (GOMP_SPINCOUNT) before they sleep: 14 ms where a pause takes 140
/// cycles.
constexpr Milliseconds others_spin{40};

Milliseconds time_alone(const MillisecondClock& now, const std::function<void()>& product) {
    const Milliseconds turn = now();
    do
        product();
    while (now() - turn < others_spin);
    const Milliseconds start = now();
    product();
    return now() - start;
}

nlohmann::ordered_json compare(const LoadedMatrix& matrix, const BenchmarkSettings& settings,
                               KernelCompiler& compiler, Team& team, std::vector<double>& eigen_ratios,
                               std::vector<double>& librsb_ratios) {
    auto workload = KernelInputs::make(matrix.pattern, Operator::SpMM, settings.dense, settings.threads);
    if (!workload)
        return {{"matrix", matrix.name}, {"error", workload.error().text()}};
    const SuperSchedule schedule = fixed_csr(Operator::SpMM, settings.threads);
    const auto packed =
        pack(workload->pattern(), storage_format(schedule, matrix.pattern.rows, matrix.pattern.cols), {});
    const auto kernel = compiler.compile(lower(schedule, workload->extents(), compiler.target()));
    if (!packed || !kernel)
        return {{"matrix", matrix.name}, {"error", "the kernel could not be built"}};
    const auto operands = workload->operands(*packed);
    if (!operands)
        return {{"matrix", matrix.name}, {"error", operands.error().text()}};
    KernelRunner ours(*kernel, *operands, schedule.chunk, team);
    ours.run();
    if (const auto right = workload->verify(*packed); !right)
        return {{"matrix", matrix.name}, {"error", right.error().text()}};

    const auto eigen = bench::eigen_product(workload->pattern(), settings.threads);
    const auto librsb = librsb_product(workload->pattern(), settings.dense, settings.threads);
    const MillisecondClock now = steady_clock();
    std::vector<Milliseconds> our_times;
    std::vector<Milliseconds> eigen_times;
    std::vector<Milliseconds> librsb_times;
    for (int run = 0; run < settings.runs; ++run) {
        our_times.push_back(time_alone(now, [&] { ours.run(); }));
        eigen_times.push_back(time_alone(now, [&] { eigen->run(operands->b, operands->c, settings.dense); }));
        if (librsb)
            librsb_times.push_back(
                time_alone(now, [&] { librsb->run(operands->b, operands->c, settings.dense); }));
    }
    nlohmann::ordered_json row{{"matrix", matrix.name},
                               {"rows", matrix.pattern.rows},
                               {"cols", matrix.pattern.cols},
                               {"nnz", matrix.pattern.nnz()},
                               {"sparsight_ms", median_of(our_times).count()},
                               {"eigen_ms", median_of(eigen_times).count()}};
    eigen_ratios.push_back(median_of(our_times) / median_of(eigen_times));
    row["over_eigen"] = eigen_ratios.back();
    if (librsb) {
        librsb_ratios.push_back(median_of(our_times) / median_of(librsb_times));
        row["librsb_ms"] = median_of(librsb_times).count();
        row["over_librsb"] = librsb_ratios.back();
    }
    return row;
}

nlohmann::ordered_json geometric_mean(const std::vector<double>& ratios) {
    if (ratios.empty())
        return nullptr;
    double logarithms = 0;
    for (const double ratio : ratios)
        logarithms += std::log(ratio);
    return std::exp(logarithms / static_cast<double>(ratios.size()));
}

} // namespace

int main(int count, char** words) {
    const BenchmarkSettings settings = parse(count, words);
    auto compiler = KernelCompiler::make();
    if (!compiler) {
        std::fprintf(stderr, "%s\n", compiler.error().text().c_str());
        return 1;
    }
    Team team(settings.threads);
    std::vector<double> eigen_ratios;
    std::vector<double> librsb_ratios;
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (const LoadedMatrix& matrix : load(settings))
        rows.push_back(compare(matrix, settings, *compiler, team, eigen_ratios, librsb_ratios));
    const nlohmann::ordered_json report{{"operator", "spmm"},
                                        {"dense", settings.dense},
                                        {"threads", settings.threads},
                                        {"matrices", rows},
                                        {"geomean_over_eigen", geometric_mean(eigen_ratios)},
                                        {"geomean_over_librsb", geometric_mean(librsb_ratios)}};
    std::printf("%s\n", report.dump(2).c_str());
    return 0;
}
