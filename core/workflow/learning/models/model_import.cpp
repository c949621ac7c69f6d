#include "workflow/learning/models/model_import.h"

#include "store/models.h"
#include "workflow/learning/training/model_storage.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
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
    return fail(Fault::Input,
                fmt::format("it would be called {}, and the workspace has a model of that name already (of "
                            "{}): import it with --name NAME under another one, or remove that model first "
                            "(models remove {})",
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
