// The presets of `train`: settings that go well together. The command and the window's form take them from
// here.
#pragma once

#include <array>
#include <string_view>

namespace sparsight {

/// A preset: a name and what it sets.
struct Preset {
    std::string_view name;
    std::string_view summary;
    std::string_view values; ///< a JSON object of settings by name
};

inline constexpr std::array train_preset_table{
    Preset{"demo", "a model of statistics, in a minute", R"({
        "architecture": "statistics", "method": "supervised", "loss": "logistic", "epochs": 40,
        "rate": 0.001, "rate_schedule": "cosine", "longest_gradient": 1.0, "patience": 10})"},
    Preset{"report", "WACONet by the report's loop, machines A and B simulated", R"({
        "architecture": "waconet", "method": "report", "loss": "margin", "epochs": 80, "rate": 0.0001,
        "inner_steps": 1, "inner_rate": 0.01, "simulated": ["A", "B"], "patience": 10})"},
    Preset{"best", "WACONet that learns to learn six simulated machines, too; takes hours", R"({
        "architecture": "waconet", "method": "fomaml", "loss": "logistic", "epochs": 80, "rate": 0.001,
        "rate_schedule": "cosine", "longest_gradient": 1.0, "inner_steps": 3, "inner_rate": 0.05,
        "support_matrices": 5, "query_matrices": 10, "simulated": ["family:6"], "patience": 15})"},
};

} // namespace sparsight
