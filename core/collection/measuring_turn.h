// One program measures on a computer at a time: two would spoil each other's times.
#pragma once

#include "base/error.h"

#include <filesystem>
#include <functional>
#include <stop_token>

namespace sparsight {

/// While it lives, others of this user wait. The system ends the turn of a program that is killed.
class MeasuringTurn {
public:
    /// Waits until no other program has the turn; `on_wait` is called once when one has. Cancelled when
    /// stopped. Where the file can't be made or locked nobody is waited for.
    [[nodiscard]] static Result<MeasuringTurn> take(const std::stop_token& stop,
                                                    const std::function<void()>& on_wait,
                                                    const std::filesystem::path& file = default_file());

    MeasuringTurn(MeasuringTurn&& other) noexcept;
    MeasuringTurn& operator=(MeasuringTurn&&) = delete;
    ~MeasuringTurn();

    /// In the folder for temporary files, by the user's number.
    [[nodiscard]] static std::filesystem::path default_file();

private:
    explicit MeasuringTurn(int descriptor)
        : descriptor_(descriptor) {}

    int descriptor_;
};

} // namespace sparsight
