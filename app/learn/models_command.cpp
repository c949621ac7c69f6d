#include "base/text.h"
#include "command/job.h"
#include "command/learn_program.h"
#include "command/program.h"
#include "command/session.h"
#include "learn/commands.h"
#include "learn/model_facts.h"
#include "model/networks/gray_box.h"
#include "store/runs.h"
#include "workflow/learning/fine_tuning/finetune_outcome.h"
#include "workflow/learning/fine_tuning/finetune_request.h"
#include "workflow/learning/models/model_storage.h"
#include "workflow/learning/training/training_request.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <span>

namespace sparsight {

namespace {

constexpr CommandHelp models_help{.description = R"(
The workspace stores models under a name: trained, fine-tuned and imported ones. A
model has a description (its kind, its training data, its test on unseen workloads)
and weights. A model file holds data only, so reading an unknown file can't run
anything.)",
                                  .examples = R"(
sparsight-cli models list
sparsight-cli models show first
sparsight-cli models export first first.sparsight-model)",
                                  .json = {}};

constexpr CommandHelp list_help{.description = R"(
Lists the models of the workspace. "Pairs in the right order" is the share of pairs of
configurations of which the model says rightly which is faster, on its test workloads
(0.5 is chance). "Best of 20" is the geometric mean speedup of the best of its first
20 over the baseline (fixed CSR for matrices), on its test workloads ("tested on") and
machines. "Of trees" has the same share of boosted trees trained on the same data.
Models behind these trees are named below the table. An operator that a .pth file did
not state is marked as guessed (see models import). Models of other domains than
sparse matrices are marked with their domain.)",
                                .examples = R"(
sparsight-cli models list --workspace experiment.sparsight
sparsight-cli models list --json | jq -r '.[] | [.name, .metrics.kendall_tau] | @tsv')",
                                .json = R"(
[{"name", "architecture", "operator", "operator_is_guessed", "method", "machines":
  [NAME], "matrices", "metrics": {NAME: NUMBER}, "parent", "run", "bytes", "created",
  "test_matrices", "baseline_verdict": {"ahead": "trees", "model" or null, "points",
  "test_matrices", "sentence"} or null}]
baseline_verdict says who has more of the pairs in the right order on the test
matrices, the model or the boosted trees beside it, null where none were trained;
matrices is the number of those that were learned from, test_matrices of those that
the metrics are of, null where it is not known; models of another domain have
"domain", its word in the place of "matrices", and as "operator" what they are for;
parent is the model that this one was fine-tuned from, run the training run; both may
be null.)"};

constexpr CommandHelp show_help{.description = R"(
Shows what is known about a model: its kind, its training data, its test on unseen
workloads, its settings, and remarks on its limits.)",
                                .examples = R"(sparsight-cli models show first)",
                                .json = R"(
{…, as an entry of `models list --json`, and "matrix_names": [NAME], "seed",
 "settings": {NAME: TEXT}, "computed_with": {NAME: TEXT}, "remarks": [SENTENCE],
 "deviations": [{"parameter", "factor", "low", "high"}], "doubt", "reliability",
 "description": {what the file of the model holds}}
deviations are those of a gray box from its simulator. doubt and reliability are those
of `finetune --help`. settings are those of `train` and `finetune`, with what stood for a default.
computed_with has threads, processes, device, LibTorch, BLAS and vector
instructions, of trees threads and xgboost: with one thread, equal ones give the same
weights to the bit.)"};

constexpr CommandHelp remove_help{.description = R"(
Removes models with their weights and choices. Models that were fine-tuned from them
stay, and so do the measurements. Unknown names are listed (exit code 1), and the
other models are removed.)",
                                  .examples = R"(sparsight-cli models remove first)",
                                  .json = R"({"removed": [NAME], "failed": [{"file", "line", "error"}]})"};

Result<std::vector<ModelFacts>> facts_of_all(Session& session, const LearningDomains& domains,
                                             Workspace& workspace) {
    auto records = list_models(workspace);
    if (!records)
        return std::unexpected(std::move(records).error());
    std::vector<ModelFacts> facts;
    for (ModelRecord& record : *records) {
        auto description = parse_model_description(record.description, domains);
        if (!description) {
            session.complain({Fault::Input,
                              fmt::format("the model '{}': {}", record.name, description.error().message),
                              {},
                              0});
            session.set_exit_code(ExitCode::SomeFailed);
            continue;
        }
        const auto parent = std::ranges::find(*records, record.parent,
                                              [](const ModelRecord& each) { return std::optional(each.id); });
        const std::string parent_name = record.parent && parent != records->end()
                                            ? parent->name
                                            : description->training.parent.value_or("");
        const ModelArchitecture& architecture = description->architecture;
        const LearningDomain* const domain = domains.of(architecture).value();
        auto comparison = comparison_with_trees(workspace, record, *domain);
        if (!comparison)
            return std::unexpected(std::move(comparison).error());
        std::string purpose = domain->purpose(architecture);
        facts.push_back({record, *std::move(description), std::move(purpose), &domain->domain(),
                         domain == domains.of(ModelArchitecture{}).value(), parent_name, *comparison});
    }
    return facts;
}

