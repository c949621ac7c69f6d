#include "cli/failures_output.h"

#include "base/plural.h"
#include "command/table.h"
#include "evaluation/failures/failure_json.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace sparsight {

namespace {

std::string failures_command(const FailuresRequest& request, const FailuresAnswer& answer) {
    return "sparsight-cli failures " + failures_options(request, answer);
}

std::string loss_text(double milliseconds) {
    return fmt::format("{:.3g} ms", milliseconds);
}

std::string case_time_text(const TimedSchedule& time) {
    return fmt::format("{}{:.4g}", time.is_at_least ? "> " : "", time.milliseconds);
}

std::string noise_text(Significance significance) {
    return significance == Significance::NoiseUnknown ? "noise unknown" : "";
}

/// Which decision, as far as the story does not say it.
std::string top_decision_text(const FailureCase& failure, Operator op) {
    if (!failure.diagnosis)
        return failure.undiagnosed;
    const BlamedDecision& top = failure.diagnosis->top();
    return fmt::format("{} {} → {}", name(top.decision, op), top.before, top.after);
}

std::string kinds_text(const FailureCase& failure) {
    std::vector<std::string_view> kinds;
    kinds.reserve(failure.signs.size());
    for (const FailureSign& sign : failure.signs)
        kinds.push_back(title(sign.kind));
    return fmt::format("{}", fmt::join(kinds, ", "));
}

std::string cases_text(const FailureStory& story, const FailuresAnswer& answer, std::size_t shown_cases) {
    Table table({{"  matrix"},
                 {"model"},
                 {"chosen ms", Align::Right},
                 {"against ms", Align::Right},
                 {"lost", Align::Right},
                 {"what"},
                 {"decision"},
                 {""}});
    const std::size_t shown = std::min(shown_cases, story.cases.size());
    for (const std::size_t place : std::span(story.cases).first(shown)) {
        const FailureCase& failure = answer.cases[place];
        const FailureSign& sign = failure.main();
        table.add_row({"  " + failure.matrix, failure.model_name, case_time_text(sign.chosen),
                       case_time_text(sign.against), fmt::format("{:.0f} %", 100 * sign.lost_share()),
                       kinds_text(failure), top_decision_text(failure, answer.op),
                       noise_text(sign.significance)});
    }
    std::string text = table.text();
    if (shown < story.cases.size())
        text += fmt::format("  and {} more\n", story.cases.size() - shown);
    return text;
}

} // namespace

Json failures_json(const FailuresRequest& request, const FailuresAnswer& answer) {
    Json stories = Json::array();
    for (const FailureStory& story : answer.stories)
        stories.push_back(story_json(story, answer.op, answer.cases));
    Json cases = Json::array();
    for (const FailureCase& failure : answer.cases)
        cases.push_back(failure_case_json(failure));
    return {{"evaluation", answer.run ? Json(static_cast<std::int64_t>(*answer.run)) : Json()},
            {"machine", answer.machine},
            {"operator", name(answer.op)},
            {"dense", dense_index(answer.op) ? Json(answer.dense) : Json()},
            {"simulated_on", answer.simulated_on ? Json(answer.simulated_on->name) : Json()},
            {"compared", answer.compared},
            {"stories", stories},
            {"cases", cases},
            {"remarks", answer.remarks},
            {"command", failures_command(request, answer)}};
}

std::string failures_text(const FailuresRequest& request, const FailuresAnswer& answer,
                          std::size_t shown_cases) {
    std::string text = answer.setting + "\n";
    if (answer.cases.empty())
        return text + fmt::format("\nNone of {} fails beyond the noise.\n",
                                  counted(answer.compared, "choice", "choices"));
    double lost = 0;
    for (const FailureCase& failure : answer.cases)
        lost += failure.main().lost_ms();
    text += fmt::format("{} of {} fail, {} lost in all: {}\n", answer.cases.size(),
                        counted(answer.compared, "choice", "choices"), loss_text(lost),
                        counted(answer.stories.size(), "story", "stories"));
    std::size_t number = 0;
    for (const FailureStory& story : answer.stories)
        text += fmt::format("\n{}. {} ({} lost)\n{}", ++number, story_sentence(story, answer.op),
                            loss_text(story.lost_ms), cases_text(story, answer, shown_cases));
    return text + "\nto reproduce: " + failures_command(request, answer) + "\n";
}

} // namespace sparsight
