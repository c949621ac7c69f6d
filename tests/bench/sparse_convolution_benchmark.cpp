// sparse_convolution_benchmark [--threads N] [--runs N] [--nnz N]
// WACONet's convolutions, forward and backward, against their floating-point operations at the rate that
// LibTorch multiplies dense matrices with in the same run, and the neighbour tables of its kernel maps by
// vector instructions against the same without, for banded, block and uniform patterns of 10,000
// to 1,000,000 non-zeros (or of N). Prints one JSON object: times are medians in ms, rates in GFLOP/s, memory
// in MB. Warm times are of what the process has done before; kernel maps are built cold, too: first in a
// fresh process, three times, two seconds after the last one, by when a hypervisor has taken back what memory
// it takes back.

#include "base/parallel.h"
#include "domains/sparse/tensor/generators/generator.h"
#include "model/convolution/convolution_pass.h"
#include "model/convolution/sparse_convolution.h"
#include "model/vector_instructions.h"

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/randn.h>
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fmt/format.h>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <sys/resource.h>
#include <thread>
#include <torch/csrc/autograd/autograd.h>
#include <unistd.h>

namespace {

using namespace sparsight;
using nlohmann::json;

struct BenchmarkSettings {
    int threads = available_threads();
    int runs = 9;
    std::vector<std::int64_t> sizes{10'000, 100'000, 1'000'000};
    std::string cold; ///< a family: only its kernel maps are built, once
};

BenchmarkSettings parse(int count, char** words) {
    BenchmarkSettings settings;
    for (int at = 1; at + 1 < count; at += 2) {
        const std::string word = words[at];
        const std::int64_t value = std::atoll(words[at + 1]);
        if (word == "--threads")
            settings.threads = static_cast<int>(value);
        else if (word == "--runs")
            settings.runs = static_cast<int>(value);
        else if (word == "--nnz")
            settings.sizes = {value};
        else if (word == "--cold")
            settings.cold = words[at + 1];
    }
    return settings;
}

/// An OpenBLAS older than the processor takes its slowest code for it; the rate to compare with is what the
/// processor can do. It reads this only when the process starts.
void choose_blas_code(char** words) {
    if (widest_vector_instructions() != VectorInstructions::Avx512 ||
        std::getenv("OPENBLAS_CORETYPE") != nullptr)
        return;
    setenv("OPENBLAS_CORETYPE", "SKYLAKEX", 1);
    execv("/proc/self/exe", words);
}

double milliseconds(const std::function<void()>& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

double median(std::vector<double> values) {
    std::ranges::sort(values);
    return values[values.size() / 2];
}

double median_time(int runs, const std::function<void()>& work) {
    std::vector<double> times;
    for (int run = 0; run < runs; ++run)
        times.push_back(milliseconds(work));
    return median(times);
}

double product_rate(std::int64_t m, std::int64_t k, std::int64_t n, int runs) {
    const at::Tensor a = at::rand({m, k});
    const at::Tensor b = at::rand({k, n});
    const double time = median_time(runs, [&] { (void)at::mm(a, b); });
    return 2.0 * static_cast<double>(m * k * n) / time / 1e6;
}

/// The most memory that the process had since the last call.
double take_peak_megabytes() {
    double kilobytes = 0;
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;)
        if (word == "VmHWM:")
            status >> kilobytes;
    std::ofstream("/proc/self/clear_refs") << 5;
    return kilobytes / 1024;
}

struct Family {
    const char* name;
    std::function<Result<CsrPattern>(double nnz)> build;
};

const std::vector<Family> families{
    {"banded",
     [](double nnz) {
         return generate_matrix("banded", {{"size", std::round(nnz / 21)}, {"lower", 10}, {"upper", 10}}, 1);
     }},
    {"block",
     [](double nnz) {
         const double side = std::round(std::sqrt(nnz * 20) / 8) * 8;
         return generate_matrix(
             "scattered-blocks",
             {{"rows", side}, {"cols", side}, {"block", 8}, {"blocks", std::round(nnz / 64)}, {"aligned", 1}},
             1);
     }},
    {"uniform",
     [](double nnz) {
         const double side = std::round(nnz / 10);
         return generate_matrix("uniform", {{"rows", side}, {"cols", side}, {"density", nnz / side / side}},
                                1);
     }},
};

/// Of all threads of the process.
double processor_milliseconds() {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
}

long page_faults() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_minflt;
}

/// What a fresh process does: milliseconds, those of its processors, and page faults of its first kernel
/// maps.
int build_cold(const BenchmarkSettings& settings) {
    const auto family = std::ranges::find(families, settings.cold, &Family::name);
    const auto pattern = family == families.end()
                             ? Result<CsrPattern>(fail(Fault::Input, "no such family: " + settings.cold))
                             : family->build(static_cast<double>(settings.sizes.front()));
    if (!pattern) {
        std::fprintf(stderr, "%s\n", pattern.error().text().c_str());
        return 1;
    }
    const long before = page_faults();
    const double processor_before = processor_milliseconds();
    const double time = milliseconds([&] { (void)build_convolution_pyramid(*pattern, settings.threads); });
    std::printf("%.3f %.3f %ld\n", time, processor_milliseconds() - processor_before, page_faults() - before);
    return 0;
}

struct ColdBuilds {
    std::vector<double> times;
    std::vector<double> processor_times; ///< of all threads: other work on the computer does not lengthen it
    std::vector<double> faults;
};

