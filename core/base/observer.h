// What long work tells whoever started it. A program prints it for people or as one JSON object a line, a
// test collects it. Work that nobody follows is given an Observer itself, which says nothing.
#pragma once

#include "base/error.h"
#include "base/progress.h"

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string_view>

namespace sparsight {

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
    /// Likewise one that start() has told programs.
    virtual void note(std::string_view /*sentence*/) {}
    /// One thing that could not be used; the work goes on.
    virtual void complain(const Error& /*error*/) {}

    /// For functions that tell nothing but their progress. It must not outlive the observer.
    [[nodiscard]] ProgressSink sink() {
        return [this](const Progress& state) { progress(state); };
    }
};

} // namespace sparsight
