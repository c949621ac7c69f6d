#include "workflow/learning/models/published_models.h"

#include "domains/sparse/encoder/sparse_learning.h"
#include "domains/sparse/encoder/sparse_tasks.h"
#include "domains/sparse/schedule/sparse_setting.h"
#include "domains/sparse/storage/schedules.h"
#include "learning/training/ranking_report.h"
#include "store/workspace.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <optional>
#include <utility>
#include <vector>

namespace sparsight {

namespace {

std::vector<Operator> fitting(Operator shape) {
    std::vector<Operator> fit;
    for (const Operator op : all_operators)
        if (loop_count(op) == loop_count(shape))
            fit.push_back(op);
    return fit;
}

/// The one that the text names; nothing where it names none or several.
std::optional<Operator> named_in(std::string text, const std::vector<Operator>& operators) {
    std::ranges::transform(text, text.begin(),
                           [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
    std::optional<Operator> found;
    for (const Operator op : operators) {
        if (!text.contains(name(op)))
            continue;
        if (found)
            return std::nullopt;
        found = op;
    }
    return found;
}

Result<std::optional<Operator>> alone_measured(Workspace& workspace, const std::vector<Operator>& operators) {
    const auto settings = runtime_settings(workspace);
    if (!settings)
        return std::unexpected(settings.error());
    std::optional<Operator> found;
    for (const CountedSetting& setting : *settings) {
        if (setting.measurements == 0 || std::ranges::find(operators, setting.op) == operators.end() ||
            found == setting.op)
            continue;
        if (found)
            return std::optional<Operator>();
        found = setting.op;
    }
    return found;
}

} // namespace

Result<PublishedOperator> published_operator(Workspace& workspace, const std::filesystem::path& file,
                                             Operator shape) {
    const std::vector<Operator> fit = fitting(shape);
    if (fit.size() == 1)
        return PublishedOperator{shape, "its shape", false};
    for (const std::filesystem::path& named : {file.stem(), file.parent_path().filename()})
        if (const auto op = named_in(named.string(), fit))
            return PublishedOperator{*op, "the name of the file or its folder", false};
    if (shape == Operator::SDDMM) {
        const auto measured = alone_measured(workspace, fit);
        if (!measured)
            return std::unexpected(measured.error());
        if (*measured)
            return PublishedOperator{**measured, "the runtimes of the workspace", true};
    }
    return PublishedOperator{shape, "its shape", true};
}

std::string operator_guessed_by(const ModelDescription& model) {
    const auto& settings = model.training.settings;
    const auto found = settings.find(std::string(guessed_operator_setting));
    return found == settings.end() ? std::string() : found->second;
}

namespace {

constexpr std::int64_t published_extent = 256;

/// That have runtimes on matrices whose entries are known.
Result<std::vector<std::int64_t>> measured_extents(Workspace& workspace, Operator op) {
    const auto settings = runtime_settings(workspace);
    if (!settings)
        return std::unexpected(settings.error());
    std::vector<std::int64_t> extents;
    for (const CountedSetting& setting : *settings) {
        if (setting.op != op)
            continue;
        const auto sources = runtime_sources(workspace, op, setting.dense);
        if (!sources)
            return std::unexpected(sources.error());
        if (std::ranges::any_of(*sources, [](const CountedSource& source) { return source.matrices > 0; }))
            extents.push_back(setting.dense);
    }
    std::ranges::stable_partition(extents, [](std::int64_t dense) { return dense == published_extent; });
    return extents;
}

Result<void> test_at_extent(const WorkspaceTasks& tasks, std::int64_t dense, const Checkpoint& checkpoint,
                            int threads, const std::stop_token& stop, const ProgressSink& progress,
                            PublishedTests& found) {
    const TaskSet& set = tasks.set;
    ExampleStore examples(set, SparseLearning().encoder(checkpoint.model.architecture).value(), threads);
    const MetaParameters parameters = parameters_of(checkpoint, at::Device(at::kCPU));
    for (std::size_t task = 0; task < set.tasks.size(); ++task) {
        std::vector<std::size_t> matrices;
        for (const WorkloadRuntimes& runtimes : set.tasks[task].runtimes)
            matrices.push_back(runtimes.workload);
        const auto report = report_ranking(examples, parameters.weights, Loss::PairwiseMargin, task, matrices,
                                           stop, progress);
        if (!report)
            return std::unexpected(report.error());
        auto metrics = report->by_name();
        metrics.erase("loss"); // of a loss that nobody chose
        found.tests.push_back({set.tasks[task].machine, dense, report->matrices, std::move(metrics)});
    }
    return {};
}

} // namespace

Result<PublishedTests> test_published(Workspace& workspace, const Checkpoint& checkpoint, int threads,
                                      const std::stop_token& stop, const ProgressSink& progress) {
    const Operator op = model_operator(checkpoint.model);
    const auto extents = measured_extents(workspace, op);
    if (!extents)
        return std::unexpected(extents.error());
    PublishedTests found;
    for (const std::int64_t dense : *extents) {
        const auto tasks =
            sparse_tasks(workspace, {.setting = setting_of(op, dense), .threads = threads}, stop, progress);
        if (!tasks && tasks.error().fault != Fault::Input)
            return std::unexpected(tasks.error());
        if (!tasks) { // a model can be kept without a test
            found.left_out.push_back(dense_index(op) ? fmt::format("not tested with dense extent {}: {}",
                                                                   dense, tasks.error().text())
                                                     : "not tested: " + tasks.error().text());
            continue;
        }
        for (const Error& unreadable : tasks->unreadable)
            if (std::string sentence = "left out of the test: " + unreadable.text();
                std::ranges::find(found.left_out, sentence) == found.left_out.end())
                found.left_out.push_back(std::move(sentence));
        if (auto tested = test_at_extent(*tasks, dense, checkpoint, threads, stop, progress, found); !tested)
            return std::unexpected(std::move(tested).error());
    }
    return found;
}

} // namespace sparsight
