// The report's experiment from its beginning to its table: measure, train, meta-train, fine-tune, and let the
// models choose on two machines. What is there already is used, so that the same request goes on where it was
// stopped.
#pragma once

#include "domains/sparse/explanation/pages/meta_learning_report.h"
#include "workflow/evaluation/evaluation_job.h"

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace sparsight {

struct ExperimentRequest {
    std::string weights; ///< a model in the place of WACO-style training, such as WACO's own; empty: trained
    std::string second;  ///< a recorded machine, by name; empty: the report's machine B, simulated
    std::string split;   ///< empty: made by the first training
    std::vector<std::string> matrices; ///< to measure and learn from; none: all
    std::string config;                ///< settings of both trainings; empty: none
    bool is_quick = false;             ///< models of statistics, few schedules, few epochs
    int schedules = 100;               ///< drawn for each matrix
    int shots = 100;                   ///< matrices of the second machine to fine-tune on
    int k = 20;
    std::int64_t dense = 256;
    CollectionRequest measuring; ///< threads, protocol; the budget is for all measuring
    std::uint64_t seed = 1;
    std::string created_by; ///< the program and its version
};

struct ExperimentOutcome {
    MetaLearningReport experiment;
    std::vector<CollectionFailure> failures;
    bool complete = false;
};

/// `domains` and `measuring` have matrices. Its stages are events and remarks. Errors: those of
/// sparsight-learn, of the workspace, and of the request; Fault::Cancelled.
[[nodiscard]] Result<ExperimentOutcome> run_experiment(Workspace& workspace, const DomainRegistry& domains,
                                                       const MeasuringDomains& measuring,
                                                       const ExperimentRequest& request, Observer& observer,
                                                       const std::stop_token& stop);

} // namespace sparsight
