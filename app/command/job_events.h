// What a long command tells a program that follows it (`--progress json`): one JSON object a line on stdout,
// written out at once. The same for every command:
//   {"event": "start", "job", …}
//   {"event": "progress", "stage", "done", "total", "seconds_left"}   ten a second at most
//   {"event": …}                                                      one for each item, as the command says
//   {"event": "end", …, "complete", "stopped"} or {"event": "error", "file", "line", "error", "stopped"}, once, last
// Whoever reads may go away (a closed pipe, a full disk): the work goes on all the same.
#pragma once

#include "command/progress_display.h"
#include "command/session.h"

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace CLI {
class App;
class Option;
} // namespace CLI

namespace sparsight {

enum class ProgressForm { Display, Events };

CLI::Option* add_progress_option(CLI::App& command, ProgressForm& form);

/// Says nothing with ProgressForm::Display, so that commands need not ask.
class JobEvents {
public:
    /// `job` names the work: "import", "collect". From here on, with Events, a reader that is gone is no
    /// reason to die.
    JobEvents(const Session& session, std::string_view job, ProgressForm form);

    [[nodiscard]] bool are_told() const { return form_ == ProgressForm::Events; }
    /// The bar for people, where nobody reads events.
    [[nodiscard]] ProgressDisplay::Style display_style() const;

    void start(const Json& facts = Json::object());
    /// What is left out because the last one is too fresh is told before the end. The time left is estimated
    /// from the time since start().
    void progress(std::string_view stage, std::uint64_t done, std::uint64_t total);
    /// So much was done before, by an earlier run of the same work: it says nothing about the time left.
    void go_on_from(std::uint64_t done) { done_before_ = done; }
    [[nodiscard]] ProgressSink sink();
    void tell(std::string_view event, const Json& members) const;

    /// Adds "seconds", "complete" and "stopped" to the summary. Stopped: a signal left work undone.
    void end(const Json& summary, bool complete, bool stopped);
    void error(const Error& error);
    /// Session::refuse(), for whoever reads events as well.
    [[nodiscard]] ExitCode refuse(const Error& error, ExitCode otherwise = ExitCode::SomeFailed);

private:
    using Clock = std::chrono::steady_clock;

    void flush_progress();
    [[nodiscard]] std::optional<double> seconds_left(std::uint64_t done, std::uint64_t total) const;

    const Session& session_;
    std::string job_;
    ProgressForm form_;
    Clock::time_point start_ = Clock::now();
    std::uint64_t done_before_ = 0;
    std::optional<Clock::time_point> last_progress_;
    std::optional<Json> pending_; ///< the newest progress, where it was too soon to tell it
};

} // namespace sparsight
