#include "workflow/process/learn_process.h"

#include "base/files.h"
#include "base/helper_process.h"
#include "base/process.h"
#include "workflow/learning_settings.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace sparsight {

namespace {

class Descriptor {
public:
    Descriptor() = default;
    explicit Descriptor(int number)
        : number_(number) {}
    Descriptor(Descriptor&& other) noexcept
        : number_(std::exchange(other.number_, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        std::swap(number_, other.number_);
        return *this;
    }
    ~Descriptor() { close(); }

    void close() {
        if (number_ >= 0)
            ::close(std::exchange(number_, -1));
    }
    [[nodiscard]] int number() const { return number_; }
    [[nodiscard]] bool is_open() const { return number_ >= 0; }

private:
    int number_ = -1;
};

struct Pipe {
    Descriptor read;
    Descriptor write;
};

Error failure(const std::filesystem::path& program, int number) {
    return {Fault::Environment, fmt::format("can't be started: {}", std::generic_category().message(number)),
            program.string(), 0};
}

Result<Pipe> make_pipe(const std::filesystem::path& program) {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0)
        return std::unexpected(failure(program, errno));
    return Pipe{Descriptor(ends[0]), Descriptor(ends[1])};
}

/// Between fork and exec, where only what is safe in a signal handler may be called: everything else was made
/// before. Returns only when it fails.
void become(const char* program, char* const* arguments, char* const* environment, int out, int err,
            int failed, pid_t parent) {
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (::getppid() != parent) // it has died already
        ::_exit(1);
    // This process holds its signals back for a thread that waits for them, and a child would inherit that.
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    for (const int signal : {SIGINT, SIGTERM, SIGPIPE})
        (void)::signal(signal, SIG_DFL);
    const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (::dup2(nothing, STDIN_FILENO) >= 0 && ::dup2(out, STDOUT_FILENO) >= 0 &&
        ::dup2(err, STDERR_FILENO) >= 0)
        ::execve(program, arguments, environment);
    const int reason = errno;
    (void)!::write(failed, &reason, sizeof reason);
    ::_exit(127);
}

/// What comes out of a pipe, cut into lines.
class Lines {
public:
    explicit Lines(Descriptor pipe)
        : pipe_(std::move(pipe)) {}

    [[nodiscard]] const Descriptor& pipe() const { return pipe_; }

