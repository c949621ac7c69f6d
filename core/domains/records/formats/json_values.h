// JSON of tuning records: parsed with the line of what is wrong, and its values as texts of decisions.
#pragma once

#include "base/error.h"
#include "base/observer.h"
#include "domains/records/record_source.h"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

/// A value as it stands in a file, and the line that it begins in.
struct JsonText {
    std::string_view text;
    std::int64_t line = 0;
};

/// What Python writes for numbers that JSON lacks (NaN, Infinity, -Infinity) is null. Error (Input), with the
/// line but without the file: what was expected there, or that values are nested too deeply.
[[nodiscard]] Result<Json> parse_json(JsonText value);

/// "a number", "a text" …: what was found, for messages.
[[nodiscard]] std::string_view kind_of(const Json& value);
/// Null where an object lacks the member, or `object` is none.
[[nodiscard]] const Json* member_of(const Json& object, std::string_view name);
/// The member of this name where it is a text; otherwise empty.
[[nodiscard]] std::string text_member(const Json& object, std::string_view name);

/// Absent where it is no number, or not finite.
[[nodiscard]] std::optional<double> finite_number(const Json& value);
/// Absent where it is no list of numbers, or an empty one.
[[nodiscard]] std::optional<std::vector<double>> numbers_of(const Json& value);

/// A text for a value of a decision: different ones for values that differ. A text that reads as another
/// value, or has white space at an end or control characters in it, is in quotation marks.
[[nodiscard]] std::string decision_text(const Json& value);
/// "6x1x32x1" of a list of numbers; otherwise as decision_text().
[[nodiscard]] std::string sizes_text(const Json& value);

/// Every number and text in a value, by its place: "a0_1".
void add_facts(std::vector<WorkloadFact>& facts, const std::string& name, const Json& value);

} // namespace sparsight
