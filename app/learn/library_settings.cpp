#include "learn/library_settings.h"

#include <cstdlib>

namespace sparsight {

namespace {

/// What OpenBLAS's kernels for SkylakeX are compiled for.
bool has_avx512() {
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512cd") != 0 &&
           __builtin_cpu_supports("avx512bw") != 0 && __builtin_cpu_supports("avx512dq") != 0 &&
           __builtin_cpu_supports("avx512vl") != 0;
#else
    return false;
#endif
}

bool set_where_unset(const char* variable, const char* value) {
    return std::getenv(variable) == nullptr && ::setenv(variable, value, 0) == 0;
}

} // namespace

bool improve_library_settings() {
    bool changed = has_avx512() && set_where_unset("OPENBLAS_CORETYPE", "SKYLAKEX");
    changed = set_where_unset("OMP_WAIT_POLICY", "passive") || changed;
    return changed;
}

} // namespace sparsight
