// One program measures on a computer at a time: two would spoil each other's times.
#pragma once

#include "base/error.h"
#include "domains/sparse/schedule/operator.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>

namespace sparsight {

/// While it lives, others of this user wait. The system ends the turn of a program that is killed.
class MeasurementLock {
public:
    /// Waits until no other program has the turn; `on_wait` is called once when one has. Cancelled when
    /// stopped. Where the file can't be made or locked nobody is waited for.
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

// Which measurement is being made, written down before it is made: a kernel that crashes, hangs until it is
// killed, or eats all memory would otherwise be the first one tried after every restart, for ever.

class Workspace;

struct PendingMeasurement {
    std::string matrix;
    Operator op = Operator::SpMM;
    std::int64_t dense = 0;
    std::string schedule;
};

/// Notes it durably; how many times it was begun in a row, this one included, without anything else being
/// begun.
[[nodiscard]] Result<int> begin_attempt(Workspace& workspace, const PendingMeasurement& measurement);

/// Nothing is in flight any more.
[[nodiscard]] Result<void> end_attempts(Workspace& workspace);

// How much memory the dense operands of a workload may take.

/// Half of the memory, in bytes: packed matrices and the pattern need the rest.
[[nodiscard]] std::uint64_t operand_limit();

} // namespace sparsight
