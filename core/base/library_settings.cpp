#include "base/library_settings.h"

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

struct LibrarySetting {
    const char* variable;
    const char* value;
};

std::vector<LibrarySetting> missing() {
    std::vector<LibrarySetting> settings{{"OMP_WAIT_POLICY", "passive"}};
    if (has_avx512())
        settings.push_back({"OPENBLAS_CORETYPE", "SKYLAKEX"});
    std::erase_if(settings, [](const LibrarySetting& each) { return std::getenv(each.variable) != nullptr; });
    return settings;
}

} // namespace

std::vector<std::string> missing_library_settings() {
    std::vector<std::string> texts;
    for (const LibrarySetting& each : missing())
        texts.push_back(std::string(each.variable) + '=' + each.value);
    return texts;
}

bool improve_library_settings() {
    bool improved = false;
    for (const LibrarySetting& each : missing())
        improved = ::setenv(each.variable, each.value, 0) == 0 || improved;
    return improved;
}

} // namespace sparsight
