// Which workloads of a machine to measure, so that a model learns most from them.
#pragma once

#include "base/error.h"
#include "base/observer.h"
#include "learning/learning_domain.h"

#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

namespace sparsight {

struct AdviceRequest {
    std::string model;   ///< a gray box
    std::string machine; ///< name or fingerprint
    std::size_t count = 5;
    std::uint64_t seed = 1; ///< of the configurations that stand for those that will be measured
    int threads = 1;
};

struct AdvisedWorkload {
    std::string name;
    double doubt_left = 1; ///< TellingWorkload::doubt_left
};

struct MeasuringAdvice {
    std::string machine;
    Setting setting;                        ///< in which to measure: that of the model
    std::vector<AdvisedWorkload> workloads; ///< in the order in which they should be measured
    std::size_t known = 0;                  ///< workloads that the machine has times of already
    std::vector<std::string> notes;         ///< sentences
};

/// Errors (Input): the model is no gray box, or the machine is not known; those of machine_tasks();
/// Fault::Cancelled.
[[nodiscard]] Result<MeasuringAdvice> advise_measuring(Workspace& workspace, const LearningDomains& domains,
                                                       const AdviceRequest& request,
                                                       const std::stop_token& stop = {},
                                                       const ProgressSink& progress = {});

} // namespace sparsight
