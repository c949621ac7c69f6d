// The failures of models in a stored evaluation, and their causes. A domain with a clock or a simulator
// diagnoses its failures itself; in other domains, the times of hybrids are looked up among the known times.
#pragma once

#include "base/observer.h"
#include "base/quantity.h"
#include "evaluation/failures/failure_groups.h"
#include "evaluation/model_evaluation.h"
#include "evaluation/stored_evaluations.h"
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
    std::string model{};                      ///< only this model; empty: all evaluated models
    std::string machine{};                    ///< name or fingerprint of the evaluation's machine; empty: any
    std::optional<std::int64_t> evaluation{}; ///< number of the evaluation's run; absent: the newest
    std::uint64_t seed = 1;
};

struct FailuresAnswer {
    std::optional<RunId> run{}; ///< run of the evaluation
    DomainWords words{};        ///< words of the domain
    Setting setting{};
    std::vector<SettingMember> setting_members{};
    std::string machine{};        ///< the machine of these times
    std::string sentence{};       ///< workloads, setting and machine in one sentence
    std::size_t compared = 0;     ///< number of choices, failures or not
    std::string date{};           ///< date of the newest time; empty where it is not known
    ModelEvaluation evaluation{}; ///< empty where the failures are not from an evaluation
    std::vector<FailureCase> cases{};
    std::vector<FailureGroup> groups{};
    /// Machine of the simulation; absent: nothing was simulated.
    std::optional<MachineDescription> simulated_on{};
    bool stands_in =
        false; ///< the simulation uses this computer, since only the name of the machine is known
    std::vector<std::string> remarks{}; ///< sentences for the user
};

/// The requested evaluation of this domain. Error (Input): there is none.
[[nodiscard]] Result<NewestEvaluation> requested_evaluation(Workspace& workspace, const Domain& domain,
                                                            const FailuresRequest& request);

/// Says where the requested evaluation stands in the place of a newer one without times in turns, or has none
/// itself.
[[nodiscard]] std::vector<std::string> remarks_on_evaluation(const NewestEvaluation& requested);

/// The facts of an evaluation, without its failures.
[[nodiscard]] FailuresAnswer answer_about(RunId run, ModelEvaluation evaluation, const Domain& domain);

/// Keeps only the cases of one model (empty: of all models) and groups them again. Error (Input): the model
/// is not part of the evaluation.
[[nodiscard]] Result<void> keep_model(FailuresAnswer& answer, const std::string& model);

/// Finds and explains failures by known times. Errors: no such evaluation; those of the workspace;
/// Fault::Cancelled.
[[nodiscard]] Result<FailuresAnswer> answer_failures(Workspace& workspace, const Domain& domain,
                                                     const FailuresRequest& request, Observer& observer,
                                                     const std::stop_token& stop);

/// Asks the gray boxes of the cases which of their parts misled them, and fills that in. A remark says why
/// one can't be asked. Errors: Fault::Cancelled; those of the workspace.
[[nodiscard]] Result<void> ask_what_misled(FailuresAnswer& answer, Workspace& workspace, Observer& observer,
                                           const std::stop_token& stop);

/// Which cases models are asked to explain, and how long each may take.
struct ReasonsOfCases {
    std::string workspace{}; ///< path of the workspace
    Seconds budget{};        ///< time for each case
    std::size_t cases = 5;   ///< number of cases of each group, from the first
    std::uint64_t seed = 1;
};

/// Arguments of `sparsight-learn reasons` for a case: machine, condition and setting are those of the case's
/// evaluation.
[[nodiscard]] std::vector<std::string> reasons_arguments(const FailureCase& failure,
                                                         const ModelEvaluation& evaluation, Seconds budget);

/// Runs `sparsight-learn reasons` to ask the models why they preferred their choices, and fills in the
/// reasons of the cases. If a model can't be asked, its case says why. Error: Fault::Cancelled.
[[nodiscard]] Result<void> ask_for_reasons(FailuresAnswer& answer, const ReasonsOfCases& asked,
                                           Observer& observer, const std::stop_token& stop);

/// The origin of a page, for its footer.
struct PageSource {
    std::uint64_t seed = 1;
    std::string created_by{}; ///< program and version
    std::string command{};    ///< the command that makes this page again
};

/// The failures as an HTML page, followed by the whole evaluation.
[[nodiscard]] std::string failures_page(const FailuresAnswer& answer, const PageSource& source);

} // namespace sparsight
