// A JSON document read member by member, so that a long list in it never stands in memory as a whole. Values
// come as their text: only the structure around them is followed here.
#pragma once

#include "base/error.h"
#include "base/reading/byte_source.h"
#include "domains/records/formats/json_values.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace sparsight {

class JsonStream {
public:
    /// A single value that is longer is refused, because it is held in memory.
    static constexpr std::size_t most_value_bytes = std::size_t{1} << 26;

    JsonStream(std::string file, std::unique_ptr<ByteSource> bytes);

    /// Errors of all, with file and line: what was found and expected; the file ends too early, or cannot be
    /// read.

    /// Goes into the object or list that comes next.
    [[nodiscard]] Result<void> enter_object() { return enter('{'); }
    [[nodiscard]] Result<void> enter_list() { return enter('['); }
    /// The next member of the object that was entered; absent at its end, which is left. Its value must be
    /// taken, skipped or entered before the next one.
    [[nodiscard]] Result<std::optional<std::string>> next_key();
    /// Whether the list that was entered has another value; false at its end, which is left.
    [[nodiscard]] Result<bool> next_value();
    /// Whether the value that comes next is an object ('{'), a list ('[') or something else.
    [[nodiscard]] Result<char> peek();
    /// The value that comes next; valid until the next call.
    [[nodiscard]] Result<JsonText> take();
    [[nodiscard]] Result<void> skip();

    /// Whether an error was the end of the file.
    [[nodiscard]] bool has_ended() const { return has_ended_; }
    [[nodiscard]] std::int64_t line() const { return line_; }
    [[nodiscard]] const std::string& file() const { return file_; }
    [[nodiscard]] const ByteSource& bytes() const { return *bytes_; }

private:
    [[nodiscard]] Result<bool> fill();
    [[nodiscard]] Result<char> front(std::string_view expected);
    void advance();
    [[nodiscard]] Result<void> enter(char bracket);
    [[nodiscard]] Result<bool> next_of(char end);
    /// Reads a value to its end; its text is kept in value_ where `is_kept`.
    [[nodiscard]] Result<void> pass(bool is_kept);
    [[nodiscard]] std::unexpected<Error> unexpected(char found, std::string_view expected) const;

    std::string file_;
    std::unique_ptr<ByteSource> bytes_;
    std::string buffer_;
    std::size_t place_ = 0;
    std::int64_t line_ = 1;
    bool is_first_ = true; ///< of the members or values of what was entered
    bool has_ended_ = false;
    std::string value_;
};

} // namespace sparsight
