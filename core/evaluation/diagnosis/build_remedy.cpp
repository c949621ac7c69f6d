#include "evaluation/diagnosis/build_remedy.h"

#include "schedule/text.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace sparsight {

namespace {

DecisionSet with_other(DecisionSet hybrid, std::size_t bit) {
    return hybrid ^ DecisionSet { 1 } << bit;
}

} // namespace

Result<std::vector<Decision>> build_remedies(const HybridSpace& space, DecisionSet hybrid,
                                             HybridEvaluator& evaluator) {
    std::vector<Decision> remedies;
    for (std::size_t bit = 0; bit < space.decisions().size(); ++bit) {
        const auto time = evaluator.time(space.at(with_other(hybrid, bit)).schedule);
        if (!time)
            return std::unexpected(time.error());
        if (time->milliseconds)
            remedies.push_back(space.decisions()[bit]);
    }
    return remedies;
}

Result<std::string> unbuildable_text(const HybridSpace& space, DecisionSet hybrid, const std::string& reason,
                                     HybridEvaluator& evaluator) {
    const auto remedies = build_remedies(space, hybrid, evaluator);
    if (!remedies)
        return std::unexpected(remedies.error());
    std::vector<std::string> words;
    for (const Decision& decision : *remedies) {
        const auto bit = static_cast<std::size_t>(std::ranges::find(space.decisions(), decision) -
                                                  space.decisions().begin());
        words.push_back(fmt::format("{} {}", name(decision, space.from().op),
                                    value_of(decision, space.at(with_other(hybrid, bit)).schedule)));
    }
    return fmt::format("the schedule '{}' has no time that could be shared out: {}{}{}",
                       to_text(space.at(hybrid).schedule), reason,
                       words.empty() ? "" : "; it would have one with ", fmt::join(words, ", or with "));
}

} // namespace sparsight