ExitCode list(Session& session, Workspace& workspace, const LearningDomains& domains) {
    const auto models = facts_of_all(session, domains, workspace);
    if (!models)
        return session.refuse(models.error(), ExitCode::Workspace);
    if (session.options.json) {
        Json json = Json::array();
        for (const ModelFacts& model : *models)
            json.push_back(model_json(model));
        session.print_json(json);
    } else if (!models->empty()) {
        session.print(model_table(*models));
    } else if (session.exit_code() == ExitCode::Done) { // else there are some that can't be read
        session.remark("the workspace has no models: train one, or import one");
    }
    return session.exit_code();
}

/// Those that the model keeps; of an older one those that its run was given, where the workspace has it.
Result<std::map<std::string, std::string>> settings_of(Workspace& workspace, const ModelFacts& model) {
    std::map<std::string, std::string> settings = model.description.training.settings;
    if (!settings.empty() || !model.record.run)
        return settings;
    const auto runs = list_runs(workspace);
    if (!runs)
        return std::unexpected(runs.error());
    const auto run = std::ranges::find(*runs, *model.record.run, &RunRecord::id);
    if (run == runs->end())
        return settings;
    const Json parameters = Json::parse(run->parameters, nullptr, /*allow_exceptions=*/false);
    for (const auto& [name, value] : parameters.items())
        if (name != "name" && !value.is_object()) // what tells the data apart is no setting
            settings.emplace(name, value.is_string() ? value.get<std::string>() : value.dump());
    return settings;
}

/// Those of them that have a meaning in the model's domain, under the names that it knows them by: runs are
/// stored with the names of the first domain.
std::map<std::string, std::string> shown_settings(const Session& session, const LearningDomains& domains,
                                                  const ModelFacts& model,
                                                  std::map<std::string, std::string> settings) {
    if (model.is_of_first)
        return settings;
    for (const auto& definitions :
         {train_settings(session.domains, domains), finetune_settings(session.domains)})
        for (const SettingDefinition& definition : definitions)
            if (!definition.general.empty())
                if (auto known = settings.extract(definition.name); !known.empty()) {
                    known.key() = definition.general;
                    settings.insert(std::move(known));
                }
    if (const auto rows = settings.find("rows"); rows != settings.end() && rows->second != "0")
        settings.erase("workloads"); // rows were learned from in their place
    return settings;
}

/// All of few, and the first of many: a model of blocks has learned from tens of thousands.
std::string first_names(const std::vector<std::string>& names) {
    constexpr std::size_t most = 100;
    const auto shown = std::span(names).first(std::min(most, names.size()));
    return names.size() <= most ? fmt::format("{}", fmt::join(shown, ", "))
                                : fmt::format("{} and {} more", fmt::join(shown, ", "), names.size() - most);
}

std::string text_of(const ModelFacts& model, const std::map<std::string, std::string>& settings) {
    const TrainingRecord& training = model.description.training;
    std::string text =
        fmt::format("{}: {} for {}, {}\n", model.record.name, model.description.architecture.name,
                    model.purpose, training.method.empty() ? "not trained" : training.method);
    if (!model.is_of_first)
        text += fmt::format("domain: {}\n", model.domain->name());
    if (!model.parent.empty())
        text += fmt::format("fine-tuned from {}\n", model.parent);
    text += fmt::format("made {} UTC\n", model.record.created);
    if (const auto& blend = model.description.blend)
        text +=
            blend_sentence(*blend, training.machines.empty() ? std::string() : training.machines.front()) +
            "\n";
    if (!training.machines.empty())
        text += fmt::format("machines: {}\n", fmt::join(training.machines, ", "));
    if (!training.workloads.empty())
        text += fmt::format("learned from {}: {}\n", learned_text(training, model.domain->words()),
                            first_names(training.workloads));
    for (const auto& [metric, value] : training.metrics)
        text += fmt::format("  {:<24} {:.4g}\n", metric, value);
    if (const std::string sentence = baseline_sentence(model.beside_trees); !sentence.empty())
        text += sentence + "\n";
    if (!settings.empty())
        text += "settings:\n";
    std::size_t width = 24;
    for (const auto& [name, value] : settings)
        width = std::max(width, name.size());
    for (const auto& [name, value] : settings)
        text += fmt::format("  {:<{}} {}\n", name, width, value);
    if (!training.computed_with.empty())
        text += "computed with:\n";
    for (const auto& [name, value] : training.computed_with)
        text += fmt::format("  {:<{}} {}\n", name, width, value);
    for (const std::string& remark : stored_remarks(model.description))
        text += "note: " + remark + "\n";
    return text;
}

