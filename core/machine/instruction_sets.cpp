#include "machine/instruction_sets.h"

#include <algorithm>
#include <array>
#include <utility>

namespace sparsight {

namespace {

/// Narrow before wide, x86 before ARM; the number is that of float32 lanes, 0 for what has no registers of
/// its own.
constexpr std::array known_sets{
    std::pair{std::string_view("sse2"), 4},         std::pair{std::string_view("sse4_2"), 4},
    std::pair{std::string_view("popcnt"), 0},       std::pair{std::string_view("bmi2"), 0},
    std::pair{std::string_view("f16c"), 0},         std::pair{std::string_view("avx"), 8},
    std::pair{std::string_view("fma"), 0},          std::pair{std::string_view("avx2"), 8},
    std::pair{std::string_view("avx_vnni"), 0},     std::pair{std::string_view("avx512f"), 16},
    std::pair{std::string_view("avx512dq"), 16},    std::pair{std::string_view("avx512bw"), 16},
    std::pair{std::string_view("avx512vl"), 16},    std::pair{std::string_view("avx512_vnni"), 16},
    std::pair{std::string_view("avx512_bf16"), 16}, std::pair{std::string_view("avx512_fp16"), 16},
    std::pair{std::string_view("amx_tile"), 0},     std::pair{std::string_view("asimd"), 4},
    std::pair{std::string_view("asimddp"), 4},      std::pair{std::string_view("asimdhp"), 4},
    std::pair{std::string_view("sve"), 0},          std::pair{std::string_view("sve2"), 0}};

} // namespace

std::vector<std::string> instruction_sets_among(std::string_view flags) {
    std::vector<std::string_view> words;
    while (!flags.empty()) {
        const std::size_t end = std::min(flags.find(' '), flags.size());
        words.push_back(flags.substr(0, end));
        flags.remove_prefix(std::min(end + 1, flags.size()));
    }
    std::vector<std::string> found;
    for (const auto& [set, lanes] : known_sets)
        if (std::ranges::find(words, set) != words.end())
            found.emplace_back(set);
    return found;
}

std::vector<std::string> running_instruction_sets() {
    std::string flags;
#if defined(__x86_64__)
    // The builtin takes literals only, so this is a list and not a loop over known_sets.
    if (__builtin_cpu_supports("sse2"))
        flags += "sse2 ";
    if (__builtin_cpu_supports("sse4.2"))
        flags += "sse4_2 ";
    if (__builtin_cpu_supports("popcnt"))
        flags += "popcnt ";
    if (__builtin_cpu_supports("bmi2"))
        flags += "bmi2 ";
    if (__builtin_cpu_supports("avx"))
        flags += "avx ";
    if (__builtin_cpu_supports("fma"))
        flags += "fma ";
    if (__builtin_cpu_supports("avx2"))
        flags += "avx2 ";
    if (__builtin_cpu_supports("avx512f"))
        flags += "avx512f ";
    if (__builtin_cpu_supports("avx512dq"))
        flags += "avx512dq ";
    if (__builtin_cpu_supports("avx512bw"))
        flags += "avx512bw ";
    if (__builtin_cpu_supports("avx512vl"))
        flags += "avx512vl ";
#elif defined(__aarch64__)
    flags = "asimd";
#endif
    return instruction_sets_among(flags);
}

int float_lanes(const std::vector<std::string>& instruction_sets) {
    int lanes = 1;
    for (const auto& [set, set_lanes] : known_sets)
        if (std::ranges::find(instruction_sets, set) != instruction_sets.end())
            lanes = std::max(lanes, set_lanes);
    return lanes;
}

} // namespace sparsight
