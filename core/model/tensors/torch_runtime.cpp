#include "model/tensors/torch_runtime.h"

#include "base/memory.h"
#include "base/text.h"
#include "model/convolution/pair_kernels.h"
#include "model/vector_instructions.h"

#include <ATen/Parallel.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/ones.h>
#include <algorithm>
#include <c10/core/GradMode.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>
#include <c10/util/Exception.h>
#include <chrono>
#include <dlfcn.h>
#include <exception>
#include <filesystem>
#include <fmt/format.h>
#include <new>
#include <numeric>
#include <optional>
#include <sys/mman.h>
#include <system_error>
#include <torch/csrc/api/include/torch/version.h>
#include <vector>

namespace sparsight {

namespace {

/// The best of several turns: whatever else runs can only make a turn slower.
template <typename Work>
GigaflopsPerSecond best_rate(double operations, Work&& work) {
    constexpr int turns = 5;
    double best = 0;
    for (int turn = 0; turn < turns; ++turn) {
        const auto start = std::chrono::steady_clock::now();
        work();
        const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
        best = std::max(best, operations / time.count() / 1e9);
    }
    return GigaflopsPerSecond{best};
}

GigaflopsPerSecond measure_product_rate() {
    constexpr std::int64_t size = 256;
    const c10::NoGradGuard no_gradients;
    const at::Tensor a = at::ones({size, size});
    return best_rate(2.0 * size * size * size, [&] { (void)at::mm(a, a); });
}

GigaflopsPerSecond measure_kernel_rate() {
    constexpr int rows = 128;
    constexpr int rounds = 50;
    constexpr Channels channels{channel_block, channel_block};
    IndexBuffer indices(rows);
    std::iota(indices.begin(), indices.end(), 0);
    FloatBuffer input;
    FloatBuffer weight;
    FloatBuffer output;
    input.assign(rows * channels.in, 1);
    weight.assign(channels.in * channels.out, 1);
    output.assign(rows * channels.out, 0);
    const PairKernels<float> kernels = pair_kernels(channels, widest_vector_instructions(), float{});
    const PairList pairs{indices.data(), indices.data(), rows};
    return best_rate(2.0 * rounds * rows * static_cast<double>(channels.in * channels.out), [&] {
        for (int round = 0; round < rounds; ++round)
            kernels.add_products(pairs, channels, input.data(), weight.data(), output.data());
    });
}

Error not_enough_memory() {
    return {Fault::Limit, "not enough memory for the cost model", {}, 0};
}

/// OpenBLAS takes a buffer for each thread at its first product, and asks for it without end where it gets
/// none (blas_memory_alloc of 0.3.21).
bool has_memory_for_products(int threads) {
    constexpr std::size_t bytes = std::size_t{128} << 20;
    std::vector<void*> buffers; // and one more, for the matrices of the check itself
    while (std::ssize(buffers) <= threads) {
        void* const buffer =
            ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (buffer == MAP_FAILED)
            break;
        buffers.push_back(buffer);
    }
    for (void* const buffer : buffers)
        ::munmap(buffer, bytes);
    return std::ssize(buffers) > threads;
}

/// A product that is large enough for all threads, so that each has its buffer from now on.
void take_buffers() {
    constexpr std::int64_t size = 512;
    const c10::NoGradGuard no_gradients;
    const at::Tensor a = at::ones({size, size});
    (void)at::mm(a, a);
}

} // namespace

Result<TorchRuntime> prepare_torch(int threads) {
    threads = std::max(threads, 1);
    if (!has_memory_for_products(threads))
        return std::unexpected(not_enough_memory());
    return guarded([&] {
        TorchRuntime runtime;
        at::set_num_threads(1);
        runtime.product_rate = measure_product_rate();
        runtime.kernel_rate = measure_kernel_rate();
        runtime.warning = blas_warning(runtime.product_rate, runtime.kernel_rate);
        runtime.threads = threads;
        at::set_num_threads(threads);
        take_buffers();
        return runtime;
    });
}

namespace {

/// The library that answers to the name of a product: Debian chooses among several by links.
std::string blas_name() {
    if (void* const config = ::dlsym(RTLD_DEFAULT, "openblas_get_config"))
        return reinterpret_cast<const char* (*)()>(config)();
    Dl_info info{};
    void* const product = ::dlsym(RTLD_DEFAULT, "sgemm_");
    if (product == nullptr || ::dladdr(product, &info) == 0 || info.dli_fname == nullptr)
        return "part of LibTorch";
    std::error_code unresolved;
    const auto file = std::filesystem::canonical(info.dli_fname, unresolved);
    return unresolved ? std::string(info.dli_fname) : file.string();
}

} // namespace

std::map<std::string, std::string> computing_environment(int threads, int processes,
                                                         std::string_view device) {
    return {{"threads", fmt::to_string(threads)},
            {"processes", fmt::to_string(processes)},
            {"device", std::string(device)},
            {"libtorch", TORCH_VERSION},
            {"blas", blas_name()},
            {"vector_instructions", std::string(name_of(widest_vector_instructions()))}};
}

std::string blas_warning(GigaflopsPerSecond product_rate, GigaflopsPerSecond kernel_rate) {
    // A BLAS for half the vector width still reaches half of it.
    if (product_rate.value >= 0.45 * kernel_rate.value)
        return {};
    return fmt::format(
        "LibTorch multiplies matrices at {:.0f} GFLOP/s a thread, where this processor can do {:.0f} "
        "and more: its BLAS is slow. Install libopenblas0-openmp. If that is installed, it may be older "
        "than the processor: then set OPENBLAS_CORETYPE=SkylakeX (AVX-512) or Haswell (AVX2).",
        product_rate.value, kernel_rate.value);
}

namespace {

/// Its allocator for the CPU throws an error without a type of its own.
bool is_about_memory(std::string_view message) {
    return message.contains("can't allocate memory") || message.contains("out of memory");
}

} // namespace

Error error_in_flight() {
    try {
        throw;
    } catch (const std::bad_alloc&) {
        return not_enough_memory();
    } catch (const c10::Error& error) {
        const std::string_view message = error.what_without_backtrace();
        if (is_about_memory(message))
            return not_enough_memory();
        return {Fault::Internal, fmt::format("LibTorch: {}", message), {}, 0};
    } catch (const std::exception& error) {
        return {Fault::Internal, error.what(), {}, 0};
    }
}

namespace {

std::optional<at::Device> parse_device(std::string_view text) {
    const auto device = guarded([&] { return at::Device(std::string(text)); });
    if (!device || !(device->is_cpu() || device->is_cuda()))
        return std::nullopt;
    return *device;
}

} // namespace

Result<at::Device> usable_device(std::string_view text) {
    const auto device = parse_device(text);
    if (!device)
        return fail(Fault::Input, "expected cpu, cuda, or the number of a GPU, as in cuda:1");
    if (device->is_cpu())
        return *device;
    if (!c10::impl::hasDeviceGuardImpl(c10::DeviceType::CUDA))
        return fail(Fault::Input, "this LibTorch was built without CUDA; expected cpu");
    return guarded([&]() -> Result<at::Device> {
        const int count = c10::impl::getDeviceGuardImpl(c10::DeviceType::CUDA)->deviceCount();
        if (count == 0)
            return fail(Fault::Input, "CUDA finds no GPU here; expected cpu");
        if (device->has_index() && static_cast<unsigned char>(device->index()) >= count)
            return fail(Fault::Input, fmt::format("there is no such GPU: expected one of {}, counted from 0",
                                                  counted(count, "GPU", "GPUs")));
        return *device;
    });
}

std::string device_of_process(std::string_view usable, int local_rank) {
    const auto device = parse_device(usable);
    if (!device || !device->is_cuda() || device->has_index() ||
        !c10::impl::hasDeviceGuardImpl(c10::DeviceType::CUDA))
        return std::string(usable);
    const int count = c10::impl::getDeviceGuardImpl(c10::DeviceType::CUDA)->deviceCount();
    return count == 0 ? std::string(usable) : fmt::format("cuda:{}", local_rank % count);
}

} // namespace sparsight
