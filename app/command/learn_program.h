// The commands of sparsight-learn, which links the learning library; sparsight-cli, which starts faster
// without it, lists them and hands them over.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

inline constexpr const char* learner_program = "sparsight-learn";

struct CommandSummary {
    std::string_view name;
    std::string_view summary;
};

inline constexpr CommandSummary train_summary{"train", "Train a cost model on measurements"};
inline constexpr CommandSummary finetune_summary{"finetune", "Adapt a model to another machine"};
inline constexpr CommandSummary models_summary{"models", "List, show, exchange and remove models"};
inline constexpr CommandSummary search_summary{"search", "Let a model choose schedules for a matrix"};
inline constexpr CommandSummary reasons_summary{"reasons", "Say why a model prefers a schedule"};

inline constexpr std::array learner_commands{train_summary, finetune_summary, models_summary, search_summary,
                                             reasons_summary};

// What the libraries behind LibTorch are told by the environment, where the user has not told them.

/// As "VARIABLE=VALUE":
/// - OPENBLAS_CORETYPE=SKYLAKEX on processors with AVX-512: Debian's OpenBLAS does not know those that are
///   newer than itself, and multiplies matrices five times slower with what it falls back on.
/// - OMP_WAIT_POLICY=passive: threads that wait for work would otherwise take the processors from those that
///   have some.
/// The libraries read them when they are loaded, so they must stand in the environment that a program is
/// started with.
[[nodiscard]] std::vector<std::string> missing_library_settings();

/// Sets them for every program that this one starts or becomes; whether any was missing.
bool improve_library_settings();

} // namespace sparsight
