// Models as files: `models export` and `models import`.
#include "command/job.h"
#include "command/program.h"
#include "command/session.h"
#include "learn/commands.h"
#include "workflow/learning/models/model_storage.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace sparsight {

namespace {

constexpr CommandHelp export_help{.description = R"(
Writes a model as a file that `models import` reads, on any computer; its name goes
with it. An existing file is replaced as a whole, or stays as it was if anything
fails.)",
                                  .examples = R"(sparsight-cli models export first first.sparsight-model)",
                                  .json = R"({"model", "file"})"};

constexpr std::string_view import_description = R"(
Reads models from files of `models export`{0}. A model gets --name, otherwise the name
that it was exported with, otherwise (older files{1}) the name of its file without the
ending. The output has the name. A file that can't be read, or whose name is taken, is
listed with the reason (exit code 1), and the others are imported.{2})";

constexpr std::string_view import_examples = R"(
sparsight-cli models import first.sparsight-model --name copy{})";

constexpr std::string_view import_json = R"(
{"imported": [{"name", "file", "architecture", "operator", "guessed", "unused":
 [TENSOR], "tests": [{"machine", "dense", "matrices", "metrics": {METRIC:
 NUMBER}}]}],
 "failed": [{"file", "line", "error"}]}
operator is what the model is for. Of files of `models export` nothing is guessed,
unused or tested.)";

struct ModelExport {
    std::string model;
    std::string file;
};

ExitCode export_model(Session& session, Workspace& workspace, const LearningDomains& domains,
                      const ModelExport& request) {
    auto model = load_model(workspace, domains, request.model);
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
    std::string name;
};

Result<Json> import_file(Session& session, const LearningDomains& domains, Workspace& workspace,
                         const std::string& name, const std::string& file) {
    const auto model = import_model(workspace, domains, name, file);
    if (!model)
        return std::unexpected(model.error());
    if (!session.options.json)
        session.remark(fmt::format("imported {} as {}", file, model->name));
    return Json{{"name", model->name},
                {"file", file},
                {"architecture", model->description.architecture.name},
                {"operator", model->purpose},
                {"guessed", false},
                {"unused", Json::array()},
                {"tests", Json::array()}};
}

ExitCode import_models(Session& session, const LearningDomains& domains, const FilesToImport& options,
                       ForeignModels* foreign) {
    const Interruption interruption;
    if (!options.name.empty() && options.files.size() > 1)
        return session.refuse({Fault::Input, "--name is for one file, and there are several", {}, 0},
                              ExitCode::Usage);
    auto workspace = session.open_or_make_workspace();
    if (!workspace)
        return session.refuse(workspace.error(), ExitCode::Workspace);
    JobObserver observer(session, "models import", ProgressForm::Display);
    Json imported = Json::array();
    Json failed = Json::array();
    for (const std::string& file : options.files) {
        auto model =
            foreign != nullptr && foreign->reads(file)
                ? foreign->import({session, *workspace, observer}, options.name, file, interruption.token())
                : import_file(session, domains, *workspace, options.name, file);
        observer.clear();
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

void add_models_export(CLI::App& models, Session& session, const LearningDomains& domains) {
    CLI::App& command = add_command(models, "export", "Write a model as a file", export_help);
    const auto request = std::make_shared<ModelExport>();
    command.add_option("model", request->model, "name of the model")->type_name("MODEL")->required();
    command.add_option("file", request->file, "the file to write")->type_name("FILE")->required();
    set_action(command, session, WorkspaceUse::Read, [&session, &domains, request](Workspace& workspace) {
        return export_model(session, workspace, domains, *request);
    });
}

void add_models_import(CLI::App& models, Session& session, const LearningDomains& domains,
                       const std::shared_ptr<ForeignModels>& foreign) {
    const ForeignModels::Help also = foreign ? foreign->help() : ForeignModels::Help{};
    const std::string description =
        fmt::format(import_description, also.files, also.named_by_file, also.description);
    const std::string examples = fmt::format(import_examples, also.examples);
    const std::string json = std::string(import_json) + also.json;
    CLI::App& command =
        add_command(models, "import", "Read models from files", {description, examples, json});
    const auto options = std::make_shared<FilesToImport>();
    command.add_option("files", options->files, "files of `models export`" + also.files)
        ->type_name("FILE")
        ->required();
    command
        .add_option("--name", options->name,
                    "name in the workspace (default: the exported name, or\nthe name of the file)")
        ->type_name("NAME");
    if (foreign)
        foreign->add_options(command);
    set_action(command, session, [&session, &domains, options, foreign] {
        return import_models(session, domains, *options, foreign.get());
    });
}

} // namespace sparsight
