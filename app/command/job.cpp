#include "command/job.h"

#include "base/files.h"
#include "base/optional_json.h"
#include "base/terminal_text.h"
#include "command/options.h"
#include "command/program.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <fmt/format.h>
#include <pthread.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace sparsight {

namespace {

/// SIGUSR1 is how the waiting thread is told that there is nothing to wait for any more.
sigset_t awaited_signals() {
    sigset_t signals{};
    sigemptyset(&signals);
    for (const int signal : {SIGINT, SIGTERM, SIGUSR1})
        sigaddset(&signals, signal);
    return signals;
}

} // namespace

Interruption::Interruption() {
    const sigset_t signals = awaited_signals();
    pthread_sigmask(SIG_BLOCK, &signals, &before_);
    waiter_ = std::thread([this] { wait_for_signals(); });
}

Interruption::~Interruption() {
    over_ = true;
    pthread_kill(waiter_.native_handle(), SIGUSR1);
    waiter_.join();
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

void Interruption::wait_for_signals() {
    // Work asks for the stop between its steps; a step that hangs in a library must not hold the process.
    constexpr timespec longest_step{60, 0};
    const sigset_t signals = awaited_signals();
    while (!over_) {
        const bool is_stopping = stop_.stop_requested();
        const int signal =
            is_stopping ? sigtimedwait(&signals, nullptr, &longest_step) : sigwaitinfo(&signals, nullptr);
        const bool is_too_long = signal < 0 && errno == EAGAIN;
        if (signal == SIGUSR1 || (signal < 0 && !is_too_long))
            continue;
        if (is_too_long)
            fmt::print(stderr, "stopped in the middle of a step, which did not end within {} s\n",
                       longest_step.tv_sec);
        if (is_stopping)
            _exit(static_cast<int>(ExitCode::Interrupted));
        stop_.request_stop();
        pass_over_repeats(signals);
    }
}

/// Programs such as timeout(1) send a signal twice: to the process, and to the group that it is in.
void Interruption::pass_over_repeats(const sigset_t& signals) const {
    using Clock = std::chrono::steady_clock;
    const auto until = Clock::now() + std::chrono::milliseconds(200);
    while (!over_) {
        // Looks once more when the time is over: a busy computer may have held up this thread until then.
        const auto left = std::max(until - Clock::now(), Clock::duration::zero());
        const timespec longest{0, static_cast<long>(std::chrono::nanoseconds(left).count())};
        if (sigtimedwait(&signals, nullptr, &longest) < 0 && left == Clock::duration::zero())
            return;
    }
}

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

std::string_view shown(const Progress& state) {
    return state.details.empty() ? state.stage : state.details;
}

double share_done(const Progress& state) {
    return std::min(1.0, static_cast<double>(state.done) / static_cast<double>(state.total));
}

std::string time_left(const Progress& state) {
    return state.left ? fmt::format(", {} left", format_duration(*state.left)) : std::string();
}

} // namespace

std::string progress_bar(const Progress& state, std::size_t columns) {
    std::string text;
    if (state.total > 0) {
        const double share = share_done(state);
        const auto filled = static_cast<std::size_t>(share * static_cast<double>(bar_width));
        text = fmt::format("[{}{}] {:3.0f} %{}  ", std::string(filled, '#'),
                           std::string(bar_width - filled, ' '), 100 * share, time_left(state));
    }
    text += displayed(shown(state));
    return std::string(fitting(text, columns));
}

std::string progress_line(const Progress& state) {
    if (state.total == 0)
        return displayed(shown(state));
    return fmt::format("{:3.0f} %{}: {}", 100 * share_done(state), time_left(state), displayed(shown(state)));
}

ProgressDisplay::Style ProgressDisplay::style_of_stderr(bool quiet) {
    if (quiet)
        return Style::None;
    return isatty(STDERR_FILENO) == 1 ? Style::Bar : Style::Lines;
}

