#include "workflow/explanation/learned_times.h"

#include "base/text.h"
#include "workflow/process/learn_process.h"

#include <algorithm>
#include <fmt/format.h>

namespace sparsight {

Result<void> check_answer(const LearnedTimesQuestion& question, const PredictedTimes& answer,
                          const DomainWords& words) {
    std::size_t told = 0;
    for (const PredictedWorkload& workload : answer.workloads)
        told += workload.times.size();
    if (told != question.pairs.size())
        return fail(
            Fault::Internal,
            fmt::format("{} was asked about {}, and the answer is about {}", question.model,
                        counted(question.pairs.size(), words.configuration.one, words.configuration.many),
                        told));
    const auto missing = std::ranges::find_if(
        question.pairs, [&](const auto& pair) { return answer.find(pair.first, pair.second) == nullptr; });
    if (missing != question.pairs.end())
        return fail(Fault::Internal, fmt::format("the answer of {} leaves out {} on {}", question.model,
                                                 missing->second, missing->first));
    return {};
}

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
    auto answer = parse_predicted_times(*told, words);
    if (!answer)
        return answer;
    if (auto checked = check_answer(question, *answer, words); !checked)
        return std::unexpected(std::move(checked).error());
    return answer;
}

} // namespace sparsight
