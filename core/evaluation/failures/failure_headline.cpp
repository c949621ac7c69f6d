#include "evaluation/failures/failure_headline.h"

#include "base/plural.h"

#include <algorithm>
#include <fmt/format.h>

namespace sparsight {

std::string failures_headline(std::span<const FailureCase> cases, std::size_t compared, std::size_t stories) {
    const std::string choices = counted(compared, "choice", "choices");
    if (cases.empty())
        return fmt::format("None of {} fails beyond the noise.", choices);
    double lost = 0;
    for (const FailureCase& failure : cases)
        lost += failure.lost_ms();
    const auto wrong =
        std::ranges::count_if(cases, [](const FailureCase& each) { return each.lost_ms() <= 0; });
    const bool is_simulated = cases.front().times == TimeSource::Simulated;
    std::string text = fmt::format("{} of {} {}; {:.3g}{} ms are lost in all: {}.", cases.size(), choices,
                                   cases.size() == 1 ? "fails" : "fail", lost,
                                   is_simulated ? " simulated" : "", counted(stories, "story", "stories"));
    if (wrong > 0)
        text += fmt::format(" {} of them {} only wrong about {} own choices: nothing is lost by that.", wrong,
                            wrong == 1 ? "was" : "were", wrong == 1 ? "its" : "their");
    return text;
}

std::string cause_text(const FailureCase& failure, Operator op) {
    if (!failure.diagnosis)
        return failure.undiagnosed;
    if (!failure.diagnosis->names_a_cause())
        return fmt::format("the simulator says ×{:.3g}, not ×{:.3g}", failure.diagnosis->simulated_factor,
                           1 + failure.main().lost_share());
    const BlamedDecision& top = failure.diagnosis->top();
    return fmt::format("{}: {} → {}", name(top.decision, op), top.before, top.after);
}

} // namespace sparsight
