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
    GaveUp,   ///< the first run was far too slow and abandoned; median is how long it ran, a lower bound
    TooLarge, ///< packing was refused: the storage format would exceed the size limit
    Mismatch, ///< the result differs from fixed CSR's: a failure, never a time
    Failed,   ///< it could not be compiled or run; reason says why
};

/// "measured", "gave up", "too large", "mismatch", "failed".
[[nodiscard]] std::string_view name(MeasurementStatus status);
[[nodiscard]] std::optional<MeasurementStatus> parse_measurement_status(std::string_view text);

/// Whether a median comes with it.
[[nodiscard]] inline bool has_time(MeasurementStatus status) {
    return status == MeasurementStatus::Measured || status == MeasurementStatus::GaveUp;
}

struct Measurement {
    MeasurementStatus status = MeasurementStatus::Failed;
    Milliseconds median{}; ///< of one run of the kernel; only for Measured and GaveUp
    /// How far another median of the same schedule may lie off: the spread of the runs (spread_of in
    /// timing.h) and, in the adaptive protocol, the drift of this computer (drift_watch.h), as independent
    /// errors.
    Milliseconds spread{};
    int repeats = 0;         ///< timed runs, warm-ups left out
    Milliseconds pack{};     ///< CSR → storage format
    Milliseconds compile{};  ///< loop nest → machine code
    std::uint64_t bytes = 0; ///< of the packed A; predicted when it was refused
    std::string reason;      ///< for the user, when the status is not Measured
};

} // namespace sparsight