void ProgressDisplay::show(const Progress& state) {
    if (style_ == Style::None)
        return;
    const auto now = std::chrono::steady_clock::now();
    const bool is_bar = style_ == Style::Bar;
    // A log of a short command needs no progress at all.
    if (!is_bar && !last_)
        last_ = now;
    const bool is_end = is_bar && state.total > 0 && state.done == state.total;
    const bool is_new =
        is_bar && state.stage != stage_; // the bar of the stage before says nothing about this one
    if (last_ && !is_end && !is_new && now - *last_ < (is_bar ? bar_interval : line_interval))
        return;
    last_ = now;
    stage_ = state.stage;
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

namespace {

constexpr std::chrono::milliseconds progress_interval{100};

Result<ProgressForm> read_progress(std::string_view text) {
    if (text == "json")
        return ProgressForm::Events;
    if (text == "display")
        return ProgressForm::Display;
    return fail(Fault::Input, fmt::format("'{}' is no form of progress: expected display or json", text));
}

} // namespace

CLI::Option* add_progress_option(CLI::App& command, ProgressForm& form) {
    return add_parsed_option(command, "--progress", form, &read_progress, "display (default) or json")
        ->type_name("FORM");
}

JobObserver::JobObserver(const Session& session, std::string_view job, ProgressForm form)
    : session_(session)
    , job_(job)
    , form_(form)
    , display_(tells_events() ? ProgressDisplay::Style::None
                              : ProgressDisplay::style_of_stderr(session.options.quiet)) {
    if (tells_events())
        (void)std::signal(SIGPIPE, SIG_IGN);
}

void JobObserver::start(const Json& facts) {
    start_ = Clock::now();
    work_start_ = start_;
    Json members{{"job", job_}};
    members.update(facts);
    event("start", members);
}

void JobObserver::progress(const Progress& state) {
    if (!tells_events())
        return display_.show(state);
    begin_other_work(state);
    Json event{{"stage", state.stage},
               {"done", state.done},
               {"total", state.total},
               {"seconds_left", json_or_null(seconds_left(state.done, state.total))}};
    pending_ = std::move(event);
    const auto now = Clock::now();
    if (last_progress_ && now - *last_progress_ < progress_interval)
        return;
    last_progress_ = now;
    flush_progress();
}

void JobObserver::show(const Progress& state) {
    if (!tells_events())
        display_.show(state);
}

void JobObserver::event(std::string_view name, const Json& members) {
    if (!tells_events())
        return;
    Json line{{"event", name}};
    line.update(members);
    session_.print_json_line(line);
}

void JobObserver::remark(std::string_view sentence) {
    clear();
    session_.remark(sentence);
}

void JobObserver::warn(std::string_view sentence) {
    clear();
    session_.warn(sentence);
    event("warning", {{"warning", sentence}});
}

void JobObserver::note(std::string_view sentence) {
    if (!tells_events())
        remark(sentence);
}

void JobObserver::complain(const Error& error) {
    clear();
    session_.complain(error);
}

void JobObserver::end(const Json& summary, bool complete, bool stopped) {
    flush_progress();
    Json members = summary;
    if (!members.contains("seconds"))
        members["seconds"] = std::chrono::duration<double>(Clock::now() - start_).count();
    members["complete"] = complete;
    members["stopped"] = stopped;
    event("end", members);
}

void JobObserver::error(const Error& error) {
    flush_progress();
    Json members = failure_json(error);
    members["stopped"] = error.fault == Fault::Cancelled;
    event("error", members);
}

void JobObserver::answer(const Json& json, std::string_view text, bool stopped) {
    clear();
    if (tells_events())
        end(json, !stopped, stopped);
    else
        session_.answer(json, text);
}

ExitCode JobObserver::refuse(const Error& error, ExitCode otherwise) {
    clear();
    if (!tells_events())
        return session_.refuse(error, otherwise);
    this->error(error);
    session_.complain(error);
    if (error.fault == Fault::Cancelled)
        return ExitCode::Interrupted;
    return error.file == session_.workspace_path() ? ExitCode::Workspace : otherwise;
}

void JobObserver::begin_other_work(const Progress& state) {
    // The total of the same work may grow, as turns between the fastest go on.
    if (total_ && ((*total_ != state.total && stage_ != state.stage) || state.done < done_)) {
        work_start_ = Clock::now();
        done_before_ = state.done;
    }
    total_ = state.total;
    stage_ = state.stage;
    done_ = state.done;
}

void JobObserver::flush_progress() {
    if (!pending_)
        return;
    event("progress", *pending_);
    pending_.reset();
}

std::optional<double> JobObserver::seconds_left(std::uint64_t done, std::uint64_t total) const {
    if (done <= done_before_ || total < done)
        return std::nullopt;
    const double spent = std::chrono::duration<double>(Clock::now() - work_start_).count();
    return spent / static_cast<double>(done - done_before_) * static_cast<double>(total - done);
}

Result<Workspace> open_workspace(const Session& session, WorkspaceUse use) {
    if (use == WorkspaceUse::Make)
        return session.open_or_make_workspace();
    return session.open_workspace(use == WorkspaceUse::Read ? WorkspaceAccess::Read
                                                            : WorkspaceAccess::ReadWrite);
}

void set_action(CLI::App& command, Session& session, WorkspaceUse use,
                std::function<ExitCode(Workspace&)> action) {
    set_action(command, session, [&session, use, action = std::move(action)] {
        auto workspace = open_workspace(session, use);
        return workspace ? action(*workspace) : session.refuse(workspace.error(), ExitCode::Workspace);
    });
}

ExitCode run_job(Session& session, std::string_view name, ProgressForm form, WorkspaceUse use,
                 const std::function<ExitCode(const Job&)>& work,
                 const std::function<Result<void>()>& check) {
    const Interruption interruption;
    JobObserver observer(session, name, form);
    if (const auto checked = check ? check() : Result<void>(); !checked)
        return observer.refuse(checked.error(), ExitCode::Usage);
    auto workspace = open_workspace(session, use);
    return workspace ? work({session, observer, *workspace, interruption})
                     : observer.refuse(workspace.error(), ExitCode::Workspace);
}

void set_job(CLI::App& command, Session& session, std::string name, const ProgressForm& form,
             WorkspaceUse use, std::function<ExitCode(const Job&)> work,
             std::function<Result<void>()> check) {
    set_action(command, session,
               [&session, name = std::move(name), &form, use, work = std::move(work),
                check = std::move(check)] { return run_job(session, name, form, use, work, check); });
}

Json failed_json(std::span<const Error> failures) {
    Json json = Json::array();
    for (const Error& failure : failures)
        json.push_back(failure_json(failure));
    return json;
}

void complain_of_lines(JobObserver& observer, std::span<const Error> problems, std::size_t count) {
    constexpr std::size_t shown = 20;
    for (const Error& problem : problems)
        observer.event("failed", failure_json(problem));
    for (const Error& problem : problems.first(std::min(shown, problems.size())))
        observer.complain(problem);
    if (count > shown)
        observer.remark(fmt::format("… and {} more{}", count - shown,
                                    count == problems.size() ? ", which --json lists" : ""));
}

Result<void> write_named_files(const Session& session, const std::vector<NamedFile>& files) {
    for (const auto& [file, content] : files) {
        if (file.empty())
            continue;
        if (auto written = write_whole_file(file, content()); !written)
            return written;
        session.remark(fmt::format("wrote {}", file));
    }
    return {};
}

} // namespace sparsight
