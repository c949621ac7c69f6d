// Measured tuning records as a domain: what the engine asks of it. Its times are looked up in the workspace
// where other domains measure.
#pragma once

#include "study/domain.h"

#include <memory>

namespace sparsight {

/// Workloads are those of tables, known by name and facts. A setting is the space that a configuration is of
/// (record_setting()), which is the family of its text, too. Configurations are values of named decisions
/// (record_space.h); there is no baseline. space() is made of the texts recorded.
[[nodiscard]] std::unique_ptr<const Domain> make_records_domain();

} // namespace sparsight
