// Microarchitectures of x86-64 by the short names that measurements of blocks use.
#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace sparsight {

struct Microarchitecture {
    std::string_view name;            ///< "skl"
    std::string_view title;           ///< "Skylake"
    std::string_view llvm;            ///< LLVM's name of it: "skylake"
    std::string_view uops_info;       ///< that of the tables of uops.info; empty: they lack it
    std::string_view osaca;           ///< that of OSACA's tables, where their ports are known to fit
    bool has_known_front_end = false; ///< FrontEnd describes it
    bool has_skylake_decoders = false;
};

inline constexpr std::array<Microarchitecture, 10> microarchitectures{
    {{"snb", "Sandy Bridge", "sandybridge", "", "snb", true},
     {"ivb", "Ivy Bridge", "ivybridge", "", "ivb", true},
     {"hsw", "Haswell", "haswell", "haswell", "", true},
     {"bdw", "Broadwell", "broadwell", "broadwell", "", true},
     {"skl", "Skylake", "skylake", "skylake", "", true, true},
     {"skx", "Skylake-X", "skylake-avx512", "cascadelake", "", true, true},
     {"icl", "Ice Lake", "icelake-client", "icelake", ""},
     {"zenp", "Zen+", "znver1", "zen", ""},
     {"zen2", "Zen 2", "znver2", "zen2", ""},
     {"zen3", "Zen 3", "znver3", "zen3", ""}}};

/// By its short name or LLVM's.
[[nodiscard]] constexpr std::optional<Microarchitecture> find_microarchitecture(std::string_view name) {
    for (const Microarchitecture& each : microarchitectures)
        if (each.name == name || each.llvm == name)
            return each;
    return std::nullopt;
}

} // namespace sparsight
