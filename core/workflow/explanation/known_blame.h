// Which decision of a configuration costs or saves how much against another one, by the known times of their
// mixtures: nothing is measured or simulated.
#pragma once

#include "evaluation/diagnosis/blame.h"
#include "store/results.h"
#include "store/workspace.h"
#include "study/domain.h"

#include <stop_token>
#include <string>

namespace sparsight {

/// Of two texts. Errors: those of the codec and of ConfigurationSpace::between() (Input, Limit), and of
/// find_blame().
[[nodiscard]] Result<Blame> blame_between(const ConfigurationSpace& space, const ConfigurationCodec& codec,
                                          Clock& clock, const std::string& against,
                                          const std::string& configuration, const BlameOptions& options);

/// Texts of two configurations with times under the conditions of `times`, which name a workload.
struct KnownBlameRequest {
    ResultQuery times;
    Setting setting;
    std::string against;
    std::string configuration;
};

/// Errors: as of blame_between(); the workload is unknown (Input); those of the workspace.
[[nodiscard]] Result<Blame> blame_by_known_times(Workspace& workspace, const Domain& domain,
                                                 const KnownBlameRequest& request,
                                                 const std::stop_token& stop);

} // namespace sparsight
