#include "evaluation/failures/failure_case.h"

#include <algorithm>

namespace sparsight {

std::string_view name(FailureKind kind) {
    switch (kind) {
    case FailureKind::SlowerThanCsr:
        return "slower_than_csr";
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
    case FailureAgainst::FixedCsr:
        return "csr";
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

double FailureCase::lost_ms() const {
    double lost = 0;
    for (const FailureSign& sign : signs)
        if (costs_time(sign.kind))
            lost = std::max(lost, sign.lost_ms());
    return lost;
}

} // namespace sparsight
