// Ctrl-C and SIGTERM as a request to stop instead of a death. The second one kills.
#pragma once

#include "base/observer.h"
#include "base/quantity.h"
#include "command/session.h"

#include <atomic>
#include <chrono>
#include <csignal>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace CLI {
class App;
class Option;
} // namespace CLI

namespace sparsight {

/// While it lives, the first SIGINT or SIGTERM requests a stop; a second one, or a minute, ends the process.
/// What arrives within 0.2 s of the first one counts as the same.
/// Make it before any other thread is started: threads inherit which signals they leave alone, and one that
/// does not would die of them.
class Interruption {
public:
    Interruption();
    ~Interruption();
    Interruption(const Interruption&) = delete;
    Interruption& operator=(const Interruption&) = delete;

    [[nodiscard]] std::stop_token token() const { return stop_.get_token(); }
    [[nodiscard]] bool requested() const { return stop_.stop_requested(); }

private:
    void wait_for_signals();
    void pass_over_repeats(const sigset_t& signals) const;

    std::stop_source stop_;
    std::atomic<bool> over_ = false;
    sigset_t before_{};
    std::thread waiter_;
};

// Progress of a long command on stderr: a bar on a terminal, now and then a line in a log file, nothing with
// --quiet.

/// "[##########          ]  50 %, 1 min 05 s left  measuring cage8", cut to the columns of the terminal.
[[nodiscard]] std::string progress_bar(const Progress& state, std::size_t columns);
/// The same without the bar, for a log.
[[nodiscard]] std::string progress_line(const Progress& state);

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
    void show(const Progress& state);
    /// Takes the bar away, so that something else can be written.
    void clear();

private:
    Style style_;
    bool is_shown_ = false;
    std::string stage_; ///< that was shown last
    std::optional<std::chrono::steady_clock::time_point> last_;
};

// What a long command tells a program that follows it (`--progress json`): one JSON object a line on stdout,
// written out at once. The same for every command:
//   {"event": "start", "job", …}
//   {"event": "progress", "stage", "done", "total", "seconds_left"}   ten a second at most
//   {"event": "warning", "warning": text}   also while it waits to measure, until {"event": "turn"}
//   {"event": …}                                                      one for each item, as the command says
//   {"event": "end", …, "complete", "stopped"} or {"event": "error", "file", "line", "error", "stopped"},
//   once, last
// Whoever reads may go away (a closed pipe, a full disk): the work goes on all the same.

enum class ProgressForm { Display, Events };

CLI::Option* add_progress_option(CLI::App& command, ProgressForm& form);

/// Tells programs that follow the work, or shows people how far it is.
class JobObserver final : public Observer {
public:
    /// `job` names the work: "import", "collect". From here on, with Events, a reader that is gone is no
    /// reason to die.
    JobObserver(const Session& session, std::string_view job, ProgressForm form);

    [[nodiscard]] bool tells_events() const override { return form_ == ProgressForm::Events; }
    /// Text, and neither events nor JSON.
    [[nodiscard]] bool tells_people() const { return !tells_events() && !session_.options.json; }

    void start(const Json& facts) override;
    void resume(std::uint64_t done) override { done_before_ = done; }
    /// What is left out because the last one is too fresh is told before the end. Programs are told a time
    /// left that is estimated from the time since start(), or since work of another total began.
    void progress(const Progress& state) override;
    void show(const Progress& state) override;
    void event(std::string_view name, const Json& members) override;
    void remark(std::string_view sentence) override;
    /// Told on stderr in every form, and as an event.
    void warn(std::string_view sentence) override;
    void note(std::string_view sentence) override;
    void complain(const Error& error) override;

    /// Takes the bar away, so that something else can be written.
    void clear() { display_.clear(); }
    /// Adds "seconds", "complete" and "stopped" to the summary. Stopped: a signal left work undone.
    void end(const Json& summary, bool complete, bool stopped);
    /// The end with all of the JSON, or Session::answer(); takes the bar away.
    void answer(const Json& json, std::string_view text, bool stopped = false);
    void error(const Error& error);
    /// Session::refuse(), for whoever reads events as well.
    [[nodiscard]] ExitCode refuse(const Error& error, ExitCode otherwise = ExitCode::SomeFailed);

private:
    using Clock = std::chrono::steady_clock;

    /// What was done of another total says nothing about the time left.
    void begin_other_work(const Progress& state);
    void flush_progress();
    [[nodiscard]] std::optional<double> seconds_left(std::uint64_t done, std::uint64_t total) const;

    const Session& session_;
    std::string job_;
    ProgressForm form_;
    ProgressDisplay display_;
    Clock::time_point start_ = Clock::now();
    Clock::time_point work_start_ = start_; ///< of work of this total
    std::uint64_t done_before_ = 0;
    std::uint64_t done_ = 0; ///< of the last progress
    std::optional<std::uint64_t> total_;
    std::string stage_; ///< of the last progress
    std::optional<Clock::time_point> last_progress_;
    std::optional<Json> pending_; ///< the newest progress, where it was too soon to tell it
};

// A command that works on the workspace.

enum class WorkspaceUse {
    Read,
    Write,
    Make, ///< to write, and the default one is made where it is missing
};

/// Session::open_workspace() or open_or_make_workspace().
[[nodiscard]] Result<Workspace> open_workspace(const Session& session, WorkspaceUse use);

/// set_action() with the workspace open; refuses where it can't be opened.
void set_action(CLI::App& command, Session& session, WorkspaceUse use,
                std::function<ExitCode(Workspace&)> action);

/// Long work on a workspace: who stops it and who is told.
struct Job {
    Session& session;
    JobObserver& observer;
    Workspace& workspace;
    const Interruption& interruption;

    [[nodiscard]] std::stop_token stop() const { return interruption.token(); }
};

/// `name` names the work in its events. Before the workspace is opened, `check` may say what is wrong with
/// the command line.
[[nodiscard]] ExitCode run_job(Session& session, std::string_view name, ProgressForm form, WorkspaceUse use,
                               const std::function<ExitCode(const Job&)>& work,
                               const std::function<Result<void>()>& check = {});
/// The same as the command's action. `form` must live as long as the application.
void set_job(CLI::App& command, Session& session, std::string name, const ProgressForm& form,
             WorkspaceUse use, std::function<ExitCode(const Job&)> work,
             std::function<Result<void>()> check = {});

/// What `work(Observer&, std::stop_token)` gives, with its progress on stderr.
template <typename Work>
[[nodiscard]] auto answer_with_progress(const Session& session, std::string_view job, const Work& work) {
    const Interruption interruption;
    JobObserver observer(session, job, ProgressForm::Display);
    auto answer = work(observer, interruption.token());
    observer.clear();
    return answer;
}

// Answers that several commands give.

/// A list of failure_json().
[[nodiscard]] Json failed_json(std::span<const Error> failures);

/// Lines of a table that could not be taken: each is an event, and the terminal has the first of `count`.
void complain_of_lines(JobObserver& observer, std::span<const Error> problems, std::size_t count);

/// A file that an option names, and what it gets.
struct NamedFile {
    std::string file; ///< empty: the option was not given
    std::function<std::string()> content;
};
/// Writes those that are named, and says so. Errors: those of write_whole_file().
[[nodiscard]] Result<void> write_named_files(const Session& session, const std::vector<NamedFile>& files);

} // namespace sparsight
