// All commands of sparsight-learn. Each function adds one to the application and says what it does when it is
// chosen; the session and the domains outlive the application.
#pragma once

#include "study/domain.h"

namespace CLI {
class App;
} // namespace CLI

namespace sparsight {

class LearningDomains;
class Session;

void add_train_command(CLI::App& app, Session& session, const LearningDomains& domains);
void add_finetune_command(CLI::App& app, Session& session, const LearningDomains& domains);
void add_models_command(CLI::App& app, Session& session, const LearningDomains& domains);
void add_search_command(CLI::App& app, Session& session, const LearningDomains& domains);
void add_reasons_command(CLI::App& app, Session& session, const LearningDomains& domains);
void add_transfer_command(CLI::App& app, Session& session);

// Parts of `models`.
void add_models_list(CLI::App& models, Session& session, const LearningDomains& domains);
void add_models_show(CLI::App& models, Session& session, const LearningDomains& domains);
void add_models_export(CLI::App& models, Session& session, const LearningDomains& domains);
void add_models_import(CLI::App& models, Session& session, const LearningDomains& domains);
void add_models_remove(CLI::App& models, Session& session);

// sparsight-learn as a function: parses the command line, runs one command, returns the exit code.

/// `domains` are those of the program, the one of a new workspace first; `learning` has the same ones, and
/// outlives the call.
[[nodiscard]] int run_learner(DomainRegistry domains, const LearningDomains& learning, int argc, char** argv);

} // namespace sparsight
