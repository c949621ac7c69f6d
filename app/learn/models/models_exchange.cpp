// Models as files: `models export` and `models import`.
#include "base/parallel.h"
#include "base/text.h"
#include "command/job.h"
#include "command/options.h"
#include "command/program.h"
#include "command/session.h"
#include "learn/commands.h"
#include "learn/models/published_models.h"
#include "model/checkpoints/published_weights.h"
#include "model/tensors/torch_runtime.h"
#include "store/models.h"
#include "workflow/learning/training/model_storage.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utility>

namespace sparsight {

namespace {

constexpr CommandHelp export_help{.description = R"(
Writes a model as a file that `models import` reads, on any computer; its name goes
with it. A file that is there is replaced as a whole or, when anything fails, stays
what it was.)",
                                  .examples = R"(sparsight-cli models export first first.sparsight-model)",
                                  .json = R"({"model", "file"})"};

constexpr CommandHelp import_help{.description = R"(
Reads models from files: those of `models export`, and WACO's weights as PyTorch
saves them (.pth), of which only tensors and plain containers are accepted. Each
is kept under --name, else under the name that it was exported with, else (.pth,
and files of older versions) under that of its file without the ending; which one
it got is told. A file that can't be read, and one whose name another model has, is
listed with the reason (exit code 1), the others imported.

A .pth file says neither which operator it was trained for nor on which machine.
--operator and --machine do. Without, the operator is one that fits the shape of the
tensors: where SpMM and SDDMM both do, the one that the name of the file or of its
folder has, else the one that the workspace has runtimes of, else that of the shape;
the last two are guesses, which is told, also in `models list`. What weights of a .pth file are worth
on the runtimes that the workspace has of that operator, on matrices whose entries
are known, is told for each machine and dense extent, and why where some can't be
used. Kept with the model is what they are worth on --machine, with dense extent 256
where it has such runtimes; --no-test does without.)",
                                  .examples = R"(
sparsight-cli models import first.sparsight-model --name copy
sparsight-cli models import pretrained/*.pth --machine 'Xeon E5-2680 v3')",
                                  .json = R"(
{"imported": [{"name", "file", "architecture", "operator", "guessed", "unused":
 [TENSOR], "tests": [{"machine", "dense", "matrices", "metrics": {METRIC:
 NUMBER}}]}],
 "failed": [{"file", "line", "error"}]}
guessed: several operators fit the shape of the network, and nobody said it. unused
are tensors that no score depends on, and that were left out.)"};

struct ModelExport {
    std::string model;
    std::string file;
};

ExitCode export_model(Session& session, const ModelExport& request) {
    auto workspace = session.open_workspace(WorkspaceAccess::Read);
    if (!workspace)
        return session.refuse(workspace.error(), ExitCode::Workspace);
    auto model = load_model(*workspace, request.model);
    if (!model)
        return session.refuse(model.error());
    model->checkpoint.model.name = request.model;
    if (const auto written = write_checkpoint(request.file, model->checkpoint); !written)
        return session.refuse(written.error());
    if (session.options.json)
        session.print_json({{"model", request.model}, {"file", request.file}});
    else
        session.remark(fmt::format("wrote {} to {}", request.model, request.file));
    return ExitCode::Done;
}

struct ModelImport {
    std::vector<std::string> files;
    std::string name;
    std::optional<Operator> op;
    std::string machine;
    bool test = true;
    int threads = available_threads();
};

/// A file says what it likes: a name of many lines, or of none, is no name.
/// A comma would divide it where models are named together (--models A,B).
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

Result<ReadModel> read_model(Workspace& workspace, const ModelImport& request, const std::string& file) {
    if (std::filesystem::path(file).extension() != ".pth") {
        auto checkpoint = read_checkpoint(file);
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

Result<PublishedTests> tested_model(const Session& session, Workspace& workspace, const ModelImport& request,
                                    const Checkpoint& checkpoint, const std::stop_token& stop) {
    [[maybe_unused]] const TorchRuntime runtime = prepare_torch(request.threads);
    ProgressDisplay display(ProgressDisplay::style_of_stderr(session.options.quiet));
    return test_published(workspace, checkpoint, request.threads, stop, display.sink());
}

Json tests_json(const std::vector<PublishedTest>& tests) {
    Json json = Json::array();
    for (const PublishedTest& test : tests)
        json.push_back({{"machine", test.machine},
                        {"dense", test.dense},
                        {"matrices", test.matrices},
                        {"metrics", test.metrics}});
    return json;
}

/// "second", "second with dense extent 64": what the times of a test are of.
std::string measured_on(const PublishedTest& test, Operator op) {
    return dense_index(op) ? fmt::format("{} with dense extent {}", test.machine, test.dense) : test.machine;
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
                    measured_on(kept, checkpoint.model.op())));
}

void tell_published(const Session& session, const std::string& file, const ReadModel& read,
                    const std::vector<PublishedTest>& tests) {
    if (read.published)
        session.remark(fmt::format("{}: {} one of {}, by {}; --operator says otherwise", file,
                                   read.published->is_guessed ? "guessed to be" : "taken for",
                                   name(read.published->op), read.published->by));
    if (session.options.json)
        return;
    for (const PublishedTest& test : tests)
        if (const auto stored_accuracy = test.metrics.find("ordered_pair_accuracy");
            stored_accuracy != test.metrics.end())
            session.remark(fmt::format("{}: {:.3f} of the pairs in order on {} of {}", file,
                                       stored_accuracy->second,
                                       counted(static_cast<std::size_t>(test.matrices), "matrix", "matrices"),
                                       measured_on(test, read.checkpoint.model.op())));
}

/// What it is, for --json.
Result<Json> import_file(Session& session, Workspace& workspace, const ModelImport& request,
                         const std::string& file, const std::stop_token& stop) {
    auto read = read_model(workspace, request, file);
    if (!read)
        return std::unexpected(read.error());
    const std::string name = name_for(request, file, read->checkpoint.model);
    const auto in_file = [&](const Error& error) {
        return std::unexpected(Error{error.fault, error.message, error.file.empty() ? file : error.file, 0});
    };
    if (const auto free = check_import_name(workspace, name); !free)
        return in_file(free.error());
    std::vector<PublishedTest> tests;
    if (read->is_published && request.test) {
        auto tested = tested_model(session, workspace, request, read->checkpoint, stop);
        if (!tested)
            return in_file(tested.error());
        for (const std::string& sentence : tested->left_out)
            session.remark(fmt::format("{}: {}", file, sentence));
        tests = std::move(tested->tests);
    }
    keep_metrics(tests, request.machine, read->checkpoint);
    if (const auto kept = keep_model(workspace, {name}, read->checkpoint); !kept)
        return in_file(kept.error());
    if (!read->unused.empty())
        session.remark(
            fmt::format("{}: left out {}, which no score depends on", file, fmt::join(read->unused, ", ")));
    tell_published(session, file, *read, tests);
    if (!session.options.json)
        session.remark(fmt::format("imported {} as {}", file, name));
    return Json{{"name", name},
                {"file", file},
                {"architecture", architecture_name(read->checkpoint.model)},
                {"operator", sparsight::name(read->checkpoint.model.op())},
                {"guessed", read->published && read->published->is_guessed},
                {"unused", read->unused},
                {"tests", tests_json(tests)}};
}

ExitCode import_models(Session& session, const ModelImport& request) {
    const Interruption interruption;
    if (!request.name.empty() && request.files.size() > 1)
        return session.refuse({Fault::Input, "--name is for one file, and there are several", {}, 0},
                              ExitCode::Usage);
    auto workspace = session.open_or_make_workspace();
    if (!workspace)
        return session.refuse(workspace.error(), ExitCode::Workspace);
    Json imported = Json::array();
    Json failed = Json::array();
    for (const std::string& file : request.files) {
        auto model = import_file(session, *workspace, request, file, interruption.token());
        if (!model && model.error().fault == Fault::Cancelled)
            return session.refuse(model.error(), ExitCode::Interrupted);
        if (model) {
            imported.push_back(*std::move(model));
        } else {
            session.complain(model.error());
            failed.push_back(failure_json(model.error()));
        }
    }
    if (session.options.json)
        session.print_json({{"imported", imported}, {"failed", failed}});
    return failed.empty() ? ExitCode::Done : ExitCode::SomeFailed;
}

} // namespace

void add_models_export(CLI::App& models, Session& session) {
    CLI::App& command = add_command(models, "export", "Write a model as a file", export_help);
    const auto request = std::make_shared<ModelExport>();
    command.add_option("model", request->model, "its name")->type_name("MODEL")->required();
    command.add_option("file", request->file, "where it is written")->type_name("FILE")->required();
    set_action(command, session, [&session, request] { return export_model(session, *request); });
}

void add_models_import(CLI::App& models, Session& session) {
    CLI::App& command = add_command(models, "import", "Read models from files", import_help);
    const auto request = std::make_shared<ModelImport>();
    command.add_option("files", request->files, "of `models export`, or WACO's weights (.pth)")
        ->type_name("FILE")
        ->required();
    command
        .add_option("--name", request->name,
                    "what it is called in the workspace (default: as it was\nexported, else as its file)")
        ->type_name("NAME");
    add_parsed_option(command, "--operator", request->op, &read_operator,
                      "of a .pth file: spmm, spmv or sddmm (default: see above)")
        ->type_name("OPERATOR");
    command.add_flag_callback(
        "--no-test", [request] { request->test = false; },
        "of a .pth file: do not ask what it is worth on the\nruntimes of the workspace");
    command.add_option("--machine", request->machine, "of a .pth file: the machine that it was trained for")
        ->type_name("NAME");
    set_action(command, session, [&session, request] { return import_models(session, *request); });
}

} // namespace sparsight
