// The experiment on transfer to new machines as text, Markdown, CSV, JSON, a figure and a page.
#pragma once

#include "evaluation/hardware_experiment.h"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace sparsight {

[[nodiscard]] std::string hardware_text(const HardwareExperiment& experiment);
[[nodiscard]] std::string hardware_markdown(const HardwareExperiment& experiment);
/// One line a point.
[[nodiscard]] std::string hardware_csv(const HardwareExperiment& experiment);
[[nodiscard]] nlohmann::ordered_json hardware_json(const HardwareExperiment& experiment);
/// The mean regret by the number of measurements, and below it the progress of whole tunings, an SVG element;
/// empty without either.
[[nodiscard]] std::string hardware_figure(const HardwareExperiment& experiment);
[[nodiscard]] std::string hardware_html(const HardwareExperiment& experiment);

} // namespace sparsight
