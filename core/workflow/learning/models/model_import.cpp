#include "workflow/learning/models/model_import.h"

#include "base/text.h"
#include "domains/sparse/encoder/published_weights.h"
#include "domains/sparse/encoder/sparse_learning.h"
#include "model/tensors/torch_runtime.h"
#include "store/models.h"
#include "workflow/learning/training/model_storage.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utility>

namespace sparsight {

namespace {

/// A file says what it likes: a name of many lines, or of none, is no name. A comma would divide it where
/// models are named together (--models A,B).
bool can_be_a_name(const std::string& text) {
    constexpr std::size_t longest = 200;
    return !text.empty() && text.size() <= longest && std::ranges::none_of(text, [](unsigned char letter) {
        return letter < ' ' || letter == 127 || letter == ',';
    });
}

/// Taken out of the file's description: the workspace has its own.
std::string name_for(const ModelImport& request, const std::string& file, ModelDescription& model) {
    const std::string in_file = std::exchange(model.name, {});
    if (!request.name.empty())
        return request.name;
    return can_be_a_name(in_file) ? in_file : std::filesystem::path(file).stem().string();
}

Result<void> check_import_name(Workspace& workspace, const std::string& name) {
    const auto known = find_model(workspace, name);
    if (!known)
        return std::unexpected(known.error());
    if (!*known)
        return {};
    return fail(Fault::Input,
                fmt::format("it would be called {}, and the workspace has a model of that name already (of "
                            "{}): import it with --name NAME under another one, or remove that model first "
                            "(models remove {})",
                            name, (*known)->created, name));
}

struct ReadModel {
    Checkpoint checkpoint;
    std::vector<std::string> unused;
    std::optional<PublishedOperator> published; ///< of a .pth file without --operator
    bool is_published = false;
};

Result<ReadModel> read_model(Workspace& workspace, const LearningDomains& domains, const ModelImport& request,
                             const std::string& file) {
    if (std::filesystem::path(file).extension() != ".pth") {
        auto checkpoint = read_checkpoint(file, domains);
        if (!checkpoint)
            return std::unexpected(std::move(checkpoint).error());
        return ReadModel{*std::move(checkpoint), {}, {}, false};
    }
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
    ReadModel read{import_published_weights(*weights, request.machine), weights->unused, found, true};
    if (found && found->is_guessed) {
        read.checkpoint.model.training.settings[std::string(guessed_operator_setting)] = found->by;
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

Result<ImportedModel> import_model(Workspace& workspace, const LearningDomains& domains,
                                   const ModelImport& request, const std::string& file, Observer& observer,
                                   const std::stop_token& stop) {
    auto read = read_model(workspace, domains, request, file);
    if (!read)
        return std::unexpected(std::move(read).error());
    const std::string name = name_for(request, file, read->checkpoint.model);
    const auto in_file = [&](const Error& error) {
        return std::unexpected(Error{error.fault, error.message, error.file.empty() ? file : error.file, 0});
    };
    if (const auto free = check_import_name(workspace, name); !free)
        return in_file(free.error());
    std::vector<PublishedTest> tests;
    if (read->is_published && request.test) {
        [[maybe_unused]] const TorchRuntime runtime = prepare_torch(request.threads);
        auto tested = test_published(workspace, read->checkpoint, request.threads, stop, observer.sink());
        if (!tested)
            return in_file(tested.error());
        for (const std::string& sentence : tested->left_out)
            observer.remark(fmt::format("{}: {}", file, sentence));
        tests = std::move(tested->tests);
    }
    keep_metrics(tests, request.machine, read->checkpoint);
    if (const auto kept = keep_model(workspace, {name}, read->checkpoint); !kept)
        return in_file(kept.error());
    if (!read->unused.empty())
        observer.remark(
            fmt::format("{}: left out {}, which no score depends on", file, fmt::join(read->unused, ", ")));
    return ImportedModel{name,
                         read->checkpoint.model.architecture.name,
                         model_operator(read->checkpoint.model),
                         read->published,
                         std::move(read->unused),
                         std::move(tests)};
}

} // namespace sparsight
