#include "domains/records/formats/json_stream.h"

#include <fmt/format.h>
#include <utility>

namespace sparsight {
namespace {

constexpr std::size_t json_buffer_bytes = std::size_t{1} << 18;

bool is_json_space(char c) {
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

} // namespace

JsonStream::JsonStream(std::string file, std::unique_ptr<ByteSource> bytes)
    : file_(std::move(file))
    , bytes_(std::move(bytes)) {}

/// False at the end of the file.
Result<bool> JsonStream::fill() {
    if (place_ < buffer_.size())
        return true;
    const bool is_beginning = buffer_.empty();
    buffer_.resize(json_buffer_bytes);
    const auto got = bytes_->read(buffer_);
    buffer_.resize(got.value_or(0));
    place_ = 0;
    if (!got) {
        Error error = got.error();
        error.file = file_;
        return std::unexpected(std::move(error));
    }
    if (is_beginning && buffer_.starts_with("\xef\xbb\xbf"))
        place_ = 3;
    has_ended_ = place_ == buffer_.size();
    return !has_ended_;
}

void JsonStream::advance() {
    line_ += buffer_[place_] == '\n' ? 1 : 0;
    ++place_;
}

/// The next character that is no white space.
Result<char> JsonStream::front(std::string_view expected) {
    for (;;) {
        const auto has_more = fill();
        if (!has_more)
            return std::unexpected(has_more.error());
        if (!*has_more)
            return fail_in_file(Fault::Input, file_, line_,
                                fmt::format("the file ends too early, expected {}", expected));
        if (!is_json_space(buffer_[place_]))
            return buffer_[place_];
        advance();
    }
}

std::unexpected<Error> JsonStream::unexpected(char found, std::string_view expected) const {
    return fail_in_file(
        Fault::Input, file_, line_,
        fmt::format("found '{}', expected {}", found > ' ' && found != '\x7f' ? found : '?', expected));
}

Result<void> JsonStream::enter(char bracket) {
    const std::string_view expected = bracket == '{' ? "an object ('{')" : "a list ('[')";
    const auto found = front(expected);
    if (!found)
        return std::unexpected(found.error());
    if (*found != bracket)
        return unexpected(*found, expected);
    advance();
    is_first_ = true;
    return {};
}

/// Passes the comma before what comes next, or the closing bracket: then it is false.
Result<bool> JsonStream::next_of(char end) {
    const std::string_view expected = end == '}' ? "',' or '}' behind a member" : "',' or ']' behind a value";
    auto found = front(expected);
    if (!found)
        return std::unexpected(found.error());
    if (*found == end) {
        advance();
        is_first_ = false;
        return false;
    }
    if (is_first_) {
        is_first_ = false;
        return true;
    }
    if (*found != ',')
        return unexpected(*found, expected);
    advance();
    return true;
}

Result<std::optional<std::string>> JsonStream::next_key() {
    const auto has_more = next_of('}');
    if (!has_more)
        return std::unexpected(has_more.error());
    if (!*has_more)
        return std::nullopt;
    const auto quote = front("a name in quotation marks");
    if (!quote)
        return std::unexpected(quote.error());
    if (*quote != '"')
        return unexpected(*quote, "a name in quotation marks");
    const auto text = take();
    if (!text)
        return std::unexpected(text.error());
    const auto name = parse_json(*text);
    if (!name) {
        Error error = name.error();
        error.file = file_;
        return std::unexpected(std::move(error));
    }
    std::string key = name->get<std::string>();
    const auto colon = front("':' behind a name");
    if (!colon)
        return std::unexpected(colon.error());
    if (*colon != ':')
        return unexpected(*colon, "':' behind a name");
    advance();
    return key;
}

Result<bool> JsonStream::next_value() {
    return next_of(']');
}

Result<char> JsonStream::peek() {
    return front("a value");
}

Result<JsonText> JsonStream::take() {
    const auto begins = front("a value");
    if (!begins)
        return std::unexpected(begins.error());
    const std::int64_t line = line_;
    if (auto done = pass(true); !done)
        return std::unexpected(std::move(done).error());
    return JsonText{value_, line};
}

Result<void> JsonStream::skip() {
    const auto begins = front("a value");
    return begins ? pass(false) : std::unexpected(begins.error());
}

Result<void> JsonStream::pass(bool is_kept) {
    value_.clear();
    const std::int64_t first_line = line_;
    std::size_t depth = 0;
    bool is_text = false;
    bool is_escaped = false;
    for (;;) {
        const auto has_more = fill();
        if (!has_more)
            return std::unexpected(has_more.error());
        if (!*has_more) // a number may end with the file
            return depth == 0 && !is_text && !value_.empty()
                       ? Result<void>()
                       : fail_in_file(Fault::Input, file_, first_line,
                                      "the file ends within the value that begins here");
        const char c = buffer_[place_];
        const bool is_open = is_text || depth > 0;
        if (!is_open && (c == ',' || c == ']' || c == '}' || c == ':' || is_json_space(c))) {
            if (!is_kept || !value_.empty())
                return {};
            return unexpected(c, "a value");
        }
        if (is_kept) {
            if (value_.size() == most_value_bytes)
                return fail_in_file(
                    Fault::Limit, file_, first_line,
                    fmt::format("the value that begins here is longer than {} bytes, which is the limit",
                                most_value_bytes));
            value_ += c;
        }
        advance();
        if (is_text) {
            if (!is_escaped && c == '"') {
                is_text = false;
                if (depth == 0)
                    return {};
            }
            is_escaped = !is_escaped && c == '\\';
        } else if (c == '"') {
            is_text = true;
        } else if (c == '[' || c == '{') {
            ++depth;
        } else if (c == ']' || c == '}') {
            if (--depth == 0)
                return {};
        }
    }
}

} // namespace sparsight
