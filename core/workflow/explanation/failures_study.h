// Where models lost in a stored evaluation, and why. A domain with a clock or a simulator of its own
// diagnoses its failures itself; in all others the times of hybrids are looked up among those that are known.
#pragma once

#include "base/observer.h"
#include "base/quantity.h"
#include "evaluation/failures/failure_groups.h"
#include "evaluation/model_evaluation.h"
#include "machine/machine_description.h"
#include "store/workspace.h"
#include "study/domain.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace sparsight {

struct FailuresRequest {
    std::string model{};                      ///< only this one's; empty: all that were evaluated
    std::string machine{};                    ///< of the evaluation, name or fingerprint; empty: any
    std::optional<std::int64_t> evaluation{}; ///< number of its run; absent: the newest
    std::uint64_t seed = 1;
};

struct FailuresAnswer {
    std::optional<RunId> run{}; ///< of an evaluation
    DomainWords words{};        ///< of the domain
    Setting setting{};
    std::vector<SettingMember> setting_members{};
    std::string machine{};        ///< whose times these are
    std::string sentence{};       ///< workloads, setting, machine
    std::size_t compared = 0;     ///< choices, failures or not
    std::string date{};           ///< of the newest time; empty where nobody tells
    ModelEvaluation evaluation{}; ///< empty where it is not of an evaluation
    std::vector<FailureCase> cases{};
    std::vector<FailureGroup> groups{};
    std::optional<MachineDescription> simulated_on{}; ///< absent: nothing was simulated
    bool stands_in = false; ///< that one is this computer, in place of one that is known by its name alone
    std::vector<std::string> remarks{}; ///< for the user
};

/// The run of the evaluation that is asked for, of this domain. Error (Input): there is none.
[[nodiscard]] Result<RunId> evaluation_asked_for(Workspace& workspace, const Domain& domain,
                                                 const FailuresRequest& request);

/// What an evaluation is about, without its failures.
[[nodiscard]] FailuresAnswer answer_about(RunId run, ModelEvaluation evaluation, const Domain& domain);

/// Leaves the cases of one model, and groups them anew; of all models where the name is empty. Error (Input):
/// it is not part of the evaluation.
[[nodiscard]] Result<void> keep_model(FailuresAnswer& answer, const std::string& model);

/// By times that are known. Errors: no such evaluation; those of the workspace; Fault::Cancelled.
[[nodiscard]] Result<FailuresAnswer> answer_failures(Workspace& workspace, const Domain& domain,
                                                     const FailuresRequest& request, Observer& observer,
                                                     const std::stop_token& stop);

/// How long models are asked for their reasons, and for which cases.
struct ReasonsOfCases {
    std::string workspace{}; ///< its path
    Seconds budget{};        ///< of each case
    std::size_t cases = 5;   ///< of each group, the first ones
    std::uint64_t seed = 1;
};

/// What `sparsight-learn reasons` is asked about a case: the machine, the condition and the setting are those
/// of the evaluation that it failed in.
[[nodiscard]] std::vector<std::string> reasons_arguments(const FailureCase& failure,
                                                         const ModelEvaluation& evaluation, Seconds budget);

/// Asks the models, by `sparsight-learn reasons`, why they preferred what they chose; fills the reasons of
/// the cases. A model that can't be asked is told with the case. Error: Fault::Cancelled.
[[nodiscard]] Result<void> ask_for_reasons(FailuresAnswer& answer, const ReasonsOfCases& asked,
                                           Observer& observer, const std::stop_token& stop);

/// What a page says of how it was made.
struct PageSource {
    std::uint64_t seed = 1;
    std::string created_by{}; ///< program and version
    std::string command{};    ///< that gives the page again
};

/// The failures as a page of HTML, with the whole evaluation behind them.
[[nodiscard]] std::string failures_page(const FailuresAnswer& answer, const PageSource& source);

} // namespace sparsight
