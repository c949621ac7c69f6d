// The whole way at once: generated matrices and those of files are measured, a model learns, and what it
// chooses is measured, too.
#pragma once

#include "base/observer.h"
#include "collection/collector.h"
#include "domains/sparse/explanation/pages/collection_report.h"
#include "domains/sparse/schedule/operator.h"
#include "workflow/evaluation/evaluation_job.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace sparsight {

inline constexpr Seconds demo_budget{310}; ///< with the probe and the report: within six minutes
inline constexpr Seconds demo_budget_without_learning{150};

struct DemoRequest {
    std::vector<std::string> files; ///< of matrices, besides the generated ones
    CollectionRequest measuring;    ///< threads, protocol
    SparseSetting setting{};
    int schedules = 100;           ///< drawn for each matrix that is looked at
    std::optional<Seconds> budget; ///< of measuring and learning; absent: as above
    bool is_without_learning = false;
    std::uint64_t seed = 1;
    std::string created_by; ///< the program and its version
};

struct DemoOutcome {
    CollectionReport report;
    std::optional<EvaluationOutcome> learned;
    std::vector<Error> failures; ///< files and measurements that failed, and learning; the rest stands
    bool complete = false;
};

/// `domains` and `measuring` have matrices. Failures are complained about when they happen. Nothing where it
/// was stopped while the computer itself was measured. Errors: those of the workspace; Fault::Cancelled where
/// it was stopped while others measured.
[[nodiscard]] Result<std::optional<DemoOutcome>> run_demo(Workspace& workspace, const DomainRegistry& domains,
                                                          const MeasuringDomains& measuring,
                                                          const DemoRequest& request, Observer& observer,
                                                          const std::stop_token& stop);

} // namespace sparsight
