#include "model/vector_set.h"

namespace sparsight {

std::string_view name_of(VectorSet set) {
    switch (set) {
    case VectorSet::Portable:
        return "portable";
    case VectorSet::Avx2:
        return "AVX2";
    case VectorSet::Avx512:
        return "AVX-512";
    }
    return "";
}

std::vector<VectorSet> supported_vector_sets() {
    std::vector<VectorSet> sets{VectorSet::Portable};
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        sets.push_back(VectorSet::Avx2);
    if (__builtin_cpu_supports("avx512f"))
        sets.push_back(VectorSet::Avx512);
#endif
    return sets;
}

VectorSet widest_vector_set() {
    return supported_vector_sets().back();
}

} // namespace sparsight
