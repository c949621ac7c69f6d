// The order of all configurations in the report on transfer between machines: a table with and one without
// machines of the target's kind, and JSON.
#pragma once

#include "evaluation/hardware_experiment.h"
#include "evaluation/reports/evaluation_tables.h"

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

namespace sparsight {

/// With their headings; none without orders.
[[nodiscard]] std::vector<std::pair<std::string, TextTable>>
order_tables(const HardwareExperiment& experiment);
/// What they show; empty without orders.
[[nodiscard]] std::string order_sentence(const HardwareExperiment& experiment);
[[nodiscard]] nlohmann::ordered_json orders_json(const HardwareExperiment& experiment);

} // namespace sparsight
