// The commands of sparsight-learn, which links the learning library; sparsight-cli, which starts faster
// without it, lists them and hands them over.
#pragma once

#include "workflow/learning_settings.h"

#include <array>
#include <string_view>

namespace sparsight {

struct CommandSummary {
    std::string_view name;
    std::string_view summary;
};

inline constexpr CommandSummary train_summary{"train", "Train a cost model on measurements"};
inline constexpr CommandSummary finetune_summary{"finetune", "Adapt a model to another machine"};
inline constexpr CommandSummary models_summary{"models", "List, show, exchange and remove models"};
inline constexpr CommandSummary search_summary{"search", "Let a model choose configurations for a workload"};
inline constexpr CommandSummary advise_summary{"advise", "Say which workloads a model learns most from"};
inline constexpr CommandSummary predict_summary{"predict", "Say what a model makes of given configurations"};
inline constexpr CommandSummary reasons_summary{"reasons", "Say why a model prefers a configuration"};

inline constexpr CommandSummary tune_simulator_summary{
    "tune-simulator", "Learn the parameters of LLVM-MCA from measured blocks"};

inline constexpr std::array learner_commands{train_summary,   finetune_summary,      models_summary,
                                             search_summary,  reasons_summary,       advise_summary,
                                             predict_summary, tune_simulator_summary};

} // namespace sparsight