    void read(const std::function<void(std::string_view)>& on_line) {
        std::array<char, 65536> buffer{};
        const ssize_t size = ::read(pipe_.number(), buffer.data(), buffer.size());
        if (size < 0 && errno == EINTR)
            return;
        if (size > 0)
            text_.append(buffer.data(), static_cast<std::size_t>(size));
        else
            pipe_.close();
        std::size_t begin = 0;
        for (std::size_t end = text_.find('\n'); end != std::string::npos; end = text_.find('\n', begin)) {
            on_line(std::string_view(text_).substr(begin, end - begin));
            begin = end + 1;
        }
        text_.erase(0, begin);
        if (!pipe_.is_open() && !text_.empty())
            on_line(std::exchange(text_, {}));
    }

private:
    Descriptor pipe_;
    std::string text_; ///< of the line that has not ended
};

int exit_code_of(pid_t child) {
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

} // namespace

Result<ChildEnd> run_child(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                           const std::vector<std::string>& more_environment,
                           const std::function<void(std::string_view line)>& on_line,
                           const std::stop_token& stop) {
    auto out = make_pipe(program);
    auto err = make_pipe(program);
    auto failed = make_pipe(program);
    for (const auto* pipe : {&out, &err, &failed})
        if (!*pipe)
            return std::unexpected(pipe->error());

    const std::string path = program.string();
    std::vector<std::string> words{path};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> pointers;
    for (std::string& word : words)
        pointers.push_back(word.data());
    pointers.push_back(nullptr);
    std::vector<std::string> settings = more_environment;
    std::vector<char*> environment;
    for (char** each = environ; *each != nullptr; ++each)
        environment.push_back(*each);
    for (std::string& each : settings)
        environment.push_back(each.data());
    environment.push_back(nullptr);
    const pid_t self = ::getpid();
    const pid_t child = ::fork();
    if (child < 0)
        return std::unexpected(failure(program, errno));
    if (child == 0)
        become(path.c_str(), pointers.data(), environment.data(), out->write.number(), err->write.number(),
               failed->write.number(), self);
    out->write.close();
    err->write.close();
    failed->write.close();
    int reason = 0;
    if (::read(failed->read.number(), &reason, sizeof reason) == sizeof reason) {
        (void)exit_code_of(child);
        return std::unexpected(failure(program, reason));
    }

    ChildEnd end;
    {
        const std::stop_callback on_stop(stop, [child] { ::kill(child, SIGTERM); });
        Lines output(std::move(out->read));
        Lines errors(std::move(err->read));
        const auto remember = [&end](std::string_view line) {
            if (!line.empty())
                end.last_words = line;
        };
        while (output.pipe().is_open() || errors.pipe().is_open()) {
            std::array<pollfd, 2> waiting{pollfd{output.pipe().number(), POLLIN, 0},
                                          pollfd{errors.pipe().number(), POLLIN, 0}};
            if (::poll(waiting.data(), waiting.size(), -1) < 0 && errno != EINTR)
                break;
            if (waiting[0].revents != 0)
                output.read(on_line);
            if (waiting[1].revents != 0)
                errors.read(remember);
        }
    } // no signal is sent any more: once it is waited for, another process may have its number
    end.exit_code = exit_code_of(child);
    return end;
}

namespace {

/// A file of our own until the page is printed.
class TemporaryPage {
public:
    TemporaryPage()
        : path_(std::filesystem::temp_directory_path() /
                fmt::format("sparsight-report-{}.html", ::getpid())) {}
    TemporaryPage(const TemporaryPage&) = delete;
    TemporaryPage& operator=(const TemporaryPage&) = delete;
    ~TemporaryPage() {
        std::error_code ignored;
        std::filesystem::remove(path_, ignored);
    }
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

} // namespace

bool names_pdf(std::string_view file) {
    return file.ends_with(".pdf");
}

Result<std::string> read_report_name(std::string_view name) {
    if (names_pdf(name) || name.ends_with(".html"))
        return std::string(name);
    return fail(Fault::Input, fmt::format("'{}' ends in neither .html nor .pdf", name));
}

Result<void> print_pdf(const std::string& html, const std::string& file, const std::stop_token& stop) {
    const auto program = find_sparsight_program("sparsight", "which prints pages");
    if (!program)
        return std::unexpected(program.error());
    const TemporaryPage page;
    if (auto written = write_whole_file(page.path(), html); !written)
        return written;
    const auto end = run_child(
        *program, {"--print-report", page.path().string(), file}, {"QT_QPA_PLATFORM=offscreen"},
        [](std::string_view) {}, stop);
    if (!end)
        return std::unexpected(end.error());
    if (stop.stop_requested())
        return fail(Fault::Cancelled, "stopped");
    if (end->exit_code != 0)
        return fail_in_file(Fault::Environment, file, 0,
                            end->last_words.empty()
                                ? fmt::format("sparsight ended with exit code {}", end->exit_code)
                                : end->last_words);
    return {};
}

namespace {

std::string text_of(const Json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::int64_t line_of(const Json& object) {
    const auto found = object.find("line");
    return found != object.end() && found->is_number_integer() ? found->get<std::int64_t>() : 0;
}

void add_setting(const LearnerSetting& setting, std::vector<std::string>& arguments) {
    arguments.insert(arguments.end(), {"--workspace", setting.workspace, "--seed",
                                       fmt::format("{}", setting.seed), "--quiet"});
}

/// It ended without telling why.
Error unexplained(const ChildEnd& end) {
    return {Fault::Internal,
            end.last_words.empty() ? fmt::format("{} ended with exit code {}", learner_program, end.exit_code)
                                   : end.last_words,
            {},
            0};
}

} // namespace

Result<std::filesystem::path> find_learner() {
    if (is_address_space_too_small())
        return fail(Fault::Limit, small_address_space);
    return find_sparsight_program(learner_program, "which trains and searches");
}

Result<Json> follow_learner(const LearnerSetting& setting, std::vector<std::string> arguments,
                            const std::function<void(const Json& event)>& on_event,
                            const std::stop_token& stop) {
    const auto program = find_learner();
    if (!program)
        return std::unexpected(program.error());
    add_setting(setting, arguments);
    arguments.insert(arguments.end(), {"--progress", "json"});
    Json last;
    const auto end = run_child(
        *program, arguments, missing_library_settings(),
        [&](std::string_view line) {
            Json event = Json::parse(line, nullptr, /*allow_exceptions=*/false);
            if (!event.is_object())
                return;
            on_event(event);
            last = std::move(event);
        },
        stop);
    if (!end)
        return std::unexpected(end.error());
    const std::string what = last.is_object() ? text_of(last, "event") : "";
    if (what == "end")
        return last;
    if (stop.stop_requested())
        return std::unexpected(Error{Fault::Cancelled, "stopped", {}, 0});
    if (what == "error")
        return fail_in_file(Fault::Input, text_of(last, "file"), line_of(last), text_of(last, "error"));
    return std::unexpected(unexplained(*end));
}

namespace {

std::uint64_t number(const Json& event, const char* key) {
    const auto found = event.find(key);
    return found != event.end() && found->is_number_unsigned() ? found->get<std::uint64_t>() : 0;
}

} // namespace

Result<void> make_model(const LearnerSetting& setting, const std::string& model,
                        std::vector<std::string> arguments, Observer& observer, const std::stop_token& stop) {
    arguments.insert(arguments.end(), {"--name", model, "--renew"});
    std::uint64_t epochs = 0;
    const auto end = follow_learner(
        setting, std::move(arguments),
        [&](const Json& event) {
            const std::string what = event.value("event", "");
            if (what == "start") {
                epochs = number(event, "epochs");
                if (const auto why = event.find("replaces"); why != event.end() && why->is_string())
                    observer.remark(why->get<std::string>());
            }
            if (what != "epoch")
                return;
            const std::string stage = fmt::format("training {}", model);
            const std::uint64_t done = number(event, "epoch");
            const std::uint64_t total = std::max(epochs, done);
            observer.progress({.stage = stage,
                               .done = done,
                               .total = total,
                               .details = fmt::format("{}, epoch {}", stage, done)});
        },
        stop);
    if (!end)
        return std::unexpected(end.error());
    if (const auto made = end->find("model"); made == end->end() || !made->is_string())
        return fail(Fault::Cancelled, fmt::format("stopped before there was a model {}", model));
    return {};
}

} // namespace sparsight
