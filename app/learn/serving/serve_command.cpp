#include "command/job.h"
#include "command/options.h"
#include "command/program.h"
#include "command/session.h"
#include "learn/commands.h"
#include "learn/serving/request_queue.h"
#include "learn/serving/served_answers.h"
#include "model/tensors/torch_runtime.h"

#include "base/parallel.h"

#include <CLI/CLI.hpp>
#include <cerrno>
#include <csignal>
#include <memory>
#include <poll.h>
#include <string>
#include <string_view>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

namespace sparsight {
namespace {

constexpr CommandHelp serve_help{.description = R"(
Answers questions of another program, such as the window, from models that stay in
memory. `sparsight-learn --serve` is the same. Questions come by standard input, a JSON
object a line, and each has one answer on standard output. It ends with its input.
Models are read again when the workspace has others under their names.)",
                                 .examples = R"(
sparsight-learn serve < questions.jsonl
sparsight-learn --serve)",
                                 .json = R"(
First {"version": 1, "ready": PROGRAM}. Then of each question, in the order of work:
{"version": 1, "id": ID, "answer": {…}}, or "error": {"fault", "message", "file", "line"},
or "superseded_by": ID, where a newer question has the same key.
Questions; ID is a whole number or text, and "key" may stand in each:
{"version": 1, "id": ID, "ask": "open", "workspace": FILE}
{"version": 1, "id": ID, "ask": "load", "model": NAME, "setting": TEXT}
{"version": 1, "id": ID, "ask": "predict", "model": NAME, "machine": NAME,
 "setting": TEXT, "pairs": [[WORKLOAD, CONFIGURATION]]}
{"version": 1, "id": ID, "ask": "predict", "model": NAME, "machine": NAME,
 "code": [HEX]}   of basic blocks; or "blocks": [NAME], of the workspace
{"version": 1, "id": ID, "ask": "cancel", "request": ID}
load and predict may name their workspace. The answer to pairs is that of `predict
--json`; of blocks it is {"model", "machine", "blocks": [{"cycles", "reason"}]}.)"};

/// Reads standard input line by line, without waiting beyond the end of the work.
class QuestionReader {
public:
    explicit QuestionReader(RequestQueue& queue)
        : queue_(queue)
        , thread_([this](const std::stop_token& stop) { read(stop); }) {}

private:
    void read(const std::stop_token& stop) {
        constexpr int patience_ms = 100;
        std::vector<char> some(std::size_t{1} << 16);
        while (!stop.stop_requested()) {
            pollfd input{STDIN_FILENO, POLLIN, 0};
            if (::poll(&input, 1, patience_ms) <= 0)
                continue;
            const ssize_t size = ::read(STDIN_FILENO, some.data(), some.size());
            if (size < 0 && errno == EINTR)
                continue;
            if (size <= 0)
                break;
            take({some.data(), static_cast<std::size_t>(size)});
        }
        if (!line_.empty())
            add_line();
        queue_.close();
    }

    /// A line that is too long is refused once, without its text.
    void take(std::string_view text) {
        constexpr std::size_t longest_line = std::size_t{16} << 20;
        while (!text.empty()) {
            const std::size_t end = std::min(text.find('\n'), text.size());
            line_ += text.substr(0, end);
            if (line_.size() > longest_line) {
                line_ = "a line of more than 16 MiB";
                is_too_long_ = true;
            }
            if (end < text.size())
                add_line();
            text.remove_prefix(std::min(end + 1, text.size()));
        }
    }
    void add_line() {
        queue_.add(is_too_long_ ? std::string_view("a line of more than 16 MiB") : std::string_view(line_));
        line_.clear();
        is_too_long_ = false;
    }

    RequestQueue& queue_;
    std::string line_;
    bool is_too_long_ = false;
    std::jthread thread_; ///< last made, first gone
};

struct ServeOptions {
    int threads = available_threads();
    int megabytes = 2048;
};

ExitCode serve(Session& session, const LearningDomains& domains, const GivenWorkloadsParts& given,
               const ServeOptions& options) {
    const Interruption interruption;
    if (auto ready = prepare_torch(options.threads); !ready)
        return session.refuse(ready.error());
    std::signal(SIGPIPE, SIG_IGN); // who asked may be gone
    RequestQueue queue([&](const Json& answer) { session.print_json_line(answer); });
    const std::stop_callback stopping(interruption.token(), [&queue] { queue.stop(); });
    ServedAnswers answers(domains, given, options.threads,
                          {.bytes = static_cast<std::uint64_t>(options.megabytes) << 20});
    session.print_json_line({{"version", serving_version}, {"ready", session.program_version()}});
    const QuestionReader reader(queue);
    while (const auto turn = queue.next()) {
        queue.finish(answers.answer(turn->question, turn->stop));
        if (!session.flush_output())
            break;
    }
    return interruption.requested() ? ExitCode::Interrupted : ExitCode::Done;
}

} // namespace

void add_serve_command(CLI::App& app, Session& session, const LearningDomains& domains,
                       const GivenWorkloadsParts& given) {
    CLI::App& command =
        add_command(app, "serve", "Answer questions of another program from models in memory", serve_help);
    const auto options = std::make_shared<ServeOptions>();
    add_threads_option(command, options->threads, "threads that compute (default: all)");
    command
        .add_option("--memory", options->megabytes,
                    "MiB of memory above which models are forgotten\n(default 2048)")
        ->type_name("MIB")
        ->check(whole_numbers(256, 1 << 20));
    set_action(command, session,
               [&session, &domains, given, options] { return serve(session, domains, given, *options); });
}

} // namespace sparsight
