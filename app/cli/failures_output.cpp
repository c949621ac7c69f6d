#include "cli/failures_output.h"

#include "command/table.h"
#include "evaluation/failures/failure_headline.h"
#include "evaluation/failures/failure_json.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace sparsight {

namespace {

std::string case_time_text(const TimedSchedule& time) {
    return fmt::format("{}{:.4g}", time.is_at_least ? "> " : "", time.milliseconds);
}

std::string noise_text(Significance significance) {
    return significance == Significance::NoiseUnknown ? "noise unknown" : "";
}

std::string kinds_text(const FailureCase& failure) {
    std::vector<std::string_view> kinds;
    kinds.reserve(failure.signs.size());
    for (const FailureSign& sign : failure.signs)
        kinds.push_back(title(sign.kind));
    return fmt::format("{}", fmt::join(kinds, ", "));
}

std::string cases_text(const FailureStory& story, const FailuresAnswer& answer, std::size_t shown_cases) {
    const bool is_simulated = story.times == TimeSource::Simulated;
    Table table({{"  matrix"},
                 {"model"},
                 {is_simulated ? "chosen, simulated ms" : "chosen ms", Align::Right},
                 {is_simulated ? "against, simulated ms" : "against ms", Align::Right},
                 {"behind", Align::Right},
                 {"what"},
                 {"decision"},
                 {""}});
    const std::size_t shown = std::min(shown_cases, story.cases.size());
    for (const std::size_t place : std::span(story.cases).first(shown)) {
        const FailureCase& failure = answer.cases[place];
        const FailureSign& sign = failure.main();
        table.add_row({"  " + failure.matrix, failure.model_name, case_time_text(sign.chosen),
                       case_time_text(sign.against), fmt::format("{:.0f} %", 100 * sign.lost_share()),
                       kinds_text(failure), cause_text(failure, answer.op), noise_text(sign.significance)});
    }
    std::string text = table.text();
    if (shown < story.cases.size())
        text += fmt::format("  and {} more\n", story.cases.size() - shown);
    return text;
}

} // namespace

Json failures_json(const Session& session, const FailuresRequest& request, const FailuresAnswer& answer) {
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
            {"stands_in", answer.stands_in},
            {"remarks", answer.remarks},
            {"command", "sparsight-cli failures " + failures_options(session, request, answer)}};
}

std::string failures_text(const Session& session, const FailuresRequest& request,
                          const FailuresAnswer& answer, std::size_t shown_cases) {
    std::string text = fmt::format("{}\n{}\n", answer.setting,
                                   failures_headline(answer.cases, answer.compared, answer.stories.size()));
    if (answer.cases.empty())
        return text;
    std::size_t number = 0;
    for (const FailureStory& story : answer.stories)
        text += fmt::format("\n{}. {} ({})\n{}", ++number, story_sentence(story, answer.op),
                            story_loss(story), cases_text(story, answer, shown_cases));
    return text + "\nto reproduce: sparsight-cli failures " + failures_options(session, request, answer) +
           "\n";
}

} // namespace sparsight
