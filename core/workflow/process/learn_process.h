// Runs other programs, above all sparsight-learn, which has the learning library: reads their output line by
// line, and stops them.
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

// Another program that works for this one.

struct ChildEnd {
    int exit_code = 0;      ///< 128 plus the number of the signal if one killed it, as in shells
    std::string last_words; ///< its last line on stderr
};

/// Runs `program` until it ends; `on_line` receives each line of its stdout. When stopped, it gets SIGTERM
/// and is waited for. It has this program's environment, and `more_environment` (VARIABLE=VALUE) for
/// variables that are not set here. It has its own process group, so that Ctrl-C reaches it once and through
/// this program, and it ends when this process dies. An error: it can't be started.
[[nodiscard]] Result<ChildEnd> run_child(const std::filesystem::path& program,
                                         const std::vector<std::string>& arguments,
                                         const std::vector<std::string>& more_environment,
                                         const std::function<void(std::string_view line)>& on_line,
                                         const std::stop_token& stop);

// Printing reports: the window's program lays out and prints a page for this one.

/// The name itself, if it ends in .html or .pdf; otherwise an error that says what was expected.
[[nodiscard]] Result<std::string> read_report_name(std::string_view name);
[[nodiscard]] bool names_pdf(std::string_view file);

/// Prints by `sparsight --print-report`, which is looked for beside this program, then on PATH. An error
/// (Fault::Environment) if it is missing, as in builds without a window.
[[nodiscard]] Result<void> print_pdf(const std::string& html, const std::string& file,
                                     const std::stop_token& stop);

/// Finds sparsight-learn beside this program, otherwise in a folder of PATH. Error (Fault::Limit) also where
/// this process may have less memory than it takes to load.
[[nodiscard]] Result<std::filesystem::path> find_learner();

/// Options that all of its commands need.
struct LearnerSetting {
    std::string workspace; ///< path of the workspace
    std::uint64_t seed = 1;
};

/// Runs a command with --progress json. `on_event` receives each event; the last one, "end", is returned,
/// also for a run that was stopped and says so. `arguments` begin with the command; `setting` is added. The
/// error is the one that the command reports; Fault::Cancelled if it was stopped before its end.
[[nodiscard]] Result<Json> follow_learner(const LearnerSetting& setting, std::vector<std::string> arguments,
                                          const std::function<void(const Json& event)>& on_event,
                                          const std::stop_token& stop);

// A model that an experiment needs: made once by sparsight-learn, and again when its settings or its data
// have changed.

/// `arguments` begin with the command, `train` or `finetune`, and lack the name of the model. Its epochs are
/// reported as progress; a remark says why a model is made again. Errors: those of sparsight-learn;
/// Fault::Cancelled, also if it ended without a model.
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
    std::jthread timer_; ///< last, so that it ends before what it uses is destroyed
};

} // namespace sparsight
