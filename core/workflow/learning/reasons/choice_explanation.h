// Asking a model why it prefers one configuration of a workload to another, in any domain.
#pragma once

#include "base/observer.h"
#include "base/quantity.h"
#include "evaluation/model_reasons/choice_reasons.h"
#include "learning/learning_domain.h"
#include "workflow/chosen_setting.h"

#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>

namespace sparsight {

class Workspace;

/// What stands for the fastest known configuration on the machine.
inline constexpr std::string_view best_configuration = "best";
/// … and for the one of all known ones that the model scores best.
inline constexpr std::string_view first_choice = "choice";

struct ChoiceQuestion {
    std::string model;
    std::string workload;
    std::string configuration; ///< its text, best_configuration or first_choice
    std::string against{};     ///< likewise; empty: best_configuration
    std::string machine{};     ///< name or fingerprint; empty: this computer, or the one with the most times
    SettingChoice setting{};   ///< what the model leaves open
    Seconds budget{60};
    std::uint64_t seed = 1;
    int threads = 1;
};

struct ExplainedChoice {
    const Domain* domain = nullptr; ///< of the model
    Setting setting;
    ChoiceReasons reasons;
};

/// The same for the same seed, unless the budget was over. Where there is no rule to search, as both are
/// scored alike, ChoiceReasons::missing says so. Errors (Input): a model, workload, machine or configuration
/// that there is not, both configurations are the same one; data that can't be read; Fault::Cancelled.
[[nodiscard]] Result<ExplainedChoice> explain_choice(Workspace& workspace, const LearningDomains& domains,
                                                     const ChoiceQuestion& question,
                                                     const std::stop_token& stop,
                                                     const ProgressSink& progress);

} // namespace sparsight
