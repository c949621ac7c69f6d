#include "workflow/learning/models/model_storage.h"

#include "model/networks/gray_box.h"

#include "base/text.h"
#include "store/workspace.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <utility>

namespace sparsight {

Result<Setting> setting_for(const StoredModel& model, const SettingChoice& choice) {
    const Domain& domain = model.domain->domain();
    if (!choice.domain.empty() && choice.domain != domain.name())
        return fail(Fault::Input, fmt::format("the model {} is of the domain {}, not of {}",
                                              model.record.name, domain.name(), choice.domain));
    if (auto checked = check_options(domain, choice.options); !checked)
        return std::unexpected(std::move(checked).error());
    if (choice.text.empty())
        return model.domain->setting_of(model.architecture(), choice.options);
    auto setting = domain.parse_setting(choice.text);
    const auto own = model.domain->setting_of(model.architecture(), {});
    const bool is_closed = is_network(model.checkpoint.model) && model.encoder()->gray_box() != nullptr;
    if (setting && is_closed && own && *own != *setting)
        return fail(Fault::Input,
                    fmt::format("the model {} simulates {}, and nothing else", model.record.name, own->text));
    if (setting && model.domain->purpose(*setting) != model.purpose())
        return fail(Fault::Input, fmt::format("the model {} is made for {}, not for {}", model.record.name,
                                              model.purpose(), choice.text));
    return setting;
}

Result<void> check_description(const StoredModel& model, const std::optional<MachineDescription>& machine) {
    if (machine || !model.reads_machine())
        return {};
    return fail(Fault::Input,
                fmt::format("the model {} reads the description of a machine, and the workspace "
                            "has none of this computer: expected --machine",
                            model.record.name));
}

Result<StoredModel> load_model(Workspace& workspace, const LearningDomains& domains, std::string_view name) {
    auto record = require_model(workspace, name);
    if (!record)
        return std::unexpected(std::move(record).error());
    const auto bytes = load_weights(workspace, record->id);
    if (!bytes)
        return std::unexpected(bytes.error());
    auto checkpoint = parse_checkpoint(*bytes, domains);
    if (!checkpoint)
        return fail(checkpoint.error().fault,
                    fmt::format("the model '{}' can't be read: {}", name, checkpoint.error().message));
    const auto domain = domains.of(checkpoint->model.architecture);
    if (!domain)
        return std::unexpected(domain.error());
    return StoredModel{*std::move(record), *std::move(checkpoint), *domain};
}

Result<const Domain*> domain_of_model(Workspace& workspace, const LearningDomains& domains,
                                      std::string_view name) {
    const auto record = require_model(workspace, name);
    if (!record)
        return std::unexpected(record.error());
    const auto description = parse_model_description(record->description, domains);
    if (!description)
        return fail(description.error().fault,
                    fmt::format("the model '{}' can't be read: {}", name, description.error().message));
    const auto domain = domains.of(description->architecture);
    if (!domain)
        return std::unexpected(domain.error());
    return &(*domain)->domain();
}

Result<void> check_new_name(Workspace& workspace, std::string_view name) {
    if (name.empty())
        return fail(Fault::Input, "a model needs a name");
    const auto known = find_model(workspace, name);
    if (!known)
        return std::unexpected(known.error());
    if (*known)
        return fail(Fault::Input,
                    fmt::format("there is a model called {} already (of {}): choose another name, "
                                "or remove that one with `models remove`",
                                name, (*known)->created));
    return {};
}

Result<ModelId> keep_model(Workspace& workspace, const ModelOrigin& origin, const Checkpoint& checkpoint) {
    return add_model(workspace, {origin.name, origin.run, origin.parent, to_json(checkpoint.model)},
                     checkpoint_bytes(checkpoint));
}

std::string learned_text(const TrainingRecord& training, const DomainWords& words) {
    const std::string workloads = counted(training.workloads.size(), words.workload.one, words.workload.many);
    if (training.rows > 0)
        return fmt::format(
            "{} of {}", counted(training.rows, words.configuration.one, words.configuration.many), workloads);
    return training.groups > 0
               ? fmt::format("{} in {} groups of {}", workloads, training.groups, words.configuration.many)
               : workloads;
}

MetaParameters parameters_of(const Checkpoint& checkpoint, at::Device device) {
    MetaParameters parameters{to_tensors(checkpoint.weights, true, at::kFloat, device), std::nullopt};
    if (!checkpoint.rates.empty())
        parameters.rates = to_tensors(checkpoint.rates, true, at::kFloat, device);
    return parameters;
}

namespace {

/// A file says what it likes: a name of many lines, or of none, is no name. A comma would divide it where
/// models are named together (--models A,B).
bool can_be_a_name(const std::string& text) {
    constexpr std::size_t longest = 200;
    return !text.empty() && text.size() <= longest && std::ranges::none_of(text, [](unsigned char letter) {
        return letter < ' ' || letter == 127 || letter == ',';
    });
}

} // namespace

Result<std::string> name_for_import(Workspace& workspace, const std::string& asked, const std::string& file,
                                    ModelDescription& model) {
    const std::string in_file = std::exchange(model.name, {});
    std::string name = !asked.empty()           ? asked
                       : can_be_a_name(in_file) ? in_file
                                                : std::filesystem::path(file).stem().string();
    const auto known = find_model(workspace, name);
    if (!known)
        return std::unexpected(known.error());
    if (!*known)
        return name;
    return fail(Fault::Input, fmt::format("the workspace has a model called {} (of {}): import with --name "
                                          "NAME, or remove that model (models remove {})",
                                          name, (*known)->created, name));
}

Result<ImportedModel> import_model(Workspace& workspace, const LearningDomains& domains,
                                   const std::string& name, const std::string& file) {
    auto checkpoint = read_checkpoint(file, domains);
    if (!checkpoint)
        return std::unexpected(std::move(checkpoint).error());
    const auto in_file = [&](const Error& error) {
        return std::unexpected(Error{error.fault, error.message, error.file.empty() ? file : error.file, 0});
    };
    auto free_name = name_for_import(workspace, name, file, checkpoint->model);
    if (!free_name)
        return in_file(free_name.error());
    if (const auto kept = keep_model(workspace, {*free_name}, *checkpoint); !kept)
        return in_file(kept.error());
    const ModelArchitecture& architecture = checkpoint->model.architecture;
    std::string purpose =
        domains.of(architecture).value()->purpose(architecture); // read_checkpoint() knew it
    return ImportedModel{*std::move(free_name), std::move(checkpoint->model), std::move(purpose)};
}

std::string purpose_guessed_by(const ModelDescription& model) {
    const auto& settings = model.training.settings;
    const auto found = settings.find(std::string(guessed_purpose_setting));
    return found == settings.end() ? std::string() : found->second;
}

} // namespace sparsight
