#include "kernel/lowering.h"

namespace sparsight {

VectorUnit VectorUnit::of_this_computer() {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl"))
        return {16, 24};
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return {8, 12};
    return {4, 12};
#elif defined(__aarch64__)
    return {4, 24};
#else
    return {4, 8};
#endif
}

} // namespace sparsight
