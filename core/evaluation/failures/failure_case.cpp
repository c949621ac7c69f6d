#include "evaluation/failures/failure_case.h"

#include "evaluation/diagnosis/blame.h"
#include "evaluation/time_differences.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace sparsight {

std::string_view name(DiagnosisBasis basis) {
    switch (basis) {
    case DiagnosisBasis::Measured:
        return "measured";
    case DiagnosisBasis::Simulated:
        return "simulated";
    case DiagnosisBasis::Statistics:
        return "statistics";
    case DiagnosisBasis::Recorded:
        return "recorded";
    }
    return "";
}

std::optional<FailureDiagnosis> diagnosis_of(const Blame& blame, const TermVector& from, const TermVector& to,
                                             std::span<const TimeCause> causes, DiagnosisBasis basis) {
    if (blame.shares.empty())
        return std::nullopt;
    FailureDiagnosis diagnosis{.basis = basis, .decisions = {}};
    for (const DecisionShare& share : blame.shares) {
        const bool is_estimated = !blame.is_exact && std::isfinite(share.sampling_error_ms);
        diagnosis.decisions.push_back({share.decision, blame.space->value(share.bit, blame.space->from()),
                                       blame.space->value(share.bit, blame.space->to()), share.milliseconds,
                                       share.factor, share.is_significant,
                                       is_estimated ? std::optional(share.sampling_error_ms) : std::nullopt});
    }
    if (causes.empty())
        return diagnosis;
    double from_ms = 0;
    double to_ms = 0;
    for (std::size_t term = 0; term < causes.size(); ++term) {
        from_ms += from[term].milliseconds;
        to_ms += to[term].milliseconds;
        if (const double grown = to[term].milliseconds - from[term].milliseconds; grown > diagnosis.term_ms) {
            diagnosis.term = causes[term];
            diagnosis.term_ms = grown;
        }
    }
    diagnosis.simulated_factor = to_ms / from_ms;
    diagnosis.simulation_agrees = sees_loss(diagnosis.simulated_factor, 1);
    return diagnosis;
}

bool sees_loss(double simulated_factor, double known_factor) {
    const double simulated = simulated_factor - 1;
    if (is_equally_fast(simulated))
        return false;
    const double known = known_factor - 1;
    return known <= 0 ||
           (simulated * loss_agreement_factor >= known && simulated <= known * loss_agreement_factor);
}

namespace {

/// The factors of one time over another that their noise allows.
struct FactorRange {
    double least = 1;
    double most = 1;

    [[nodiscard]] double nearest_to(double factor) const { return std::clamp(factor, least, most); }
};

FactorRange factors_within_noise(const ClockTime& against, const ClockTime& other) {
    constexpr double unlimited = std::numeric_limits<double>::infinity();
    const double least = against.is_at_least ? 0
                                             : std::max(0.0, *other.milliseconds - other.spread_ms) /
                                                   (*against.milliseconds + against.spread_ms);
    const double least_against = *against.milliseconds - against.spread_ms;
    const double most = other.is_at_least || least_against <= 0
                            ? unlimited
                            : (*other.milliseconds + other.spread_ms) / least_against;
    return {least, most};
}

FactorRange factors_within_noise(const FailureSign& sign) {
    const TimedConfiguration& chosen = sign.chosen;
    const TimedConfiguration& against = sign.against;
    if (chosen.turn_ratios.size() > 1 && chosen.turn_ratios.size() == against.turn_ratios.size()) {
        const TurnRatio ratio = ratio_of_told({chosen.turn_ratios, chosen.turns_agree},
                                              {against.turn_ratios, against.turns_agree});
        const double told = 1 + sign.lost_share();
        const double noise = std::exp(ratio.margin().value_or(0) / ratio.ratio);
        return {told / noise, told * noise};
    }
    const auto time = [](const TimedConfiguration& each) {
        return ClockTime{.milliseconds = each.milliseconds,
                         .spread_ms = each.spread_ms.value_or(0),
                         .is_at_least = each.is_at_least};
    };
    return factors_within_noise(time(against), time(chosen));
}

/// -1: faster, 0: equally fast, 1: slower.
int side(double factor) {
    if (is_equally_fast(std::max(factor, 1 / factor) - 1))
        return 0;
    return factor > 1 ? 1 : -1;
}

std::optional<Disagreement> disagreement_of(const FactorRange& allowed, double known_factor,
                                            double simulated_factor) {
    const double nearest = allowed.nearest_to(simulated_factor);
    if (nearest == simulated_factor)
        return std::nullopt;
    const bool is_same_side = side(nearest) == side(simulated_factor);
    const bool is_near =
        side(simulated_factor) == 0 || (simulated_factor > 1 ? sees_loss(simulated_factor, nearest)
                                                             : sees_loss(1 / simulated_factor, 1 / nearest));
    if (is_same_side && is_near)
        return std::nullopt;
    return Disagreement{known_factor, simulated_factor};
}

} // namespace

