// Other programs at work for this one: where they are, their output line by line, and a stop that reaches
// them. Above all sparsight-learn, which has the learning library.
#pragma once

#include "base/error.h"
#include "base/observer.h"
#include "base/quantity.h"

#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <mutex>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace sparsight {

/// Beside this program, also one that may not be started (which is then said of it), else in a folder of
/// PATH. Error (Fault::Environment): it is in neither; `task` says what it is for: "which trains and
/// searches".
[[nodiscard]] Result<std::filesystem::path> find_sparsight_program(std::string_view program,
                                                                   std::string_view task);

// Another program that works for this one: its output line by line, and a stop that reaches it.

struct ChildEnd {
    int exit_code = 0;      ///< 128 and the number of the signal where one killed it, as shells count
    std::string last_words; ///< the last line that it wrote to stderr
};

/// Runs `program` until it ends; `on_line` is given each line of its stdout. Stopped, it is sent SIGTERM, and
/// waited for. It has this program's environment and `more_environment`, texts of the form VARIABLE=VALUE for
/// variables that are not set here. It is of a process group of its own, so that Ctrl-C reaches it once and
/// through us, and it ends when this process dies. An error: it can't be started.
[[nodiscard]] Result<ChildEnd> run_child(const std::filesystem::path& program,
                                         const std::vector<std::string>& arguments,
                                         const std::vector<std::string>& more_environment,
                                         const std::function<void(std::string_view line)>& on_line,
                                         const std::stop_token& stop);

// Pages on paper: the window's program knows how to lay out and print, this one has it do so.

/// The name as it is, where it ends in .html or .pdf; otherwise an error that says what was expected.
[[nodiscard]] Result<std::string> read_report_name(std::string_view name);
[[nodiscard]] bool names_pdf(std::string_view file);

/// By `sparsight --print-report`, which is looked for beside this program, then on PATH. An error
/// (Fault::Environment) where it is not there, as in builds without a window.
[[nodiscard]] Result<void> print_pdf(const std::string& html, const std::string& file,
                                     const std::stop_token& stop);

/// Beside this program, else in a folder of PATH.
[[nodiscard]] Result<std::filesystem::path> find_learner();

/// What its commands are told beside their own options.
struct LearnerSetting {
    std::string workspace; ///< its path
    std::uint64_t seed = 1;
};

/// Runs one of its commands with --progress json: `on_event` is given each event, and the last one, "end", is
/// returned, also of a run that was stopped and says so. `arguments` begin with the command; the
/// setting is added. An error is its own where it tells one; Fault::Cancelled where it
/// was stopped before it could end.
[[nodiscard]] Result<Json> follow_learner(const LearnerSetting& setting, std::vector<std::string> arguments,
                                          const std::function<void(const Json& event)>& on_event,
                                          const std::stop_token& stop);

// A model that a command of sparsight-learn makes for an experiment: once, and again when its settings or its
// data have changed.

/// `arguments` begin with the command, `train` or `finetune`, and lack the name of the model. Its
/// epochs are its progress; a remark says why it is made anew. Errors: those of sparsight-learn;
/// Fault::Cancelled, also where it ended before there was a model.
[[nodiscard]] Result<void> make_model(const LearnerSetting& setting, const std::string& model,
                                      std::vector<std::string> arguments, Observer& observer,
                                      const std::stop_token& stop);

class TimedStop {
public:
    TimedStop(const std::stop_token& stop, Seconds after)
        : on_stop_(stop, [this] { source_.request_stop(); })
        , timer_([this, after](const std::stop_token& over) {
            std::unique_lock lock(mutex_);
            if (!ending_.wait_for(lock, over, after, [] { return false; }) && !over.stop_requested())
                source_.request_stop();
        }) {}

    [[nodiscard]] std::stop_token token() const { return source_.get_token(); }

private:
    std::stop_source source_;
    std::stop_callback<std::function<void()>> on_stop_;
    std::mutex mutex_;
    std::condition_variable_any ending_;
    std::jthread timer_; ///< last: it ends before what it uses
};

} // namespace sparsight
