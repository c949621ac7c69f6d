// Evaluates models: sparsight-learn chooses configurations, this computer measures them (or their times are
// looked up, or simulated where they are missing), and summary figures are computed. All steps are stored, so
// that the same request resumes where it was stopped.
#pragma once

#include "base/observer.h"
#include "collection/collector.h"
#include "evaluation/model_evaluation.h"
#include "workflow/chosen_setting.h"
#include "workflow/evaluation/simulating_domain.h"

#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace sparsight {

struct EvaluationRequest {
    std::vector<std::string> models{};
    /// Empty: all workloads that no model was trained on; where times are only looked up, only those with a
    /// time of the baseline.
    std::vector<std::string> workloads{};
    std::string split{}; ///< use its test part instead; empty: none
    /// Domain and setting, where the models do not determine them; otherwise they must agree.
    SettingChoice setting{};
    /// Name or fingerprint, or a name with a condition, as in "A100 (run=2021)"; empty: measured on this
    /// computer.
    std::string machine{};
    int k = 20;
    std::string method{};                 ///< search method; empty: sparsight-learn chooses it
    std::optional<std::int64_t> scored{}; ///< number of configurations that a search may score
    /// How chosen configurations are measured. Setting, workloads and configurations are filled in.
    CollectionRequest measuring{};
    int resamples = 10'000;
    std::uint64_t seed = 1;
    std::string created_by{}; ///< the program and its version
    /// Those of the program: they make times that a simulated machine lacks.
    std::vector<const SimulatingDomain*> simulating{};
};

struct EvaluationOutcome {
    ModelEvaluation evaluation;
    CollectionSummary measured;       ///< of simulated times the failures alone
    bool complete = false;            ///< every model has chosen, and every choice has a time
    std::vector<std::string> trained; ///< evaluated workloads that a model was trained on
    /// Workloads that a model could not choose for, with reasons; these are left out.
    std::vector<LeftOutWorkload> unsearched;
    std::vector<std::string> remarks{}; ///< sentences about models that were made for another setting
    std::string
        earlier{}; ///< whether these figures were stored, or in what the stored ones differ; may be empty
};

/// The figures of the same evaluation, where the workspace has one that finished and nothing is missing in it
/// since: only reads, so that a workspace that can't be written answers as well. Absent where
/// run_evaluation() has something to do; nothing is told then. Errors: those of run_evaluation().
[[nodiscard]] Result<std::optional<EvaluationOutcome>>
find_stored_evaluation(Workspace& workspace, const DomainRegistry& domains, const MeasuringDomains& measuring,
                       const EvaluationRequest& request, Observer& observer);

/// Without a `measuring` domain, times can only be looked up or simulated. Errors: an unknown model,
/// workload, split or machine; models of different domains or settings; those of sparsight-learn and of the
/// workspace. When it is stopped while choosing: Fault::Cancelled; while measuring: an outcome that is not
/// complete.
[[nodiscard]] Result<EvaluationOutcome> run_evaluation(Workspace& workspace, const DomainRegistry& domains,
                                                       const MeasuringDomains& measuring,
                                                       const EvaluationRequest& request, Observer& observer,
                                                       const std::stop_token& stop);

} // namespace sparsight
