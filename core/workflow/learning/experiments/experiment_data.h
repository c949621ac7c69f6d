// What experiments read of a workspace: the settings that they are about, and the data sheets of its
// machines.
#pragma once

#include "base/error.h"
#include "learning/transfer/unmeasured_choice.h"
#include "study/domain.h"

#include <span>
#include <string>
#include <vector>

namespace sparsight {

class Workspace;

/// The settings of these texts; without any, all of the domain that have times, by their texts. Error
/// (Input): a text that is no setting.
[[nodiscard]] Result<std::vector<Setting>> settings_with_times(Workspace& workspace, const Domain& domain,
                                                               std::span<const std::string> texts);

/// Of all machines, by their names.
[[nodiscard]] Result<KnownSheets> known_sheets(Workspace& workspace);

} // namespace sparsight
