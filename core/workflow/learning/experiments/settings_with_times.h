// The settings that an experiment is about.
#pragma once

#include "base/error.h"
#include "study/domain.h"

#include <span>
#include <string>
#include <vector>

namespace sparsight {

class Workspace;

/// Those of these texts; without any, all of the domain that have times, by their texts. Error (Input): a
/// text that is no setting.
[[nodiscard]] Result<std::vector<Setting>> settings_with_times(Workspace& workspace, const Domain& domain,
                                                               std::span<const std::string> texts);

} // namespace sparsight
