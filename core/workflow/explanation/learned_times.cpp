#include "workflow/explanation/learned_times.h"

#include "workflow/process/learn_process.h"

namespace sparsight {

Result<PredictedTimes> ask_for_learned_times(const LearnedTimesQuestion& question, const DomainWords& words,
                                             const ProgressSink& progress, const std::stop_token& stop) {
    std::vector<std::string> arguments{"predict", "--model", question.model, "--setting",
                                       question.setting.text};
    if (!question.machine.empty())
        arguments.insert(arguments.end(), {"--machine", question.machine});
    for (const auto& [workload, configuration] : question.pairs)
        arguments.insert(arguments.end(), {"--pair", workload, configuration});
    if (progress)
        progress({.stage = "asking " + question.model});
    const auto told =
        follow_learner({.workspace = question.workspace}, std::move(arguments), [](const Json&) {}, stop);
    if (!told)
        return std::unexpected(told.error());
    return parse_predicted_times(*told, words);
}

} // namespace sparsight