bool sees_loss(double simulated_factor, const FailureSign& sign) {
    return sees_loss(simulated_factor, factors_within_noise(sign).nearest_to(simulated_factor));
}

std::optional<Disagreement> disagreement_beyond_noise(const ClockTime& against, const ClockTime& other,
                                                      double simulated_factor) {
    if (!against.milliseconds || !other.milliseconds)
        return std::nullopt;
    return disagreement_of(factors_within_noise(against, other), *other.milliseconds / *against.milliseconds,
                           simulated_factor);
}

std::optional<Disagreement> disagreement_beyond_noise(const FailureSign& sign, double simulated_factor) {
    return disagreement_of(factors_within_noise(sign), 1 + sign.lost_share(), simulated_factor);
}

bool FailureDiagnosis::names_a_cause() const {
    return is_cause(top().milliseconds, top().is_significant) &&
           (basis == DiagnosisBasis::Statistics || simulation_agrees);
}

std::string no_cause_text(DiagnosisBasis basis, bool is_gain) {
    const std::string_view verb = is_gain ? "saves" : "costs";
    switch (basis) {
    case DiagnosisBasis::Measured:
        return fmt::format("no single decision {} more than the noise of the measured times", verb);
    case DiagnosisBasis::Simulated:
        return fmt::format("no single decision {} more than the error of the simulation", verb);
    case DiagnosisBasis::Statistics:
        return "none of its decisions goes along with losing beyond chance";
    case DiagnosisBasis::Recorded:
        return fmt::format("no single decision {} more than the noise of the known times", verb);
    }
    return "";
}

std::string_view name(FailureKind kind) {
    switch (kind) {
    case FailureKind::SlowerThanBaseline:
        return "slower_than_baseline";
    case FailureKind::HighRegret:
        return "high_regret";
    case FailureKind::MisRanked:
        return "mis_ranked";
    case FailureKind::OverConfident:
        return "over_confident";
    case FailureKind::OutsideTraining:
        return "outside_training";
    }
    return "";
}

std::optional<FailureKind> parse_failure_kind(std::string_view text) {
    if (text == "slower_than_csr") // as earlier versions called it
        return FailureKind::SlowerThanBaseline;
    const auto* const found =
        std::ranges::find(all_failure_kinds, text, [](FailureKind kind) { return name(kind); });
    return found == all_failure_kinds.end() ? std::nullopt : std::optional(*found);
}

bool costs_time(FailureKind kind) {
    return kind != FailureKind::MisRanked && kind != FailureKind::OverConfident;
}

std::string_view name(TimeSource source) {
    switch (source) {
    case TimeSource::Measured:
        return "measured";
    case TimeSource::Recorded:
        return "recorded";
    case TimeSource::Simulated:
        return "simulated";
    }
    return "";
}

std::string_view name(FailureAgainst against) {
    switch (against) {
    case FailureAgainst::Baseline:
        return "baseline";
    case FailureAgainst::BestKnown:
        return "best";
    case FailureAgainst::OwnBest:
        return "own_best";
    }
    return "";
}

std::string_view name(Significance significance) {
    switch (significance) {
    case Significance::BeyondNoise:
        return "beyond_noise";
    case Significance::WithinNoise:
        return "within_noise";
    case Significance::NoiseUnknown:
        return "noise_unknown";
    }
    return "";
}

const FailureSign* FailureCase::sign(FailureKind kind) const {
    const auto found = std::ranges::find(signs, kind, &FailureSign::kind);
    return found == signs.end() ? nullptr : &*found;
}

const FailureSign& FailureCase::main() const {
    const auto costly = std::ranges::find_if(signs, &costs_time, &FailureSign::kind);
    return costly == signs.end() ? signs.front() : *costly;
}

double FailureCase::lost_ms() const {
    return costs_time(main().kind) ? main().lost_ms() : 0;
}

bool FailureCase::is_of_turns() const {
    return std::ranges::any_of(signs, [](const FailureSign& sign) {
        return !sign.chosen.turn_ratios.empty() || !sign.against.turn_ratios.empty();
    });
}

} // namespace sparsight
