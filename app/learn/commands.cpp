#include "learn/commands.h"

#include "command/learn_program.h"
#include "command/program.h"
#include "learn/commands.h"

namespace sparsight {

namespace {

constexpr std::string_view program_description =
    "Trains cost models on what schedules took on matrices and machines, adapts them to new machines,\n"
    "and lets them choose schedules for matrices that they never saw.";

constexpr std::string_view program_examples = R"(
sparsight-cli train --name first
sparsight-cli finetune --model first --machine laptop --name first-laptop
sparsight-cli search --model first --matrix bcsstk17
sparsight-cli reasons --model first --matrix bcsstk17 --schedule best
sparsight-cli models list)";

void add_commands(CLI::App& app, Session& session, const LearningDomains& domains) {
    add_train_command(app, session, domains);
    add_finetune_command(app, session, domains);
    add_models_command(app, session, domains);
    add_search_command(app, session, domains);
    add_reasons_command(app, session, domains);
    add_transfer_command(app, session);
}

} // namespace

int run_learner(DomainRegistry domains, const LearningDomains& learning, int argc, char** argv) {
    std::string name = called_name(argc, argv);
    if (name.empty())
        name = learner_program;
    return run_program(
        {std::move(name), program_description, program_examples,
         [&learning](CLI::App& app, Session& session) { add_commands(app, session, learning); }},
        std::move(domains), argc, argv);
}

} // namespace sparsight
