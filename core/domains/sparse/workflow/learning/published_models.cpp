#include "domains/sparse/workflow/learning/published_models.h"

#include "base/text.h"
#include "domains/sparse/encoder/cost_network.h"
#include "domains/sparse/encoder/sparse_learning.h"
#include "domains/sparse/encoder/sparse_tasks.h"
#include "domains/sparse/storage/schedules.h"
#include "learning/training/ranking_report.h"
#include "model/tensors/torch_runtime.h"
#include "store/workspace.h"
#include "workflow/learning/models/model_storage.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utility>

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
        found.tests.push_back({set.tasks[task].machine, dense, report->workloads, std::move(metrics)});
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

namespace {

struct ReadWeights {
    Checkpoint checkpoint;
    std::vector<std::string> unused;
    std::optional<PublishedOperator> published; ///< without --operator
};

Result<ReadWeights> read_weights(Workspace& workspace, const PublishedImport& request,
                                 const std::string& file) {
    auto weights = read_published_weights(file, request.op);
    if (!weights)
        return std::unexpected(std::move(weights).error());
    std::optional<PublishedOperator> found;
    if (!request.op) {
        auto known = published_operator(workspace, file, weights->network.schedules.network);
        if (!known)
            return std::unexpected(std::move(known).error());
        found = *std::move(known);
        weights->network.schedules.op = found->op;
    }
    ReadWeights read{import_published_weights(*weights, request.machine), weights->unused, found};
    if (found && found->is_guessed) {
        read.checkpoint.model.training.settings[std::string(guessed_purpose_setting)] = found->by;
        read.checkpoint.model.training.remarks.push_back(
            fmt::format("that it is of {} is guessed by {}", name(found->op), found->by));
    }
    return read;
}

/// Kept with the model are those of its own machine, where there are any, else those of the first one.
void keep_metrics(const std::vector<PublishedTest>& tests, const std::string& machine,
                  Checkpoint& checkpoint) {
    if (tests.empty())
        return;
    const auto own = std::ranges::find(tests, machine, &PublishedTest::machine);
    const PublishedTest& kept = own == tests.end() ? tests.front() : *own;
    checkpoint.model.training.metrics = kept.metrics;
    checkpoint.model.training.remarks.push_back(
        fmt::format("its metrics are of {} measured on {}, and nobody knows whether it has learned from them",
                    counted(static_cast<std::size_t>(kept.matrices), "matrix", "matrices"),
                    measured_on(kept, model_operator(checkpoint.model))));
}

} // namespace

std::string measured_on(const PublishedTest& test, Operator op) {
    return dense_index(op) ? fmt::format("{} with dense extent {}", test.machine, test.dense) : test.machine;
}

Result<ImportedWeights> import_published(Workspace& workspace, const PublishedImport& request,
                                         const std::string& file, Observer& observer,
                                         const std::stop_token& stop) {
    auto read = read_weights(workspace, request, file);
    if (!read)
        return std::unexpected(std::move(read).error());
    const auto in_file = [&](const Error& error) {
        return std::unexpected(Error{error.fault, error.message, error.file.empty() ? file : error.file, 0});
    };
    auto name = name_for_import(workspace, request.name, file, read->checkpoint.model);
    if (!name)
        return in_file(name.error());
    std::vector<PublishedTest> tests;
    if (request.test) {
        if (const auto runtime = prepare_torch(request.threads); !runtime)
            return in_file(runtime.error());
        auto tested = test_published(workspace, read->checkpoint, request.threads, stop, observer.sink());
        if (!tested)
            return in_file(tested.error());
        for (const std::string& sentence : tested->left_out)
            observer.remark(fmt::format("{}: {}", file, sentence));
        tests = std::move(tested->tests);
    }
    keep_metrics(tests, request.machine, read->checkpoint);
    if (const auto kept = keep_model(workspace, {*name}, read->checkpoint); !kept)
        return in_file(kept.error());
    if (!read->unused.empty())
        observer.remark(
            fmt::format("{}: left out {}, which no score depends on", file, fmt::join(read->unused, ", ")));
    return ImportedWeights{*std::move(name),
                           read->checkpoint.model.architecture.name,
                           model_operator(read->checkpoint.model),
                           read->published,
                           std::move(read->unused),
                           std::move(tests)};
}

} // namespace sparsight
