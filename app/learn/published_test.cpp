#include "learn/published_test.h"

#include "learn/finetune_data.h"
#include "learning/ranking_report.h"
#include "learning/workspace_tasks.h"

#include <utility>

namespace sparsight {

Result<std::vector<PublishedTest>> test_published(Workspace& workspace, const Checkpoint& checkpoint,
                                                  int threads, const std::stop_token& stop,
                                                  const ProgressSink& progress) {
    std::vector<PublishedTest> tests;
    const auto tasks =
        workspace_tasks(workspace, {.op = checkpoint.model.op(), .threads = threads}, stop, progress);
    if (!tasks) {
        if (tasks.error().fault == Fault::Input) // nothing was measured that it could be tested with
            return tests;
        return std::unexpected(tasks.error());
    }
    const TaskSet& set = tasks->set;
    ExampleStore examples(set, std::get<NetworkDescription>(checkpoint.model.architecture), threads);
    const MetaParameters parameters = parameters_of(checkpoint, at::Device(at::kCPU));
    for (std::size_t task = 0; task < set.tasks.size(); ++task) {
        std::vector<std::size_t> matrices;
        for (const MatrixRuntimes& runtimes : set.tasks[task].runtimes)
            matrices.push_back(runtimes.matrix);
        const auto report = report_ranking(examples, parameters.weights, Loss::PairwiseMargin, task, matrices,
                                           stop, progress);
        if (!report)
            return std::unexpected(report.error());
        auto metrics = report->by_name();
        metrics.erase("loss"); // of a loss that nobody chose
        tests.push_back({set.tasks[task].machine, report->matrices, std::move(metrics)});
    }
    return tests;
}

} // namespace sparsight
