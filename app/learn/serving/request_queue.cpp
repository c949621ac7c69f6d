#include "learn/serving/request_queue.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace sparsight {
namespace {

constexpr std::size_t most_waiting = 1000;

std::string_view fault_name(Fault fault) {
    switch (fault) {
    case Fault::Input:
        return "input";
    case Fault::Limit:
        return "limit";
    case Fault::Environment:
        return "environment";
    case Fault::Cancelled:
        return "cancelled";
    case Fault::Internal:
        break;
    }
    return "internal";
}

Json error_json(const Error& error) {
    Json json{
        {"fault", fault_name(error.fault)}, {"message", error.message}, {"file", nullptr}, {"line", nullptr}};
    if (!error.file.empty())
        json["file"] = error.file;
    if (error.line > 0)
        json["line"] = error.line;
    return json;
}

bool is_id(const Json& value) {
    return value.is_number_integer() || value.is_string();
}

Result<ServedQuestion> question_of(const Json& members) {
    const auto version = members.find("version");
    if (version == members.end() || *version != serving_version)
        return fail(Fault::Input,
                    fmt::format("\"version\" is {}, expected {}",
                                version == members.end() ? "missing" : version->dump(-1, ' ', true),
                                serving_version));
    const auto id = members.find("id");
    if (id == members.end() || !is_id(*id))
        return fail(Fault::Input, "\"id\" is missing, expected a whole number or text");
    auto ask = text_member(members, "ask");
    if (!ask)
        return std::unexpected(std::move(ask).error());
    auto key = text_member(members, "key");
    if (!key)
        return std::unexpected(std::move(key).error());
    return ServedQuestion{*id, *std::move(ask), *std::move(key), members};
}

} // namespace

Result<std::string> text_member(const Json& members, const char* name) {
    const auto found = members.find(name);
    if (found == members.end())
        return std::string();
    if (!found->is_string())
        return fail(Fault::Input,
                    fmt::format("\"{}\" is {}, expected text", name, found->dump(-1, ' ', true)));
    return found->get<std::string>();
}

void RequestQueue::tell(const Json& id, const char* member, Json value) {
    tell_({{"version", serving_version}, {"id", id}, {member, std::move(value)}});
}

void RequestQueue::refuse(const Json& id, const Error& error) {
    tell(id, "error", error_json(error));
}

void RequestQueue::add(std::string_view line) {
    if (line.find_first_not_of(" \t\r") == std::string_view::npos)
        return;
    const Json members = Json::parse(line, nullptr, /*allow_exceptions=*/false);
    const std::scoped_lock lock(mutex_);
    if (!members.is_object())
        return refuse(nullptr, {Fault::Input, "the line is no JSON object, expected a question", {}, 0});
    const auto question = question_of(members);
    if (!question) {
        const auto id = members.find("id");
        return refuse(id != members.end() && is_id(*id) ? *id : Json(nullptr), question.error());
    }
    if (question->ask == "cancel")
        return cancel(*question);
    supersede(*question);
    if (waiting_.size() >= most_waiting)
        return refuse(
            question->id,
            {Fault::Limit, fmt::format("{} questions wait already: ask again later", most_waiting), {}, 0});
    waiting_.push_back(*question);
    changed_.notify_one();
}

void RequestQueue::cancel(const ServedQuestion& question) {
    const auto asked = question.members.find("request");
    if (asked == question.members.end() || !is_id(*asked))
        return refuse(question.id,
                      {Fault::Input, "\"request\" is missing, expected the id of a question", {}, 0});
    const auto waiting = std::ranges::find(waiting_, *asked, &ServedQuestion::id);
    const bool is_waiting = waiting != waiting_.end();
    const bool is_working = working_ && working_->question.id == *asked;
    if (is_waiting) {
        refuse(*asked, {Fault::Cancelled, "cancelled", {}, 0});
        waiting_.erase(waiting);
    } else if (is_working) {
        working_->stop.request_stop();
    }
    tell(question.id, "answer", {{"cancelled", is_waiting || is_working}});
}

void RequestQueue::supersede(const ServedQuestion& question) {
    if (question.key.empty())
        return;
    std::erase_if(waiting_, [&](const ServedQuestion& older) {
        if (older.key != question.key)
            return false;
        tell(older.id, "superseded_by", question.id);
        return true;
    });
    if (working_ && working_->question.key == question.key) {
        working_->superseded_by = question.id;
        working_->stop.request_stop();
    }
}

void RequestQueue::close() {
    const std::scoped_lock lock(mutex_);
    is_closed_ = true;
    changed_.notify_all();
}

void RequestQueue::stop() {
    const std::scoped_lock lock(mutex_);
    is_closed_ = true;
    waiting_.clear();
    if (working_)
        working_->stop.request_stop();
    changed_.notify_all();
}

std::optional<RequestQueue::Turn> RequestQueue::next() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return is_closed_ || !waiting_.empty(); });
    if (waiting_.empty())
        return std::nullopt;
    working_.emplace(Working{std::move(waiting_.front()), {}, {}});
    waiting_.pop_front();
    return Turn{working_->question, working_->stop.get_token()};
}

void RequestQueue::finish(const Result<Json>& answer) {
    const std::scoped_lock lock(mutex_);
    const Working done = *std::exchange(working_, std::nullopt);
    const Json& id = done.question.id;
    if (done.superseded_by)
        return tell(id, "superseded_by", *done.superseded_by);
    if (done.stop.stop_requested())
        return refuse(id, {Fault::Cancelled, "cancelled", {}, 0});
    if (!answer)
        return refuse(id, answer.error());
    tell(id, "answer", *answer);
}

} // namespace sparsight
