// What keeps measurements sound on a shared computer: only one program measures at a time, since two would
// spoil each other's times; a measurement that crashes is not repeated forever; operands leave enough
// memory.
#pragma once

#include "base/error.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>

namespace sparsight {

class Workspace;

/// While it lives, other programs of this user wait. The system releases the lock of a program that is
/// killed.
class MeasurementLock {
public:
    /// Waits until no other program holds the lock; calls `on_wait` once when another does. Cancelled when
    /// stopped. Does not wait where the file can't be made or locked.
    [[nodiscard]] static Result<MeasurementLock> take(const std::stop_token& stop,
                                                      const std::function<void()>& on_wait,
                                                      const std::filesystem::path& file = default_file());

    MeasurementLock(MeasurementLock&& other) noexcept;
    MeasurementLock& operator=(MeasurementLock&&) = delete;
    ~MeasurementLock();

    /// In the folder for temporary files, by the user's number.
    [[nodiscard]] static std::filesystem::path default_file();

private:
    explicit MeasurementLock(int descriptor)
        : descriptor_(descriptor) {}

    int descriptor_;
};

/// The measurement that is being made, recorded before it starts: a configuration that crashes, hangs until
/// it is killed, or uses all memory would otherwise be the first one tried after every restart, forever.

struct PendingMeasurement {
    std::string workload;
    std::string setting; ///< its text
    std::string configuration;
};

/// Records the measurement durably and returns how many times in a row it was begun, this time included,
/// without any other being begun.
[[nodiscard]] Result<int> begin_attempt(Workspace& workspace, const PendingMeasurement& measurement);

/// Records that no measurement is running any more.
[[nodiscard]] Result<void> end_attempts(Workspace& workspace);

/// The most memory that the operands of a workload may take: half of the memory, in bytes, since its data
/// and what configurations make of it need the rest.
[[nodiscard]] std::uint64_t operand_limit();

} // namespace sparsight
