// What all programs know about learning, without LibTorch.
//
// Presets of `train` are settings that fit together. The command and the window's form take them from here
// and from the domains.
#pragma once

#include <array>
#include <string_view>

namespace sparsight {

/// The program that trains and searches.
inline constexpr const char* learner_program = "sparsight-learn";

/// Its commands of the experiments on transfer between machines and on tuners.
inline constexpr std::string_view hardware_command = "hardware";
inline constexpr std::string_view tuners_command = "tuners";

/// A preset: a name and the settings that it makes.
struct Preset {
    std::string_view name;
    std::string_view summary;
    std::string_view values; ///< a JSON object of settings by name
};

inline constexpr std::array general_presets{
    Preset{"demo", "the smallest network, from what was measured, in a minute", R"({
        "method": "supervised", "loss": "logistic", "epochs": 40, "rate": 0.001,
        "rate_schedule": "cosine", "longest_gradient": 1.0, "patience": 10})"},
};

} // namespace sparsight
