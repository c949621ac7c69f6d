// zero_shot_report WORKSPACE [SETTING …]
// How well the rules that choose without a measurement order the configurations of recorded spaces, and how
// far their choice is from the best, on each machine, taken for new. Prints a JSON object a line: of each
// rule the share of pairs in order and the regret.
#include "domains/records/records.h"
#include "learning/decisions/decision_learning.h"
#include "learning/transfer/unmeasured_choice.h"
#include "store/workspace.h"
#include "study/ranking_metrics.h"
#include "workflow/learning/experiments/experiment_data.h"

#include <cmath>
#include <iostream>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace {

using namespace sparsight;
using Json = nlohmann::ordered_json;

template <typename T>
T must(Result<T> result) {
    if (!result)
        throw std::runtime_error(result.error().text());
    return std::move(*result);
}

/// Share of pairs in order among what was tried on the target.
double pairs_in_order(const TransferTarget& target, std::span<const double> scores) {
    std::vector<double> of_tried;
    std::vector<double> times;
    for (std::size_t i = 0; i < scores.size(); ++i)
        if (target.truth().was_tried(i)) {
            of_tried.push_back(std::isfinite(scores[i]) ? scores[i] : std::numeric_limits<double>::max());
            times.push_back(target.truth().milliseconds[i]);
        }
    return ordered_pair_accuracy(count_pairs(std::span<const double>(of_tried), times)).value_or(0);
}

void report(const TransferTarget& target, const KnownSheets& sheets) {
    Json line{{"space", target.space.setting}, {"machine", target.truth().task}};
    for (const UnmeasuredRule rule : all_unmeasured_rules) {
        const auto scores = must(unmeasured_scores(target, rule, sheets, {}));
        line[name(rule)] = {{"pairs", pairs_in_order(target, scores)},
                            {"regret", target.truth().regret(best_tried(target, scores))}};
    }
    std::cout << line.dump() << std::endl;
}

} // namespace

int main(int count, char** words) {
    try {
        if (count < 2)
            throw std::runtime_error("usage: zero_shot_report WORKSPACE [SETTING …]");
        auto workspace = must(Workspace::open(words[1], {.access = WorkspaceAccess::Read}));
        const auto domain = make_records_domain();
        const DecisionLearning learning(*domain);
        const KnownSheets sheets = must(known_sheets(workspace));
        const std::vector<std::string> texts(words + 2, words + count);
        std::vector<TimedSpace> spaces;
        for (const Setting& setting : must(settings_with_times(workspace, *domain, texts))) {
            const auto tasks = must(learning.tasks(workspace, {.setting = setting, .threads = 1}));
            const auto codec = must(domain->codec(setting));
            for (TimedSpace& space : timed_spaces(tasks.set, *codec, 3))
                spaces.push_back(std::move(space));
        }
        add_kin(spaces);
        for (const TimedSpace& space : spaces)
            for (std::size_t column = 0; column < space.columns.size(); ++column)
                if (const TransferTarget target{space, column, sources_of(space, column)};
                    !is_flat(target.truth()))
                    report(target, sheets);
    } catch (const std::exception& problem) {
        std::cerr << problem.what() << '\n';
        return 1;
    }
    return 0;
}
