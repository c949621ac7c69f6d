// Microarchitectures of x86-64 by the short names that measurements of blocks use.
#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace sparsight {

struct Microarchitecture {
    std::string_view name;  ///< "skl"
    std::string_view title; ///< "Skylake"
    std::string_view llvm;  ///< LLVM's name of it: "skylake"
};

inline constexpr std::array<Microarchitecture, 10> microarchitectures{{{"snb", "Sandy Bridge", "sandybridge"},
                                                                       {"ivb", "Ivy Bridge", "ivybridge"},
                                                                       {"hsw", "Haswell", "haswell"},
                                                                       {"bdw", "Broadwell", "broadwell"},
                                                                       {"skl", "Skylake", "skylake"},
                                                                       {"skx", "Skylake-X", "skylake-avx512"},
                                                                       {"icl", "Ice Lake", "icelake-client"},
                                                                       {"zenp", "Zen+", "znver1"},
                                                                       {"zen2", "Zen 2", "znver2"},
                                                                       {"zen3", "Zen 3", "znver3"}}};

[[nodiscard]] constexpr std::optional<Microarchitecture> find_microarchitecture(std::string_view name) {
    for (const Microarchitecture& each : microarchitectures)
        if (each.name == name)
            return each;
    return std::nullopt;
}

} // namespace sparsight
