#include "kernel/measurement.h"

#include <array>
#include <utility>

namespace sparsight {

namespace {

constexpr std::array<std::pair<MeasurementStatus, std::string_view>, 5> names{{
    {MeasurementStatus::Measured, "measured"},
    {MeasurementStatus::GaveUp, "gave up"},
    {MeasurementStatus::TooLarge, "too large"},
    {MeasurementStatus::Mismatch, "mismatch"},
    {MeasurementStatus::Failed, "failed"},
}};

} // namespace

std::string_view name(MeasurementStatus status) {
    for (const auto& [known, text] : names)
        if (known == status)
            return text;
    return "";
}

std::optional<MeasurementStatus> parse_measurement_status(std::string_view text) {
    for (const auto& [status, known] : names)
        if (known == text)
            return status;
    return std::nullopt;
}

} // namespace sparsight
