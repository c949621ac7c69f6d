// Progress of a long command on stderr: a bar on a terminal, now and then a line in a log file, nothing with
// --quiet.
#pragma once

#include "base/progress.h"
#include "base/quantity.h"

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace sparsight {

struct ProgressState {
    std::string_view what; ///< "measuring cage8"
    std::uint64_t done = 0;
    std::uint64_t total = 0; ///< 0: not known
    std::optional<Seconds> left;
};

/// "[##########          ]  50 %, 1 min 05 s left  measuring cage8", cut to the columns of the terminal.
[[nodiscard]] std::string progress_bar(const ProgressState& state, std::size_t columns);
/// The same without the bar, for a log.
[[nodiscard]] std::string progress_line(const ProgressState& state);

class ProgressDisplay {
public:
    enum class Style { None, Lines, Bar };
    /// As stderr is a terminal or not.
    [[nodiscard]] static Style style_of_stderr(bool quiet);

    explicit ProgressDisplay(Style style)
        : style_(style) {}
    ~ProgressDisplay() { clear(); }
    ProgressDisplay(const ProgressDisplay&) = delete;
    ProgressDisplay& operator=(const ProgressDisplay&) = delete;

    /// Written at most ten times a second as a bar and every five seconds as a line; the end is always
    /// written.
    void show(const ProgressState& state);
    /// Takes the bar away, so that something else can be written.
    void clear();
    /// For the engine's long actions, which know no time left.
    [[nodiscard]] ProgressSink sink();

private:
    Style style_;
    bool is_shown_ = false;
    std::optional<std::chrono::steady_clock::time_point> last_;
};

} // namespace sparsight
