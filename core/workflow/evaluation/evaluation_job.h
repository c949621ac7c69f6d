// Evaluating models: sparsight-learn chooses, this computer measures what was chosen (or its time is looked
// up), and the figures are summed up. Everything is stored on the way, so that the same request goes on where
// it was stopped.
#pragma once

#include "base/observer.h"
#include "collection/collector.h"
#include "evaluation/model_evaluation.h"
#include "workflow/chosen_setting.h"

#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace sparsight {

struct EvaluationRequest {
    std::vector<std::string> models{};
    /// None: all that none of the models was trained on, of a recorded machine those that it has a time of
    /// the baseline for.
    std::vector<std::string> workloads{};
    std::string split{}; ///< its test part instead; empty: none
    /// Domain and setting where the models do not say them; what they say has to agree.
    SettingChoice setting{};
    /// Name or fingerprint, or a name with the condition of its times, as in "A100 (run=2021)"; empty: this
    /// computer, measured.
    std::string machine{};
    int k = 20;
    std::string method{};                 ///< of the search; empty: sparsight-learn's own choice
    std::optional<std::int64_t> scored{}; ///< configurations that a search may score
    /// How chosen configurations are measured. Setting, workloads and configurations are filled in.
    CollectionRequest measuring{};
    int resamples = 10'000;
    std::uint64_t seed = 1;
    std::string created_by{}; ///< the program and its version
    /// Called with what was chosen before times are looked up, for a machine whose times can be made.
    std::function<Result<void>(const ConfigurationsByWorkload& chosen)> supply_times{};
};

struct EvaluationOutcome {
    ModelEvaluation evaluation;
    CollectionSummary measured;
    bool complete = false;            ///< every model has chosen, and nothing that was chosen lacks a time
    std::vector<std::string> trained; ///< workloads that a model was trained on all the same
    std::vector<LeftOutWorkload> unsearched; ///< that a model could not choose for, and why; also left out
    std::vector<std::string> remarks{};      ///< on models that were made for another setting; sentences
};

/// In a domain that `measuring` has not, times can only be looked up. Errors: a model, workload, split or
/// machine that is not there; models of different domains or settings; those of sparsight-learn and of the
/// workspace. Stopped while choosing: Fault::Cancelled; while measuring: an outcome that is not complete.
[[nodiscard]] Result<EvaluationOutcome> run_evaluation(Workspace& workspace, const DomainRegistry& domains,
                                                       const MeasuringDomains& measuring,
                                                       const EvaluationRequest& request, Observer& observer,
                                                       const std::stop_token& stop);

// The last round of an evaluation: the fastest configurations of every workload are measured once more, in
// turns (collection/collector.h), and stored workload by workload.

struct RematchOutcome {
    bool complete = true; ///< false: stopped or out of time, and there is more to do; or something failed
    /// Workloads that can't be measured in turns; they keep the times that they have.
    std::vector<CollectionFailure> failures;
};

/// Of these workloads, on this computer. One that has been through it is left alone, unless
/// `request.again`, or unless other configurations are the fastest by now. Errors are those of the workspace.
[[nodiscard]] Result<RematchOutcome>
run_rematch(Workspace& workspace, const MeasuringDomain& domain, const EvaluationScope& scope,
            std::span<const WorkloadRecord> workloads, const CollectionRequest& request,
            std::optional<Seconds> time, Observer& observer, const std::stop_token& stop);

} // namespace sparsight