ExitCode show(Session& session, Workspace& workspace, const LearningDomains& domains,
              const std::string& name) {
    const auto record = require_model(workspace, name);
    if (!record)
        return session.refuse(record.error());
    const auto models = facts_of_all(session, domains, workspace);
    if (!models)
        return session.refuse(models.error(), ExitCode::Workspace);
    const auto model =
        std::ranges::find(*models, record->id, [](const ModelFacts& each) { return each.record.id; });
    if (model == models->end())
        return ExitCode::SomeFailed; // its description was complained of
    const auto stored = settings_of(workspace, *model);
    if (!stored)
        return session.refuse(stored.error(), ExitCode::Workspace);
    const auto settings = shown_settings(session, domains, *model, *stored);
    std::vector<NamedArray> weights;
    if (model->description.architecture.name == gray_box_architecture) {
        auto loaded = load_model(workspace, domains, name);
        if (!loaded)
            return session.refuse(loaded.error());
        weights = std::move(loaded->checkpoint.weights);
    }
    std::optional<Reliability> reliability;
    if (model->record.run) {
        const auto metrics = stored_metrics(workspace, *model->record.run);
        if (!metrics)
            return session.refuse(metrics.error(), ExitCode::Workspace);
        reliability = stored_reliability(*metrics);
    }
    const DomainWords& words = model->domain->words();
    if (!session.options.json) {
        session.print(text_of(*model, settings) + deviations_text(weights) +
                      reliability_text(reliability, words));
        return ExitCode::Done;
    }
    Json json = model_json(*model);
    json[words.workload.one + "_names"] = model->description.training.workloads;
    json["deviations"] = deviations_json(weights);
    json["doubt"] = doubt_json(model->description.doubt);
    json["reliability"] = reliability_json(reliability, words);
    json["seed"] = model->description.training.seed;
    json["settings"] = settings;
    json["computed_with"] = model->description.training.computed_with;
    json["remarks"] = stored_remarks(model->description);
    json["description"] = Json::parse(model->record.description);
    session.print_json(json);
    return ExitCode::Done;
}

ExitCode remove(Session& session, Workspace& workspace, const std::vector<std::string>& names) {
    Json removed = Json::array();
    Json failed = Json::array();
    for (const std::string& name : names) {
        const auto record = require_model(workspace, name);
        const auto done = record ? remove_model(workspace, record->id) : std::unexpected(record.error());
        if (done) {
            removed.push_back(name);
        } else {
            session.complain(done.error());
            failed.push_back(failure_json(done.error()));
        }
    }
    if (session.options.json)
        session.print_json({{"removed", removed}, {"failed", failed}});
    return failed.empty() ? ExitCode::Done : ExitCode::SomeFailed;
}

} // namespace

void add_models_list(CLI::App& models, Session& session, const LearningDomains& domains) {
    CLI::App& command = add_command(models, "list", "List the models of the workspace", list_help);
    set_action(command, session, WorkspaceUse::Read,
               [&session, &domains](Workspace& workspace) { return list(session, workspace, domains); });
}

void add_models_show(CLI::App& models, Session& session, const LearningDomains& domains) {
    CLI::App& command = add_command(models, "show", "Show what is known of a model", show_help);
    const auto name = std::make_shared<std::string>();
    command.add_option("model", *name, "name of the model")->type_name("MODEL")->required();
    set_action(command, session, WorkspaceUse::Read, [&session, &domains, name](Workspace& workspace) {
        return show(session, workspace, domains, *name);
    });
}

void add_models_remove(CLI::App& models, Session& session) {
    CLI::App& command = add_command(models, "remove", "Remove models", remove_help);
    const auto names = std::make_shared<std::vector<std::string>>();
    command.add_option("models", *names, "names of the models")->type_name("MODEL")->required();
    set_action(command, session, WorkspaceUse::Write,
               [&session, names](Workspace& workspace) { return remove(session, workspace, *names); });
}

void add_models_command(CLI::App& app, Session& session, const LearningDomains& domains,
                        const std::shared_ptr<ForeignModels>& foreign) {
    CLI::App& command =
        add_command(app, std::string(models_summary.name), std::string(models_summary.summary), models_help);
    command.require_subcommand(1);
    add_models_list(command, session, domains);
    add_models_show(command, session, domains);
    add_models_export(command, session, domains);
    add_models_import(command, session, domains, foreign);
    add_models_remove(command, session);
}

} // namespace sparsight
