#include "evaluation/model_reasons/misleading_part.h"

#include "base/optional_json.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace sparsight {

namespace {

/// Less of the simulator's mistake counts as nothing mended.
constexpr double least_mended = 0.1;
constexpr double least_distrusted = 0.01; ///< of a logarithm

/// The parameter in whose correction both differ most.
void find_distrusted(MisleadingPart& part, const PredictedTime& chosen, const PredictedTime& against) {
    double most = least_distrusted;
    for (const auto& [key, value] : chosen.corrections) {
        const auto other = against.corrections.find(key);
        if (key == learned_correction || other == against.corrections.end())
            continue;
        const double difference = value - other->second;
        if (std::abs(difference) <= most)
            continue;
        most = std::abs(difference);
        part.distrusted = key;
        part.distrusted_factor = std::exp(difference);
    }
}

} // namespace

std::string_view name(MisledBy part) {
    switch (part) {
    case MisledBy::Simulator:
        return "simulator";
    case MisledBy::Correction:
        return "correction";
    case MisledBy::Both:
        return "both";
    case MisledBy::Neither:
        return "neither";
    }
    return "";
}

MisledBy MisleadingPart::by() const {
    if (corrected > 1)
        return MisledBy::Neither;
    if (simulated > 1)
        return MisledBy::Correction;
    return mended().value_or(0) >= least_mended ? MisledBy::Simulator : MisledBy::Both;
}

std::optional<double> MisleadingPart::mended() const {
    const double mistake = std::log(known / simulated);
    if (mistake == 0)
        return std::nullopt;
    return 1 - std::log(known / corrected) / mistake;
}

std::optional<MisleadingPart> misleading_part(const PredictedTime& chosen, const PredictedTime& against,
                                              double known_factor) {
    if (!(known_factor > 1) || !chosen.simulated_ms || !against.simulated_ms)
        return std::nullopt;
    MisleadingPart part{.known = known_factor,
                        .simulated = *chosen.simulated_ms / *against.simulated_ms,
                        .corrected = std::exp(chosen.score - against.score)};
    find_distrusted(part, chosen, against);
    return part;
}

namespace {

/// Three significant digits without an exponent, as the window writes them.
std::string three_digits(double value) {
    if (!(value > 0) || !std::isfinite(value))
        return fmt::to_string(value);
    const double step = std::pow(10.0, std::floor(std::log10(value)) - 2);
    const double rounded = std::round(value / step) * step;
    return fmt::format("{:.{}f}", rounded,
                       std::max(0, 2 - static_cast<int>(std::floor(std::log10(rounded)))));
}

std::string factor_text(double factor) {
    return three_digits(factor) + "×";
}

std::string who_misled(const MisleadingPart& part, std::string_view model) {
    const std::string known = factor_text(part.known);
    const std::string simulated = factor_text(part.simulated);
    const std::string corrected = factor_text(part.corrected);
    switch (part.by()) {
    case MisledBy::Correction:
        return fmt::format("The correction misled {}: the simulator says {}, and the correction turned that "
                           "into {} (known: {}).",
                           model, simulated, corrected, known);
    case MisledBy::Simulator:
        return fmt::format("The simulator misled {}: it says {} instead of {}. The correction mended {} % "
                           "of that, to {}.",
                           model, simulated, known, three_digits(100 * *part.mended()), corrected);
    case MisledBy::Both:
        return fmt::format("Simulator and correction misled {}: they say {} and {} instead of {}.", model,
                           simulated, corrected, known);
    case MisledBy::Neither:
        return fmt::format("Neither simulator nor correction misled {}: it expects {} (known: {}). The "
                           "search may not have offered the other one.",
                           model, corrected, known);
    }
    return {};
}

} // namespace

std::string misled_sentence(const MisleadingPart& part, std::string_view model) {
    std::string text = who_misled(part, model);
    if (part.distrusted)
        text += fmt::format(" The correction changes most by {}: {}.", *part.distrusted,
                            factor_text(part.distrusted_factor));
    return text;
}

nlohmann::ordered_json misleading_part_json(const MisleadingPart& part) {
    return {{"by", name(part.by())},
            {"known", part.known},
            {"simulated", part.simulated},
            {"corrected", part.corrected},
            {"mended", json_or_null(part.mended())},
            {"distrusted", json_or_null(part.distrusted)},
            {"distrusted_factor", part.distrusted ? Json(part.distrusted_factor) : Json()}};
}

} // namespace sparsight
