#include "learning/tree_training.h"

#include <unordered_set>
#include <vector>

namespace sparsight {

Result<BoostedTrees> train_trees(const TaskSet& tasks, std::span<const std::size_t> matrices,
                                 const TreesOptions& options, const std::stop_token& stop) {
    const std::unordered_set<std::size_t> wanted(matrices.begin(), matrices.end());
    std::vector<TreesGroup> groups;
    for (const Task& task : tasks.tasks)
        for (const MatrixRuntimes& runtimes : task.runtimes)
            if (wanted.contains(runtimes.matrix))
                groups.push_back(
                    {tasks.matrices[runtimes.matrix].statistics, runtimes.schedules, runtimes.milliseconds});
    if (groups.empty())
        return fail(Fault::Input, "there is nothing to train trees on: none of the matrices was measured");
    return BoostedTrees::train(tasks.op, groups, options, stop);
}

Result<RankingReport> report_trees(const TaskSet& tasks, const BoostedTrees& trees, Loss loss,
                                   std::span<const std::size_t> matrices, const std::stop_token& stop,
                                   const ProgressSink& progress) {
    std::vector<RankingReport> reports;
    for (std::size_t task = 0; task < tasks.tasks.size(); ++task) {
        const auto scorer = [&](std::size_t runtimes) {
            const MatrixRuntimes& ranked = tasks.tasks[task].runtimes[runtimes];
            return trees.score(tasks.matrices[ranked.matrix].statistics, ranked.schedules);
        };
        auto report = report_scores(tasks, scorer, loss, task, matrices, stop, progress);
        if (!report)
            return std::unexpected(std::move(report).error());
        reports.push_back(*std::move(report));
    }
    return combine(reports);
}

} // namespace sparsight
