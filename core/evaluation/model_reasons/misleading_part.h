// Which part of a gray box misled it into a slower choice: its simulator, or the correction that it learned.
#pragma once

#include "evaluation/model_reasons/predicted_times.h"

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace sparsight {

enum class MisledBy : std::uint8_t {
    Simulator,  ///< it has the order wrong; the correction mended a part of that, too little
    Correction, ///< the simulator has the order right, and the correction turned it
    Both,       ///< neither has it right, and the correction mended nothing
    Neither,    ///< together they have it right: the other one was not among those to choose from
};
/// In files: "simulator", "correction", "both", "neither".
[[nodiscard]] std::string_view name(MisledBy part);

/// The times of a slower choice over those of the configuration that it is held against.
struct MisleadingPart {
    double known = 1;     ///< above 1
    double simulated = 1; ///< by the model's own simulator
    double corrected = 1; ///< as the model learned it
    /// The parameter of the simulator that the correction changes most in this pair, by its key, and the
    /// factor that it is worth. Absent where no parameter is worth a hundredth.
    std::optional<std::string> distrusted{};
    double distrusted_factor = 1;

    [[nodiscard]] MisledBy by() const;
    /// The share of the simulator's mistake that the correction took away, by logarithms: 1 is all of it,
    /// below 0 it added to it. Absent where the simulator made none.
    [[nodiscard]] std::optional<double> mended() const;
    bool operator==(const MisleadingPart&) const = default;
};

/// Absent where the choice is not slower, or one of both could not run.
[[nodiscard]] std::optional<MisleadingPart>
misleading_part(const PredictedTime& chosen, const PredictedTime& against, double known_factor);

/// "The simulator misled gray: it says 0.800× instead of 1.50×. The correction mended 40.0 % of that, to
/// 1.05×." The parameter stands there by its key. misled_text() of the window says the same in the same
/// words, with the name that the window has for the parameter.
[[nodiscard]] std::string misled_sentence(const MisleadingPart& part, std::string_view model);
[[nodiscard]] nlohmann::ordered_json misleading_part_json(const MisleadingPart& part);

} // namespace sparsight
