// Why a model prefers one schedule to another one on a matrix: everything that `sparsight-learn reasons`
// tells, as plain values for whoever shows it.
#pragma once

#include "evaluation/model_reasons/anchor.h"
#include "evaluation/model_reasons/nearest.h"
#include "evaluation/model_reasons/saliency.h"
#include "evaluation/model_reasons/sensitivity.h"
#include "evaluation/model_reasons/uncertainty.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

enum class ReasonPart : std::uint8_t { Anchors, Sensitivity, Nearest, Uncertainty, Saliency };
inline constexpr std::array all_reason_parts{ReasonPart::Anchors, ReasonPart::Sensitivity,
                                             ReasonPart::Nearest, ReasonPart::Uncertainty,
                                             ReasonPart::Saliency};
/// "anchors", "sensitivity", "nearest", "uncertainty", "saliency".
[[nodiscard]] std::string_view name(ReasonPart part);
[[nodiscard]] std::optional<ReasonPart> parse_reason_part(std::string_view text);

/// A part that there is nothing to say of, though it was asked for.
struct MissingReason {
    ReasonPart part{};
    std::string why{}; ///< a sentence without the full stop

    bool operator==(const MissingReason&) const = default;
};

struct ModelReasons {
    std::string model{};
    std::string architecture{}; ///< "waconet", "statistics", "trees"
    std::string op{};           ///< "spmm"
    std::int64_t dense = 256;   ///< 1 for SpMV
    std::string matrix{};
    std::string machine{}; ///< empty: this computer, of which the workspace knows nothing
    std::uint64_t seed = 1;
    bool reads_machine = false;
    std::string schedule{};    ///< in WACO's form, canonical
    std::string against{};     ///< likewise
    double schedule_score = 0; ///< lower is faster; only the difference of both has a meaning
    double against_score = 0;
    PairTimes times{}; ///< measured on the machine where they are known there, otherwise simulated
    std::optional<AnchorReason> anchors{};
    std::optional<SensitivityReason> sensitivity{};
    std::optional<NearestReason> nearest{};
    std::optional<UncertaintyReason> uncertainty{};
    std::optional<SaliencyReason> saliency{};
    std::vector<MissingReason> missing{};

    bool operator==(const ModelReasons&) const = default;

    /// Above 0 where the model prefers the schedule.
    [[nodiscard]] double margin() const { return against_score - schedule_score; }
    /// Whether it prefers the one that is faster by the clock; absent where no times are known.
    [[nodiscard]] std::optional<bool> is_right() const;
};

} // namespace sparsight
