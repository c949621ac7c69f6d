// What the programs share about learning of matrices, without the library for it: presets of `train`, and the
// settings of the experiment on tasks.
#pragma once

#include "workflow/learning_settings.h"

#include <array>
#include <string_view>

namespace sparsight {

/// They stand behind general_presets.
inline constexpr std::array sparse_presets{
    Preset{"quick-demo", "a model of statistics, meta-trained on six simulated machines, in a minute", R"({
        "architecture": "statistics", "method": "fomaml", "loss": "logistic", "epochs": 40, "rate": 0.001,
        "rate_schedule": "cosine", "longest_gradient": 1.0, "inner_steps": 3, "inner_rate": 0.05,
        "patience": 10, "simulated": ["family:6"], "machines": ["none"]})"},
    Preset{"report", "WACONet by the report's loop, machines A and B simulated", R"({
        "architecture": "waconet", "method": "report", "loss": "margin", "epochs": 80, "rate": 0.0001,
        "inner_steps": 1, "inner_rate": 0.01, "simulated": ["A", "B"], "patience": 10})"},
    Preset{"best", "WACONet that learns to learn six simulated machines, too; takes hours", R"({
        "architecture": "waconet", "method": "fomaml", "loss": "logistic", "epochs": 80, "rate": 0.001,
        "rate_schedule": "cosine", "longest_gradient": 1.0, "inner_steps": 3, "inner_rate": 0.05,
        "support_matrices": 5, "query_matrices": 10, "simulated": ["family:6"], "patience": 15})"},
    Preset{"gray-box", "the simulator and a network for what it misses, from 24 deviating machines", R"({
        "architecture": "gray-box", "method": "closed-form", "loss": "top", "epochs": 25, "rate": 0.001,
        "rate_schedule": "cosine", "longest_gradient": 1.0, "schedules_per_matrix": 60,
        "support_matrices": 25, "query_matrices": 6, "tasks_per_step": 2, "simulated": ["deviating:24"],
        "machines": ["none"]})"},
};

// The settings of the experiment on tasks: sparsight-learn runs it, sparsight-cli asks for it. Both make
// their options from here.

struct TransferSetting {
    std::string_view name;
    std::string_view fallback; ///< JSON; its kind is that of the setting
    std::string_view placeholder;
    std::string_view help;
};

inline constexpr std::array transfer_settings{
    TransferSetting{"targets", "[]", "NAMES",
                    "new machines: names or fingerprints, separated by commas\n(default: all that were "
                    "measured on enough matrices)"},
    TransferSetting{"sources", R"(["scratch", "paper", "family", "real", "family+real"])", "NAMES",
                    "sources of the meta-training (default: all)"},
    TransferSetting{"family", "16", "N", "sampled machines of the family (default 16)"},
    TransferSetting{"shots", R"(["0", "1", "5", "10", "25", "50", "100"])", "N,N",
                    "matrices of the new machine to learn from (default\n0,1,5,10,25,50,100)"},
    TransferSetting{"seeds", "5", "N", "random splits and first weights (default 5)"},
    TransferSetting{"steps", "100", "N",
                    "steps of meta-training; more for a source with fewer\nmatrices, up to the same number "
                    "of examples (default\n100)"},
    TransferSetting{
        "method", R"("fomaml")", "METHOD",
        "method of meta-training: supervised, maml, fomaml\n(default), reptile, anil, meta-sgd or report"},
    TransferSetting{"architecture", R"("statistics")", "NAME", "statistics (default) or waconet"},
    TransferSetting{"loss", R"("logistic")", "LOSS", "margin, logistic (default), listmle or log-squared"},
    TransferSetting{"rate", "0.001", "RATE", "rate in the first epoch of meta-training (default 0.001)"},
    TransferSetting{"inner_steps", "3", "N", "inner steps of meta-training (default 3)"},
    TransferSetting{"inner_rate", "0.05", "RATE", "inner rate of meta-training (default 0.05)"},
    TransferSetting{"support_matrices", "5", "N", "support matrices of an episode (default 5)"},
    TransferSetting{"query_matrices", "10", "N", "query matrices of an episode (default 10)"},
    TransferSetting{"tasks_per_step", "4", "N",
                    "machines of a step; at most as many as each source has\n(default 4)"},
    TransferSetting{"schedules_per_matrix", "32", "N", "configurations drawn for every step (default 32)"},
    TransferSetting{"longest_gradient", "1.0", "NORM",
                    "gradients of meta-training are clipped to this norm\n(default 1; 0: never)"},
    TransferSetting{"adam_rate", "0.001", "RATE", "rate of the fine-tuning (default 0.001)"},
    TransferSetting{"tuning_epochs", "30", "N",
                    "passes over the shots, the same for all sources\n(default 30)"},
    TransferSetting{"test_share", "0.3", "SHARE",
                    "share of the new machine's matrices for the test (default 0.3)"},
    TransferSetting{"operator", R"("spmm")", "OPERATOR", "spmm (default), spmv or sddmm"},
    TransferSetting{"dense", "256", "N", "extent of the dense index (default 256)"},
};

/// Of sparsight-learn; sparsight-cli has it as `experiment tasks`.
inline constexpr std::string_view transfer_command = "transfer";

} // namespace sparsight
