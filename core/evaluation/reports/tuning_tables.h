// Whole tunings in the report on transfer between machines: tables, beside Tables 7 and 8 of Verma et al.
// (2023), sentences, a figure of each network, JSON and lines of CSV.
#pragma once

#include "evaluation/hardware_experiment.h"
#include "evaluation/reports/evaluation_tables.h"

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

namespace sparsight {

/// With their headings, in their order; none without tunings.
[[nodiscard]] std::vector<std::pair<std::string, TextTable>>
tuning_tables(const HardwareExperiment& experiment);
[[nodiscard]] std::vector<std::string> tuning_sentences(const HardwareExperiment& experiment);
/// {"workloads": […], "networks": […]}
[[nodiscard]] nlohmann::ordered_json tuning_json(const HardwareExperiment& experiment);
/// space,workload,machine,rule,measurements,seed,,milliseconds,tuning_ms: where a faster one was found, and
/// the last measurement.
[[nodiscard]] std::string tuning_csv(const HardwareExperiment& experiment);
/// Its inference time over the fastest recorded by the measurements of each task, an SVG element.
[[nodiscard]] std::string network_svg(const TunedNetwork& network);

} // namespace sparsight
