// Models between the workspace (store/models.h), where they are bytes, and the domain that understands them.
#pragma once

#include "base/error.h"
#include "learning/learning_domain.h"
#include "learning/training/learning_method.h"
#include "machine/machine_description.h"
#include "model/checkpoints/checkpoint.h"
#include "model/networks/encoder.h"
#include "store/models.h"
#include "workflow/chosen_setting.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace sparsight {

class Workspace;

struct StoredModel {
    ModelRecord record;
    Checkpoint checkpoint;
    const LearningDomain* domain = nullptr; ///< its own

    [[nodiscard]] const ModelArchitecture& architecture() const { return checkpoint.model.architecture; }
    /// "spmm"
    [[nodiscard]] std::string purpose() const { return domain->purpose(architecture()); }
    /// Of a network.
    [[nodiscard]] std::shared_ptr<const Encoder> encoder() const {
        return domain->encoder(architecture()).value(); // it was checked when the model was read
    }
    /// Whether what is known of a machine is an input: of trees, too.
    [[nodiscard]] bool reads_machine() const {
        if (is_network(checkpoint.model))
            return encoder()->reads_machine();
        const auto features = domain->tree_features(architecture());
        return features && !(*features)->machine_numbers(nullptr).empty();
    }
};

/// By name. The error (Fault::Input) names the models that there are, or what is wrong with this one.
[[nodiscard]] Result<StoredModel> load_model(Workspace& workspace, const LearningDomains& domains,
                                             std::string_view name);

/// What the model leaves open is as the user says. Error (Input): what they say is of another domain, or the
/// model is made for something else.
[[nodiscard]] Result<Setting> setting_for(const StoredModel& model, const SettingChoice& choice);

/// A model that reads descriptions of machines would take a missing one for a strange one. Error (Input): it
/// reads them, and there is none.
[[nodiscard]] Result<void> check_description(const StoredModel& model,
                                             const std::optional<MachineDescription>& machine);

/// Of a model, by its description alone: weights are read where they are needed. Errors as of load_model().
[[nodiscard]] Result<const Domain*> domain_of_model(Workspace& workspace, const LearningDomains& domains,
                                                    std::string_view name);

/// The record alone; errors as above.
[[nodiscard]] Result<ModelRecord> model_record(Workspace& workspace, std::string_view name);

/// An error (Fault::Input) where the name is taken or empty.
[[nodiscard]] Result<void> check_new_name(Workspace& workspace, std::string_view name);

struct ModelOrigin {
    std::string name;
    std::optional<RunId> run{};
    std::optional<ModelId> parent{};
};
/// An error where the name is taken.
[[nodiscard]] Result<ModelId> keep_model(Workspace& workspace, const ModelOrigin& origin,
                                         const Checkpoint& checkpoint);

/// "3 workloads in 9 groups of configurations", "100 configurations of 1 workload"
[[nodiscard]] std::string learned_text(const TrainingRecord& training, const DomainWords& words);

/// Weights, and inner rates where the model has learned some.
[[nodiscard]] MetaParameters parameters_of(const Checkpoint& checkpoint, at::Device device);

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
/// Workspaces know it by the name that it had when all models were for an operator.
inline constexpr std::string_view guessed_purpose_setting = "operator_guessed_by";
/// Empty where it is known.
[[nodiscard]] std::string purpose_guessed_by(const ModelDescription& model);

} // namespace sparsight
