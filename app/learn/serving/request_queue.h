// Questions of another program, a JSON object a line, that wait for their answers. Who reads them and who
// answers them are two threads: a question that is no longer wanted must not wait until its turn.
//
// A question:  {"version": 1, "id": ID, "ask": NAME, "key": TEXT, …}
// Its answer:  {"version": 1, "id": ID, "answer": {…}}
//          or  {"version": 1, "id": ID, "error": {"fault", "message", "file", "line"}}
//          or  {"version": 1, "id": ID, "superseded_by": ID}
// Each question has exactly one. "key" may be absent: a newer question of the same key supersedes it.
#pragma once

#include "base/error.h"

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

namespace sparsight {

using Json = nlohmann::ordered_json;

inline constexpr int serving_version = 1;

struct ServedQuestion {
    Json id; ///< a number or a text
    std::string ask;
    std::string key;
    Json members; ///< all of the line
};

/// Empty where it is absent. Error (Input): it is no text.
[[nodiscard]] Result<std::string> text_member(const Json& members, const char* name);

/// Usable from several threads at once.
class RequestQueue {
public:
    /// Is given each answer, one at a time.
    using Tell = std::function<void(const Json& answer)>;

    explicit RequestQueue(Tell tell)
        : tell_(std::move(tell)) {}

    /// A line of the input. What is wrong with it, and a question that it supersedes or cancels and that
    /// waits, is answered at once.
    void add(std::string_view line);
    /// No more lines follow.
    void close();
    /// Asks the question in work to stop, drops all others, and closes.
    void stop();

    struct Turn {
        ServedQuestion question;
        std::stop_token stop; ///< cancelled or superseded
    };
    /// Waits for the next one; nothing where none follows. The one before must be finished.
    [[nodiscard]] std::optional<Turn> next();
    /// Answers the question of the last turn.
    void finish(const Result<Json>& answer);

private:
    struct Working {
        ServedQuestion question;
        std::stop_source stop;
        std::optional<Json> superseded_by;
    };

    void cancel(const ServedQuestion& question);
    void supersede(const ServedQuestion& question);
    void refuse(const Json& id, const Error& error);
    void tell(const Json& id, const char* member, Json value);

    Tell tell_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<ServedQuestion> waiting_;
    std::optional<Working> working_;
    bool is_closed_ = false;
};

} // namespace sparsight
