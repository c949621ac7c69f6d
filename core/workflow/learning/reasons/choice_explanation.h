// Asks a model why it prefers one configuration of a workload to another, in any domain.
#pragma once

#include "base/observer.h"
#include "base/quantity.h"
#include "evaluation/model_reasons/choice_reasons.h"
#include "workflow/learning/reasons/model_query.h"

#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>

namespace sparsight {

/// Stands for the fastest known configuration on the machine.
inline constexpr std::string_view best_configuration = "best";
/// Stands for the known configuration that the model scores best.
inline constexpr std::string_view first_choice = "choice";

struct ChoiceQuestion {
    ModelQuery query; ///< without a machine: this computer, or the machine with the most times
    std::string workload;
    std::string configuration; ///< its text, best_configuration or first_choice
    std::string against{};     ///< likewise; empty: best_configuration
    Seconds budget{60};
    std::uint64_t seed = 1;
};

struct ExplainedChoice {
    const Domain* domain = nullptr; ///< domain of the model
    Setting setting;
    ChoiceReasons reasons;
};

/// The result depends only on the seed, unless the time runs out. If both configurations have the same score,
/// there is no rule, and ChoiceReasons::missing says so. Errors (Input): an unknown model, workload, machine
/// or configuration; both configurations are the same; data that can't be read. Also Fault::Cancelled.
[[nodiscard]] Result<ExplainedChoice> explain_choice(Workspace& workspace, const LearningDomains& domains,
                                                     const ChoiceQuestion& question,
                                                     const std::stop_token& stop,
                                                     const ProgressSink& progress);

} // namespace sparsight
