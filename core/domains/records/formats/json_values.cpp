#include "domains/records/formats/json_values.h"

#include "base/text.h"
#include "domains/records/record_space.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace sparsight {
namespace {

constexpr int deepest = 64; ///< as deep as values may be nested: they are walked recursively

bool is_control(char c) {
    return static_cast<unsigned char>(c) < ' ' || c == '\x7f';
}

/// Calls `visit` with the place of every character outside of texts.
template <typename Visit>
void outside_of_texts(std::string_view json, Visit visit) {
    bool is_text = false;
    for (std::size_t at = 0; at < json.size(); ++at) {
        if (is_text) {
            if (json[at] == '\\')
                ++at;
            else
                is_text = json[at] != '"';
        } else if (json[at] == '"') {
            is_text = true;
        } else {
            visit(at);
        }
    }
}

bool is_nested_too_deeply(std::string_view json) {
    int depth = 0;
    bool is_too_deep = false;
    outside_of_texts(json, [&](std::size_t at) {
        depth += json[at] == '[' || json[at] == '{' ? 1 : json[at] == ']' || json[at] == '}' ? -1 : 0;
        is_too_deep = is_too_deep || depth > deepest;
    });
    return is_too_deep;
}

/// With null where Python writes a number that JSON lacks; empty without any.
std::string without_odd_numbers(std::string_view json) {
    constexpr std::array<std::string_view, 3> odd_numbers{"-Infinity", "Infinity", "NaN"};
    if (!json.contains("NaN") && !json.contains("Infinity"))
        return {};
    std::string changed;
    std::size_t taken = 0;
    outside_of_texts(json, [&](std::size_t at) {
        const auto* const odd = std::ranges::find_if(
            odd_numbers, [&](std::string_view each) { return json.substr(at).starts_with(each); });
        if (at < taken || odd == odd_numbers.end())
            return;
        changed.append(json.substr(taken, at - taken)).append("null");
        taken = at + odd->size();
    });
    return changed.append(json.substr(taken));
}

/// Where a text stops being JSON. It is parsed again for that, which bad records alone cost.
class DefectFinder final : public nlohmann::json_sax<Json> {
public:
    std::size_t place = 0;
    std::string expected;

    bool null() override { return true; }
    bool boolean(bool /*value*/) override { return true; }
    bool number_integer(std::int64_t /*value*/) override { return true; }
    bool number_unsigned(std::uint64_t /*value*/) override { return true; }
    bool number_float(double /*value*/, const std::string& /*text*/) override { return true; }
    bool string(std::string& /*value*/) override { return true; }
    bool binary(Json::binary_t& /*value*/) override { return true; }
    bool start_object(std::size_t /*elements*/) override { return true; }
    bool key(std::string& /*value*/) override { return true; }
    bool end_object() override { return true; }
    bool start_array(std::size_t /*elements*/) override { return true; }
    bool end_array() override { return true; }
    bool parse_error(std::size_t position, const std::string& last, const Json::exception& error) override {
        place = position;
        expected = fmt::format("found {}, which is no JSON", last.empty() ? "the end" : last);
        const std::string_view what = error.what();
        if (const std::size_t wish = what.rfind("expected "); wish != std::string_view::npos)
            expected = fmt::format("found '{}', {}", last, what.substr(wish));
        return false;
    }
};

Error defect_of(std::string_view json, std::int64_t line) {
    DefectFinder finder;
    (void)Json::sax_parse(json, &finder);
    const std::string_view before = json.substr(0, finder.place > 0 ? finder.place - 1 : 0);
    std::string found;
    for (const char c : finder.expected)
        found += is_control(c) ? ' ' : c;
    return {
        Fault::Input, fmt::format("this is no JSON: {}", found), {}, line + std::ranges::count(before, '\n')};
}

bool is_number_text(std::string_view text) {
    double value = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    return error == std::errc() && stop == end;
}

/// Whether this text is that of another value: of a number, a list … Most are seen not to be without parsing.
bool is_text_of_another(const std::string& text) {
    if (text == "true" || text == "false" || text == "null")
        return true;
    if (!std::string_view("[{\"").contains(text.front()) && !is_number_text(text))
        return false;
    const Json value = Json::parse(text, nullptr, false);
    return !value.is_discarded() && decision_text(value) == text;
}

} // namespace

Result<Json> parse_json(JsonText value) {
    if (is_nested_too_deeply(value.text))
        return std::unexpected(
            Error{Fault::Input, fmt::format("values are nested more than {} deep", deepest), {}, value.line});
    const std::string changed = without_odd_numbers(value.text);
    const std::string_view json = changed.empty() ? value.text : std::string_view(changed);
    Json parsed = Json::parse(json, nullptr, false);
    if (parsed.is_discarded())
        return std::unexpected(defect_of(json, value.line));
    return parsed;
}

std::string_view kind_of(const Json& value) {
    if (value.is_null())
        return "nothing";
    if (value.is_boolean())
        return "true or false";
    if (value.is_number())
        return "a number";
    if (value.is_string())
        return "a text";
    return value.is_array() ? "a list" : "an object";
}

const Json* member_of(const Json& object, std::string_view name) {
    if (!object.is_object())
        return nullptr;
    const auto found = object.find(name);
    return found == object.end() ? nullptr : &*found;
}

std::string text_member(const Json& object, std::string_view name) {
    const Json* const member = member_of(object, name);
    return member != nullptr && member->is_string() ? member->get<std::string>() : std::string();
}

std::optional<double> finite_number(const Json& value) {
    if (!value.is_number())
        return std::nullopt;
    const auto number = value.get<double>();
    return std::isfinite(number) ? std::optional(number) : std::nullopt;
}

std::optional<std::vector<double>> numbers_of(const Json& value) {
    if (!value.is_array() || value.empty())
        return std::nullopt;
    std::vector<double> numbers;
    for (const Json& each : value) {
        const auto number = finite_number(each);
        if (!number)
            return std::nullopt;
        numbers.push_back(*number);
    }
    return numbers;
}

std::string decision_text(const Json& value) {
    if (!value.is_string())
        return value.dump();
    const auto& text = value.get_ref<const std::string&>();
    const bool is_plain = !text.empty() && trimmed(text) == text && std::ranges::none_of(text, is_control) &&
                          canonical_value(text) == text && !is_text_of_another(text);
    return is_plain ? text : value.dump();
}

std::string sizes_text(const Json& value) {
    const bool are_numbers =
        value.is_array() && !value.empty() &&
        std::ranges::all_of(value, [](const Json& each) { return each.is_number_integer(); });
    if (!are_numbers)
        return decision_text(value);
    std::string text;
    for (const Json& each : value)
        text += (text.empty() ? "" : "x") + each.dump();
    return text;
}

void add_facts(std::vector<WorkloadFact>& facts, const std::string& name, const Json& value) {
    if (value.is_structured()) {
        std::size_t place = 0;
        for (const auto& [key, each] : value.items())
            add_facts(facts, fmt::format("{}_{}", name, value.is_array() ? std::to_string(place++) : key),
                      each);
        return;
    }
    if (value.is_string() ? !value.get_ref<const std::string&>().empty() : !value.is_null())
        facts.push_back({name, value.is_string() ? value.get<std::string>() : value.dump()});
}

} // namespace sparsight
