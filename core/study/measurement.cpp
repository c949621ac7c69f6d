#include "study/measurement.h"

#include <array>
#include <utility>

namespace sparsight {

namespace {

constexpr std::array<std::pair<MeasurementStatus, std::string_view>, 6> status_names{{
    {MeasurementStatus::Measured, "measured"},
    {MeasurementStatus::GaveUp, "gave up"},
    {MeasurementStatus::TooLarge, "too large"},
    {MeasurementStatus::Mismatch, "mismatch"},
    {MeasurementStatus::Failed, "failed"},
    {MeasurementStatus::Damaged, "damaged"},
}};

} // namespace

std::string_view name(MeasurementStatus status) {
    for (const auto& [known, text] : status_names)
        if (known == status)
            return text;
    return "";
}

std::optional<MeasurementStatus> parse_measurement_status(std::string_view text) {
    for (const auto& [status, known] : status_names)
        if (known == text)
            return status;
    return std::nullopt;
}

std::string_view name(Protocol protocol) {
    return protocol == Protocol::Adaptive ? "adaptive" : "waco";
}

std::optional<Protocol> parse_protocol(std::string_view text) {
    for (const Protocol protocol : {Protocol::Adaptive, Protocol::Waco})
        if (text == name(protocol))
            return protocol;
    return std::nullopt;
}

} // namespace sparsight
