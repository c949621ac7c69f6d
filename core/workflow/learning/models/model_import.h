// A model from a file becomes one of the workspace.
#pragma once

#include "base/error.h"
#include "learning/learning_domain.h"
#include "model/checkpoints/checkpoint.h"

#include <string>
#include <string_view>

namespace sparsight {

class Workspace;

/// The name that a model from a file gets: the asked one, else the one in its description, which is taken out
/// of it, else that of the file. Error: another model has it.
[[nodiscard]] Result<std::string> name_for_import(Workspace& workspace, const std::string& asked,
                                                  const std::string& file, ModelDescription& model);

struct ImportedModel {
    std::string name; ///< in the workspace
    ModelDescription description;
    std::string purpose; ///< LearningDomain::purpose()
};

/// Of a file that `models export` wrote, in any domain; `name` may be empty. Errors: the file can't be read,
/// or another model has its name.
[[nodiscard]] Result<ImportedModel> import_model(Workspace& workspace, const LearningDomains& domains,
                                                 const std::string& name, const std::string& file);

/// Kept with a model, among its settings, where a file did not say what it is for: what that was guessed by.
inline constexpr std::string_view guessed_purpose_setting = "operator_guessed_by";
/// Empty where it is known.
[[nodiscard]] std::string purpose_guessed_by(const ModelDescription& model);

} // namespace sparsight
