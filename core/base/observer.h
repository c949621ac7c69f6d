// What long work tells whoever started it, and how it measures its time. A program prints it for people or as
// one JSON object a line, a test collects it. Work that nobody follows is given an Observer itself, which
// says nothing. Work is stopped through a std::stop_token.
#pragma once

#include "base/error.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string_view>

namespace sparsight {

/// `done` of `total` units of work; a total of 0 means "not known".
struct Progress {
    std::string_view stage; ///< what is being done, for the user ("reading", "measuring cage8")
    std::uint64_t done = 0;
    std::uint64_t total = 0;
    std::string_view details{}; ///< for people, in the place of the stage: "epoch 3 of 80, loss 0.41"
    std::optional<std::chrono::duration<double>>
        left{}; ///< time, where the work knows better than done and total
};

/// Called on the thread that does the work; an empty function is not called.
using ProgressSink = std::function<void(const Progress&)>;

/// Measures the time since its construction.
class Stopwatch {
public:
    [[nodiscard]] double seconds() const {
        return std::chrono::duration<double>(Clock::now() - start_).count();
    }
    [[nodiscard]] double milliseconds() const { return seconds() * 1000; }

private:
    using Clock = std::chrono::steady_clock;

    Clock::time_point start_ = Clock::now();
};

/// Members keep the order in which they are written. Whoever makes values of it includes <nlohmann/json.hpp>.
using Json = nlohmann::ordered_json;

/// {"file", "line", "error"}: how one failed input stands in a list; file and line are null where there is
/// none.
[[nodiscard]] Json failure_json(const Error& error);

class Observer {
public:
    Observer() = default;
    Observer(const Observer&) = delete;
    Observer& operator=(const Observer&) = delete;
    virtual ~Observer() = default;

    /// Once, when it is known what will be done.
    virtual void start(const Json& /*facts*/) {}
    /// So many units were done by an earlier run of the same work: they say nothing about the time left.
    virtual void resume(std::uint64_t /*done*/) {}
    virtual void progress(const Progress& /*state*/) {}
    /// Progress for people alone: programs follow the events.
    virtual void show(const Progress& /*state*/) {}
    /// Whether event() goes anywhere: what is needed for events alone is not computed otherwise.
    [[nodiscard]] virtual bool tells_events() const { return false; }
    /// One result of the work, such as a step, an epoch or a choice: for programs, not for people.
    virtual void event(std::string_view /*name*/, const Json& /*members*/) {}
    /// A sentence for people. What programs need of it stands in start() or in an event as well.
    virtual void remark(std::string_view /*sentence*/) {}
    /// A sentence that people need even where they want to be told little.
    virtual void warn(std::string_view sentence) { remark(sentence); }
    /// As remark(), of what start() has told programs.
    virtual void note(std::string_view /*sentence*/) {}
    /// One thing that could not be used; the work goes on.
    virtual void complain(const Error& /*error*/) {}

    /// For functions that tell nothing but their progress. It must not outlive the observer.
    [[nodiscard]] ProgressSink sink() {
        return [this](const Progress& state) { progress(state); };
    }
};

} // namespace sparsight
