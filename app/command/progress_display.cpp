#include "command/progress_display.h"

#include "command/display_text.h"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace sparsight {

namespace {

constexpr std::size_t bar_width = 20;
constexpr std::chrono::milliseconds bar_interval{100};
constexpr std::chrono::seconds line_interval{5};

std::size_t terminal_columns() {
    winsize size{};
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
        return 80;
    return size.ws_col;
}

double share_done(const ProgressState& state) {
    return std::min(1.0, static_cast<double>(state.done) / static_cast<double>(state.total));
}

std::string time_left(const ProgressState& state) {
    return state.left ? fmt::format(", {} left", format_duration(*state.left)) : std::string();
}

} // namespace

std::string progress_bar(const ProgressState& state, std::size_t columns) {
    std::string text;
    if (state.total > 0) {
        const double share = share_done(state);
        const auto filled = static_cast<std::size_t>(share * static_cast<double>(bar_width));
        text = fmt::format("[{}{}] {:3.0f} %{}  ", std::string(filled, '#'),
                           std::string(bar_width - filled, ' '), 100 * share, time_left(state));
    }
    text += displayed(state.what);
    return std::string(fitting(text, columns));
}

std::string progress_line(const ProgressState& state) {
    if (state.total == 0)
        return displayed(state.what);
    return fmt::format("{:3.0f} %{}: {}", 100 * share_done(state), time_left(state), displayed(state.what));
}

ProgressDisplay::Style ProgressDisplay::style_of_stderr(bool quiet) {
    if (quiet)
        return Style::None;
    return isatty(STDERR_FILENO) == 1 ? Style::Bar : Style::Lines;
}

void ProgressDisplay::show(const ProgressState& state) {
    if (style_ == Style::None)
        return;
    const auto now = std::chrono::steady_clock::now();
    const bool is_bar = style_ == Style::Bar;
    // A log of a short command needs no progress at all.
    if (!is_bar && !last_)
        last_ = now;
    const bool is_end = is_bar && state.total > 0 && state.done == state.total;
    if (last_ && !is_end && now - *last_ < (is_bar ? bar_interval : line_interval))
        return;
    last_ = now;
    if (is_bar) {
        // One column is left free: a full line would wrap on some terminals.
        fmt::print(stderr, "\r\033[K{}", progress_bar(state, terminal_columns() - 1));
        (void)std::fflush(stderr);
        is_shown_ = true;
    } else {
        fmt::print(stderr, "{}\n", progress_line(state));
    }
}

void ProgressDisplay::clear() {
    if (!is_shown_)
        return;
    (void)std::fputs("\r\033[K", stderr);
    (void)std::fflush(stderr);
    is_shown_ = false;
}

ProgressSink ProgressDisplay::sink() {
    return [this](const Progress& progress) {
        show({.what = progress.stage, .done = progress.done, .total = progress.total, .left = {}});
    };
}

} // namespace sparsight
