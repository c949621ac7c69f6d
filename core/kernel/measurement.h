// What measuring one schedule on one matrix gives.
#pragma once

#include "base/quantity.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sparsight {

enum class MeasurementStatus {
    Measured, ///< the result was checked, the median stands
    GaveUp,   ///< the first run was already too slow; median holds that one run, a lower bound of nothing but
              ///< itself
    TooLarge, ///< packing was refused: the storage format would exceed the size limit
    Mismatch, ///< the result differs from fixed CSR's: a failure, never a time
    Failed,   ///< it could not be compiled or run; reason says why
};

/// "measured", "gave up", "too large", "mismatch", "failed".
[[nodiscard]] std::string_view name(MeasurementStatus status);
[[nodiscard]] std::optional<MeasurementStatus> parse_measurement_status(std::string_view text);

struct Measurement {
    MeasurementStatus status = MeasurementStatus::Failed;
    Milliseconds median{};   ///< of one run of the kernel; only for Measured and GaveUp
    Milliseconds spread{};   ///< how far the runs lie apart (spread_of in timing.h)
    int repeats = 0;         ///< timed runs, warm-ups left out
    Milliseconds pack{};     ///< CSR → storage format
    Milliseconds compile{};  ///< loop nest → machine code
    std::uint64_t bytes = 0; ///< of the packed A; predicted when it was refused
    std::string reason;      ///< for the user, when the status is not Measured
};

} // namespace sparsight
