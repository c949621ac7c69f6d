#include "domains/sparse/kernel/lowering/loop_nest.h"

#include "base/quantity.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <string>

namespace sparsight {

namespace {

/// As the kernel's topology says; sysconf would tell a virtual machine of its host's caches. 0 where it is
/// not said.
std::int64_t last_cache_bytes() {
    std::int64_t last = 0;
    for (int index = 0;; ++index) {
        std::ifstream file(fmt::format("/sys/devices/system/cpu/cpu0/cache/index{}/size", index));
        std::string size; // "32768K"
        if (!(file >> size))
            return last;
        if (const auto bytes = parse_bytes(size))
            last = std::max(last, static_cast<std::int64_t>(*bytes));
    }
}

} // namespace

KernelTarget KernelTarget::of_this_computer() {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl"))
        return {16, 24, last_cache_bytes()};
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return {8, 12, last_cache_bytes()};
    return {4, 12, last_cache_bytes()};
#elif defined(__aarch64__)
    return {4, 24, last_cache_bytes()};
#else
    return {4, 8, last_cache_bytes()};
#endif
}

std::int64_t Affine::factor_of(Variable variable) const {
    const auto term = std::ranges::find(terms, variable, &Term::variable);
    return term == terms.end() ? 0 : term->factor;
}

Affine operator+(Affine left, const Affine& right) {
    for (const Affine::Term& term : right.terms) {
        const auto same = std::ranges::find(left.terms, term.variable, &Affine::Term::variable);
        if (same == left.terms.end())
            left.terms.push_back(term);
        else
            same->factor += term.factor;
    }
    left.constant += right.constant;
    return left;
}

Affine operator*(Affine affine, std::int64_t factor) {
    for (Affine::Term& term : affine.terms)
        term.factor *= factor;
    affine.constant *= factor;
    return affine;
}

} // namespace sparsight