ColdBuilds build_in_fresh_processes(const Family& family, std::int64_t nnz, int threads) {
    std::array<char, 4096> self{};
    if (readlink("/proc/self/exe", self.data(), self.size() - 1) < 0)
        return {};
    const std::string command =
        fmt::format("'{}' --cold {} --nnz {} --threads {}", self.data(), family.name, nnz, threads);
    ColdBuilds builds;
    for (int run = 0; run < 3; ++run) {
        std::this_thread::sleep_for(std::chrono::seconds(2));
        std::FILE* const fresh = popen(command.c_str(), "r");
        double time = 0;
        double processor = 0;
        double faults = 0;
        if (fresh != nullptr && std::fscanf(fresh, "%lf %lf %lf", &time, &processor, &faults) == 3) {
            builds.times.push_back(time);
            builds.processor_times.push_back(processor);
            builds.faults.push_back(faults);
        }
        if (fresh != nullptr)
            pclose(fresh);
    }
    return builds;
}

/// Of the neighbour tables of all layers; their coordinates are there already.
double table_time(const ConvolutionPyramid& pyramid, VectorInstructions set,
                  const BenchmarkSettings& settings) {
    return median_time(settings.runs, [&] {
        for (const auto& map : pyramid.maps)
            (void)inputs_of_outputs(map->inputs(), map->outputs(), map->kernel_size(), map->stride(),
                                    settings.threads, set);
    });
}

std::vector<at::Tensor> random_weights() {
    std::vector<at::Tensor> weights{(at::randn({25, 1, 32}) * 0.3).requires_grad_()};
    while (weights.size() < pyramid_layers)
        weights.push_back((at::randn({9, 32, 32}) * 0.1).requires_grad_());
    return weights;
}

/// Of the convolutions forward and backward; the first has no input whose gradient could be asked for.
double operations(const ConvolutionPyramid& pyramid) {
    double sum = 4.0 * 32 * static_cast<double>(pyramid.maps[0]->pair_count());
    for (std::size_t layer = 1; layer < pyramid.maps.size(); ++layer)
        sum += 6.0 * 32 * 32 * static_cast<double>(pyramid.maps[layer]->pair_count());
    return sum;
}

json measure(const Family& family, std::int64_t nnz, const BenchmarkSettings& settings) {
    const Result<CsrPattern> pattern = family.build(static_cast<double>(nnz));
    if (!pattern)
        return {{"pattern", family.name}, {"error", pattern.error().text()}};
    const ColdBuilds cold = build_in_fresh_processes(family, nnz, settings.threads);
    const auto workspaces = std::make_shared<ConvolutionWorkspaces>();
    ConvolutionPyramid pyramid;
    const auto build = [&](bool with_transposed) {
        pyramid = build_convolution_pyramid(*pattern, settings.threads, default_coordinate_limit, workspaces);
        for (std::size_t layer = 1; with_transposed && layer < pyramid.maps.size(); ++layer)
            (void)pyramid.maps[layer]->outputs_of_inputs();
    };
    build(true);
    const double map_time = median_time(settings.runs, [&] { build(false); });
    const double table_time_portable = table_time(pyramid, VectorInstructions::Portable, settings);
    const double table_time_vectors = table_time(pyramid, widest_vector_instructions(), settings);
    const double both_maps_time = median_time(settings.runs, [&] { build(true); });

    const std::vector<at::Tensor> weights = random_weights();
    std::vector<double> forward;
    std::vector<double> whole;
    std::vector<double> rates;
    (void)take_peak_megabytes();
    for (int run = 0; run <= settings.runs; ++run) {
        at::Tensor sum;
        const double there = milliseconds([&] { sum = convolution_means(weights, pyramid).sum(); });
        const double back = milliseconds([&] { (void)torch::autograd::grad({sum}, weights); });
        if (run == 0) // fresh memory
            continue;
        forward.push_back(there);
        whole.push_back(there + back);
        rates.push_back(std::max(product_rate(1024, 1024, 1024, 3), product_rate(20'000, 288, 32, 3)));
    }
    const double peak = take_peak_megabytes();
    const double floor = operations(pyramid) / median(rates) / 1e6;
    return {{"pattern", family.name},
            {"nnz", pattern->nnz()},
            {"coordinates", pyramid.coordinate_count()},
            {"halvings", pyramid.halvings},
            {"kernel maps ms", map_time},
            {"kernel maps cold ms", cold.times.empty() ? json() : json(median(cold.times))},
            {"kernel maps cold, all ms", cold.times},
            {"kernel maps cold, processor ms", cold.processor_times},
            {"page faults of them", cold.faults.empty() ? json() : json(median(cold.faults))},
            {"kernel maps of both directions ms", both_maps_time},
            {"neighbour tables ms", table_time_vectors},
            {"neighbour tables without vectors, ratio", table_time_portable / table_time_vectors},
            {"forward ms", median(forward)},
            {"forward and backward ms", median(whole)},
            {"operations", operations(pyramid)},
            {"matrix product GFLOP/s", median(rates)},
            {"ratio", median(whole) / floor},
            {"peak MB", peak}};
}

} // namespace

int main(int count, char** words) {
    choose_blas_code(words);
    const BenchmarkSettings settings = parse(count, words);
    if (!settings.cold.empty())
        return build_cold(settings);
    at::set_num_threads(settings.threads);
    at::manual_seed(1);
    json result{{"threads", settings.threads}, {"instruction set", name_of(widest_vector_instructions())}};
    for (const std::int64_t nnz : settings.sizes)
        for (const Family& family : families)
            result["cases"].push_back(measure(family, nnz, settings));
    std::printf("%s\n", result.dump(2).c_str());
}
