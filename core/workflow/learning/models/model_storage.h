// Reads and writes models of a workspace (store/models.h), where they are bytes that their domain
// understands.
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
    const LearningDomain* domain = nullptr; ///< the domain of the model

    [[nodiscard]] const ModelArchitecture& architecture() const { return checkpoint.model.architecture; }
    /// "spmm"
    [[nodiscard]] std::string purpose() const { return domain->purpose(architecture()); }
    /// The encoder of a network.
    [[nodiscard]] std::shared_ptr<const Encoder> encoder() const {
        return domain->encoder(architecture()).value(); // it was checked when the model was read
    }
    /// Whether the model reads facts of the machine; trees may, too.
    [[nodiscard]] bool reads_machine() const {
        if (is_network(checkpoint.model))
            return encoder()->reads_machine();
        const auto features = domain->tree_features(architecture());
        return features && !(*features)->machine_numbers(nullptr).empty();
    }
};

/// Finds a model by name. The error (Fault::Input) lists the known models, or says what is wrong with this
/// one.
[[nodiscard]] Result<StoredModel> load_model(Workspace& workspace, const LearningDomains& domains,
                                             std::string_view name);

/// The setting of a model; the user supplies what the model leaves open. Error (Input): the user's choice
/// belongs to another domain, or the model is for something else.
[[nodiscard]] Result<Setting> setting_for(const StoredModel& model, const SettingChoice& choice);

/// A model that reads machine descriptions would treat a missing description as an unusual machine. Error
/// (Input): the model reads them, and there is none.
[[nodiscard]] Result<void> check_description(const StoredModel& model,
                                             const std::optional<MachineDescription>& machine);

/// The domain of a model, from its description; weights are not read. Errors: those of load_model().
[[nodiscard]] Result<const Domain*> domain_of_model(Workspace& workspace, const LearningDomains& domains,
                                                    std::string_view name);

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

/// The name for a model from a file: `name`; if empty, the name in its description, which is then removed
/// from the description; otherwise the name of the file. Error: another model has this name.
[[nodiscard]] Result<std::string> name_for_import(Workspace& workspace, const std::string& asked,
                                                  const std::string& file, ModelDescription& model);

struct ImportedModel {
    std::string name; ///< in the workspace
    ModelDescription description;
    std::string purpose; ///< LearningDomain::purpose()
};

/// Imports a file that `models export` wrote, in any domain; `name` may be empty. Errors: the file can't be
/// read, or another model has its name.
[[nodiscard]] Result<ImportedModel> import_model(Workspace& workspace, const LearningDomains& domains,
                                                 const std::string& name, const std::string& file);

/// A setting that is stored with a model whose file did not say what the model is for: how its purpose was
/// guessed. The key keeps the name from the time when all models were for an operator.
inline constexpr std::string_view guessed_purpose_setting = "operator_guessed_by";
/// Empty where the purpose was not guessed.
[[nodiscard]] std::string purpose_guessed_by(const ModelDescription& model);

} // namespace sparsight
