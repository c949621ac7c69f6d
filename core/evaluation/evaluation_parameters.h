// The parameters of an evaluation as its run keeps them (stored_evaluations.h).
#pragma once

#include "store/runs.h"
#include "study/domain.h"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>

namespace sparsight {

/// An empty object where they can't be understood.
[[nodiscard]] nlohmann::json parameters_of(const RunRecord& run);

/// Empty where it has no such text.
[[nodiscard]] std::string text_in(const nlohmann::json& object, const char* member);
[[nodiscard]] std::optional<std::int64_t> number_in(const nlohmann::json& object, const char* member);

/// The options of the setting stand among the parameters of the run.
[[nodiscard]] std::optional<Setting> setting_in(const nlohmann::json& parameters, const Domain& domain);

/// A run that names no domain, as those of early versions, is of the one whose setting its parameters tell.
[[nodiscard]] bool is_of(const nlohmann::json& parameters, const Domain& domain);

/// For the order of runs, also of those that began in one moment.
[[nodiscard]] inline std::pair<std::string, RunId> begun(const RunRecord& run) {
    return {run.started, run.id};
}

} // namespace sparsight
