// The experiment on tuners as text, Markdown, CSV, JSON, a figure and a page.
#pragma once

#include "evaluation/tuner_experiment.h"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace sparsight {

[[nodiscard]] std::string tuner_text(const TunerExperiment& experiment);
[[nodiscard]] std::string tuner_markdown(const TunerExperiment& experiment);
/// One line a training.
[[nodiscard]] std::string tuner_csv(const TunerExperiment& experiment);
[[nodiscard]] nlohmann::ordered_json tuner_json(const TunerExperiment& experiment);
/// The error of the speed by epoch, of the first split, and below it the pairs in order by split; both of all
/// data, or the first sample. Empty without either.
[[nodiscard]] std::string tuner_figure(const TunerExperiment& experiment);
[[nodiscard]] std::string tuner_html(const TunerExperiment& experiment);

} // namespace sparsight
