#include "kernel/kernel_runner.h"

#include <condition_variable>
#include <cstring>
#include <mutex>
#include <thread>

namespace sparsight {

namespace {

constexpr std::int64_t zeroed_at_once = 1 << 16; ///< floats, so that threads share out large outputs

void zero_part(KernelContext* context, const std::int64_t*, std::int64_t begin, std::int64_t end) {
    std::memset(context->c + begin, 0, static_cast<std::size_t>(end - begin) * sizeof(float));
}

void zero_output(KernelContext* context) {
    context->team->run(context, zero_part, nullptr, 0, context->c_size, zeroed_at_once);
}

void run_parallel(KernelContext* context, ParallelBody body, const std::int64_t* captured, std::int64_t begin,
                  std::int64_t end) {
    context->team->run(context, body, captured, begin, end, context->chunk);
}

} // namespace

KernelRunner::KernelRunner(CompiledKernel kernel, const KernelOperands& operands, std::int64_t chunk,
                           Team& team)
    : kernel_(std::move(kernel)) {
    context_.a = operands.a.values.data();
    context_.b = operands.b.data();
    context_.d = operands.d.data();
    context_.c = operands.c.data();
    for (std::size_t level = 0; level < operands.a.levels.size(); ++level) {
        context_.pos[level] = operands.a.levels[level].pos.data();
        context_.crd[level] = operands.a.levels[level].crd.data();
    }
    context_.run_parallel = run_parallel;
    context_.zero_output = zero_output;
    context_.c_size = std::ssize(operands.c);
    context_.chunk = chunk;
    context_.team = &team;
}

bool KernelRunner::run_within(Milliseconds longest) {
    {
        const std::jthread alarm([this, longest](const std::stop_token& ended) {
            std::mutex mutex;
            std::unique_lock lock(mutex);
            std::condition_variable_any never;
            never.wait_for(lock, ended, longest, [] { return false; });
            if (!ended.stop_requested())
                context_.abandoned = 1;
        });
        run();
    }
    return context_.abandoned.exchange(0) != KernelContext::left_early;
}

} // namespace sparsight
