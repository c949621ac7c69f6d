// Models as files: `models export` and `models import`.
#include "base/text.h"
#include "command/job.h"
#include "command/options.h"
#include "command/program.h"
#include "command/session.h"
#include "learn/commands.h"
#include "workflow/learning/models/model_import.h"
#include "workflow/learning/training/model_storage.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

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

ExitCode export_model(Session& session, const LearningDomains& domains, const ModelExport& request) {
    auto workspace = session.open_workspace(WorkspaceAccess::Read);
    if (!workspace)
        return session.refuse(workspace.error(), ExitCode::Workspace);
    auto model = load_model(*workspace, domains, request.model);
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

struct FilesToImport {
    std::vector<std::string> files;
    ModelImport request;
};

Json tests_json(const std::vector<PublishedTest>& tests) {
    Json json = Json::array();
    for (const PublishedTest& test : tests)
        json.push_back({{"machine", test.machine},
                        {"dense", test.dense},
                        {"matrices", test.matrices},
                        {"metrics", test.metrics}});
    return json;
}

void tell_imported(const Session& session, const std::string& file, const ImportedModel& model) {
    if (model.published)
        session.remark(fmt::format("{}: {} one of {}, by {}; --operator says otherwise", file,
                                   model.published->is_guessed ? "guessed to be" : "taken for",
                                   name(model.published->op), model.published->by));
    if (session.options.json)
        return;
    for (const PublishedTest& test : model.tests)
        if (const auto stored_accuracy = test.metrics.find("ordered_pair_accuracy");
            stored_accuracy != test.metrics.end())
            session.remark(fmt::format("{}: {:.3f} of the pairs in order on {} of {}", file,
                                       stored_accuracy->second,
                                       counted(static_cast<std::size_t>(test.matrices), "matrix", "matrices"),
                                       measured_on(test, model.op)));
    session.remark(fmt::format("imported {} as {}", file, model.name));
}

Json imported_json(const std::string& file, const ImportedModel& model) {
    return {{"name", model.name},
            {"file", file},
            {"architecture", model.architecture},
            {"operator", name(model.op)},
            {"guessed", model.published && model.published->is_guessed},
            {"unused", model.unused},
            {"tests", tests_json(model.tests)}};
}

ExitCode import_models(Session& session, const LearningDomains& domains, const FilesToImport& options) {
    const Interruption interruption;
    if (!options.request.name.empty() && options.files.size() > 1)
        return session.refuse({Fault::Input, "--name is for one file, and there are several", {}, 0},
                              ExitCode::Usage);
    auto workspace = session.open_or_make_workspace();
    if (!workspace)
        return session.refuse(workspace.error(), ExitCode::Workspace);
    JobObserver observer(session, "models import", ProgressForm::Display);
    Json imported = Json::array();
    Json failed = Json::array();
    for (const std::string& file : options.files) {
        const auto model =
            import_model(*workspace, domains, options.request, file, observer, interruption.token());
        observer.clear();
        if (!model && model.error().fault == Fault::Cancelled)
            return session.refuse(model.error(), ExitCode::Interrupted);
        if (model) {
            tell_imported(session, file, *model);
            imported.push_back(imported_json(file, *model));
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

void add_models_export(CLI::App& models, Session& session, const LearningDomains& domains) {
    CLI::App& command = add_command(models, "export", "Write a model as a file", export_help);
    const auto request = std::make_shared<ModelExport>();
    command.add_option("model", request->model, "its name")->type_name("MODEL")->required();
    command.add_option("file", request->file, "where it is written")->type_name("FILE")->required();
    set_action(command, session,
               [&session, &domains, request] { return export_model(session, domains, *request); });
}

void add_models_import(CLI::App& models, Session& session, const LearningDomains& domains) {
    CLI::App& command = add_command(models, "import", "Read models from files", import_help);
    const auto options = std::make_shared<FilesToImport>();
    command.add_option("files", options->files, "of `models export`, or WACO's weights (.pth)")
        ->type_name("FILE")
        ->required();
    command
        .add_option("--name", options->request.name,
                    "what it is called in the workspace (default: as it was\nexported, else as its file)")
        ->type_name("NAME");
    add_parsed_option(command, "--operator", options->request.op, &read_operator,
                      "of a .pth file: spmm, spmv or sddmm (default: see above)")
        ->type_name("OPERATOR");
    command.add_flag_callback(
        "--no-test", [options] { options->request.test = false; },
        "of a .pth file: do not ask what it is worth on the\nruntimes of the workspace");
    command
        .add_option("--machine", options->request.machine,
                    "of a .pth file: the machine that it was trained for")
        ->type_name("NAME");
    set_action(command, session,
               [&session, &domains, options] { return import_models(session, domains, *options); });
}

} // namespace sparsight
