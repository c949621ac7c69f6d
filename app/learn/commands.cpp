#include "learn/commands.h"

#include "command/learn_program.h"
#include "command/program.h"

#include <algorithm>
#include <string_view>
#include <vector>

namespace sparsight {

namespace {

constexpr std::string_view program_description =
    "Trains cost models on measured times of configurations, adapts them to new machines, and lets\n"
    "them choose for workloads that they never saw.";

constexpr std::string_view program_examples = R"(
sparsight-cli train --name first
sparsight-cli finetune --model first --machine laptop --name first-laptop
sparsight-cli search --model first --workload bcsstk17
sparsight-cli reasons --model first --matrix bcsstk17 --schedule best
sparsight-cli models list)";

} // namespace

int run_learner(Learner&& learner, int argc, char** argv) {
    std::string name = called_name(argc, argv);
    if (name.empty())
        name = learner_program;
    const auto add_commands = [&learner](CLI::App& app, Session& session) {
        add_train_command(app, session, learner.learning, learner.presets);
        add_finetune_command(app, session, learner.learning);
        add_models_command(app, session, learner.learning, learner.foreign_models);
        add_search_command(app, session, learner.learning);
        add_reasons_command(app, session, learner.learning, learner.reasons);
        add_advise_command(app, session, learner.learning);
        add_predict_command(app, session, learner.learning, learner.predictions);
        add_serve_command(app, session, learner.learning, learner.given_workloads);
        add_hardware_command(app, session, learner.learning);
        add_tuners_command(app, session, learner.learning);
        for (const auto add : learner.commands)
            add(app, session, learner.learning);
    };
    // The flag by which another program starts it is the command of that name.
    std::string serve = "serve";
    std::vector<char*> words(argv, argv + argc);
    std::ranges::replace_if(
        words, [](const char* word) { return std::string_view(word) == "--serve"; }, serve.data());
    words.push_back(nullptr);
    return run_program({std::move(name), program_description, program_examples, add_commands},
                       std::move(learner.domains), argc, words.data());
}

} // namespace sparsight
