// What measuring one configuration of one workload gives, and by which protocol it was measured.
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
    TooLarge, ///< refused: its memory would exceed the limit
    Mismatch, ///< the result is wrong: a failure, never a time
    Failed,   ///< it could not be compiled or run; reason says why
    Damaged,  ///< it was stored, and can't be trusted: the file was changed by something else
};

/// "measured", "gave up", "too large", "mismatch", "failed", "damaged".
[[nodiscard]] std::string_view name(MeasurementStatus status);
[[nodiscard]] std::optional<MeasurementStatus> parse_measurement_status(std::string_view text);

/// Whether a median comes with it.
[[nodiscard]] inline bool has_time(MeasurementStatus status) {
    return status == MeasurementStatus::Measured || status == MeasurementStatus::GaveUp;
}

struct Measurement {
    MeasurementStatus status = MeasurementStatus::Failed;
    Milliseconds median{}; ///< of one run; only for Measured and GaveUp
    /// How far another median of the same configuration may lie off: the spread of the runs (study/timing.h)
    /// and, in the adaptive protocol, the drift of the computer, as independent errors.
    Milliseconds spread{};
    int repeats = 0;         ///< timed runs, warm-ups left out
    Milliseconds pack{};     ///< making the input ready: CSR → storage format
    Milliseconds compile{};  ///< code → machine code
    std::uint64_t bytes = 0; ///< of the prepared input; predicted when it was refused
    std::string reason;      ///< for the user, when the status is not Measured
};

/// How often a configuration is run to know its time.
enum class Protocol : std::uint8_t {
    Adaptive, ///< as many runs as the noise asks for, fewer for a schedule that cannot win
    Waco,     ///< exactly WACO's: 5 warm-ups and 30 runs, 10 and 50 for fixed CSR
};
/// "adaptive", "waco".
[[nodiscard]] std::string_view name(Protocol protocol);
[[nodiscard]] std::optional<Protocol> parse_protocol(std::string_view text);

} // namespace sparsight
