#include "model/vector_instructions.h"

namespace sparsight {

std::string_view name_of(VectorInstructions set) {
    switch (set) {
    case VectorInstructions::Portable:
        return "portable";
    case VectorInstructions::Avx2:
        return "AVX2";
    case VectorInstructions::Avx512:
        return "AVX-512";
    }
    return "";
}

std::vector<VectorInstructions> supported_vector_instructions() {
    std::vector<VectorInstructions> sets{VectorInstructions::Portable};
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        sets.push_back(VectorInstructions::Avx2);
    if (__builtin_cpu_supports("avx512f"))
        sets.push_back(VectorInstructions::Avx512);
#endif
    return sets;
}

VectorInstructions widest_vector_instructions() {
    return supported_vector_instructions().back();
}

} // namespace sparsight
