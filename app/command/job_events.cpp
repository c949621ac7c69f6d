#include "command/job_events.h"

#include "command/options.h"

#include <csignal>
#include <fmt/format.h>

namespace sparsight {

namespace {

constexpr std::chrono::milliseconds progress_interval{100};

Result<ProgressForm> read_progress(std::string_view text) {
    if (text == "json")
        return ProgressForm::Events;
    if (text == "display")
        return ProgressForm::Display;
    return fail(Fault::Input, fmt::format("'{}' is no form of progress: expected display or json", text));
}

Json or_null(const std::optional<double>& number) {
    return number ? Json(*number) : Json();
}

} // namespace

CLI::Option* add_progress_option(CLI::App& command, ProgressForm& form) {
    return add_parsed_option(command, "--progress", form, &read_progress, "display (default) or json")
        ->type_name("FORM");
}

JobEvents::JobEvents(const Session& session, std::string_view job, ProgressForm form)
    : session_(session)
    , job_(job)
    , form_(form) {
    if (are_told())
        (void)std::signal(SIGPIPE, SIG_IGN);
}

ProgressDisplay::Style JobEvents::display_style() const {
    return are_told() ? ProgressDisplay::Style::None
                      : ProgressDisplay::style_of_stderr(session_.options.quiet);
}

void JobEvents::start(const Json& facts) {
    start_ = Clock::now();
    Json members{{"job", job_}};
    members.update(facts);
    tell("start", members);
}

void JobEvents::progress(std::string_view stage, std::uint64_t done, std::uint64_t total) {
    if (!are_told())
        return;
    Json event{{"stage", stage},
               {"done", done},
               {"total", total},
               {"seconds_left", or_null(seconds_left(done, total))}};
    pending_ = std::move(event);
    const auto now = Clock::now();
    if (last_progress_ && now - *last_progress_ < progress_interval)
        return;
    last_progress_ = now;
    flush_progress();
}

ProgressSink JobEvents::sink() {
    return [this](const Progress& state) { progress(state.stage, state.done, state.total); };
}

void JobEvents::tell(std::string_view event, const Json& members) const {
    if (!are_told())
        return;
    Json line{{"event", event}};
    line.update(members);
    session_.print_json_line(line);
}

void JobEvents::end(const Json& summary, bool complete, bool stopped) {
    flush_progress();
    Json members = summary;
    if (!members.contains("seconds"))
        members["seconds"] = std::chrono::duration<double>(Clock::now() - start_).count();
    members["complete"] = complete;
    members["stopped"] = stopped;
    tell("end", members);
}

void JobEvents::error(const Error& error) {
    flush_progress();
    Json members = failure_json(error);
    members["stopped"] = error.fault == Fault::Cancelled;
    tell("error", members);
}

ExitCode JobEvents::refuse(const Error& error, ExitCode otherwise) {
    if (!are_told())
        return session_.refuse(error, otherwise);
    this->error(error);
    session_.complain(error);
    if (error.fault == Fault::Cancelled)
        return ExitCode::Interrupted;
    return error.file == session_.workspace_path() ? ExitCode::Workspace : otherwise;
}

void JobEvents::flush_progress() {
    if (!pending_)
        return;
    tell("progress", *pending_);
    pending_.reset();
}

std::optional<double> JobEvents::seconds_left(std::uint64_t done, std::uint64_t total) const {
    if (done <= done_before_ || total < done)
        return std::nullopt;
    const double spent = std::chrono::duration<double>(Clock::now() - start_).count();
    return spent / static_cast<double>(done - done_before_) * static_cast<double>(total - done);
}

} // namespace sparsight
