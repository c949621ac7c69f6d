// Reasons of models as JSON, once for whoever writes them and for whoever reads them.
//
// For each type of value there is a function `members(member, value)` in this namespace. It calls
// `member(key, value)` for each member in turn, and `member.derived(key, compute)` for what is written for
// whoever reads the JSON and passed over when it is read back. Names of enumerators are those of name();
// `parsed(text, enumerator)` reads them.
#pragma once

#include "base/error.h"
#include "evaluation/model_reasons/anchor_reason.h"

#include <cmath>
#include <concepts>
#include <fmt/format.h>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace sparsight {

[[nodiscard]] inline std::optional<PredicateRelation> parsed(std::string_view text, PredicateRelation) {
    return parse_predicate_relation(text);
}

} // namespace sparsight

namespace sparsight::reasons_json {

using Json = nlohmann::ordered_json;

/// A value to be written, which is const, or to be read into.
template <typename T, typename Value>
concept Either = std::same_as<std::remove_const_t<T>, Value>;

template <typename Member>
void members(Member& member, Either<ReasonPredicate> auto& of) {
    member("subject", of.subject);
    member("key", of.key);
    member("title", of.title);
    member("relation", of.relation);
    member("value", of.value);
    member("number", of.number);
    member("unit", of.unit);
    member.derived("text", [&] { return to_text(of, member.words()); });
}

template <typename Member>
void members(Member& member, Either<BoundedShare> auto& of) {
    member("value", of.value);
    member("lowest", of.lowest);
    member("highest", of.highest);
    member("draws", of.draws);
}

template <typename Member>
void members(Member& member, Either<Anchor> auto& of) {
    member("predicates", of.predicates);
    member("precision", of.precision);
    member("coverage", of.coverage);
}

/// All of them but whether the search was complete, which stands last.
template <typename Member>
void rule_members(Member& member, auto& of) {
    member("anchor", of.anchor);
    member("nearest", of.nearest);
    member("unconditional", of.unconditional);
    member("wanted_precision", of.wanted_precision);
    member("confidence", of.confidence);
    member("longest", of.longest);
    member("candidates", of.candidates);
    member("calls", of.calls);
}

template <typename Member>
void members(Member& member, Either<AnchorReason> auto& of) {
    rule_members(member, of);
    member("complete", of.complete);
}

class Writer {
public:
    /// Refers to the words.
    explicit Writer(const SubjectWords& words)
        : words_(words) {}

    [[nodiscard]] const SubjectWords& words() const { return words_; }
    /// What was written member by member.
    [[nodiscard]] Json json() && { return std::move(json_); }

    template <typename T>
    [[nodiscard]] Json written(const T& value) const {
        if constexpr (std::same_as<T, ReasonSubject>) {
            return name(value, words_);
        } else if constexpr (std::is_enum_v<T>) {
            return name(value);
        } else if constexpr (std::floating_point<T>) {
            return std::isfinite(value) ? Json(value) : Json(); // JSON has no infinity
        } else if constexpr (std::is_arithmetic_v<T> || std::same_as<T, std::string>) {
            return value;
        } else {
            Writer writer(words_);
            members(writer, value);
            return std::move(writer.json_);
        }
    }
    template <typename T>
    [[nodiscard]] Json written(const std::optional<T>& value) const {
        return value ? written(*value) : Json();
    }
    template <typename T>
    [[nodiscard]] Json written(const std::vector<T>& values) const {
        Json list = Json::array();
        for (const T& value : values)
            list.push_back(written(value));
        return list;
    }

    template <typename T>
    void operator()(const char* key, const T& value) {
        json_[key] = written(value);
    }
    template <typename Compute>
    void derived(const char* key, Compute compute) {
        json_[key] = written(compute());
    }

private:
    const SubjectWords& words_;
    Json json_ = Json::object();
};

/// Thrown by Reader and caught by read_json().
struct Defect {
    std::string text;
};

template <typename T>
inline constexpr bool is_optional = false;
template <typename T>
inline constexpr bool is_optional<std::optional<T>> = true;

class Reader {
public:
    /// Refers to both.
    Reader(const Json& json, std::string path, const SubjectWords& words)
        : json_(json)
        , path_(std::move(path))
        , words_(words) {
        if (!json.is_object())
            throw Defect{fmt::format("{} is no object", path_.empty() ? "what stands there" : path_)};
    }

    [[nodiscard]] const SubjectWords& words() const { return words_; }

    template <typename T>
    void operator()(const char* key, T& value) {
        const std::string place = path_.empty() ? key : path_ + "." + key;
        const auto found = json_.find(key);
        if (found == json_.end() && is_optional<T>) // what an earlier version did not tell
            return;
        if (found == json_.end())
            throw Defect{fmt::format("{} is missing", place)};
        read(*found, place, value);
    }
    template <typename Compute>
    void derived(const char*, const Compute&) {}

private:
    template <typename T>
    void read(const Json& json, const std::string& place, T& value) const {
        if constexpr (std::is_enum_v<T>) {
            std::string text;
            read(json, place, text);
            const std::optional<T> known = [&] {
                if constexpr (std::same_as<T, ReasonSubject>)
                    return parse_reason_subject(text, words_);
                else
                    return parsed(text, T{});
            }();
            if (!known)
                throw Defect{fmt::format("{} is {:?}, which is not known here", place, text.substr(0, 40))};
            value = *known;
        } else if constexpr (std::same_as<T, bool>) {
            if (!json.is_boolean())
                throw Defect{place + " is neither true nor false"};
            value = json.get<bool>();
        } else if constexpr (std::integral<T>) {
            if (!json.is_number_integer())
                throw Defect{place + " is no whole number"};
            value = json.get<T>();
        } else if constexpr (std::floating_point<T>) {
            if (!json.is_number() && !json.is_null())
                throw Defect{place + " is no number"};
            // Which JSON can't write: where nothing is known it is null.
            value = json.is_null() ? std::numeric_limits<T>::quiet_NaN() : json.get<T>();
        } else if constexpr (std::same_as<T, std::string>) {
            if (!json.is_string())
                throw Defect{place + " is no text"};
            value = json.get<std::string>();
        } else {
            Reader reader(json, place, words_);
            members(reader, value);
        }
    }
    template <typename T>
    void read(const Json& json, const std::string& place, std::optional<T>& value) const {
        if (json.is_null()) {
            value.reset();
            return;
        }
        T present{};
        read(json, place, present);
        value = std::move(present);
    }
    template <typename T>
    void read(const Json& json, const std::string& place, std::vector<T>& values) const {
        if (!json.is_array())
            throw Defect{place + " is no list"};
        values.clear();
        for (const Json& each : json) {
            const std::string place_of_each = fmt::format("{}[{}]", place, values.size());
            read(each, place_of_each, values.emplace_back());
        }
    }

    const Json& json_;
    std::string path_;
    const SubjectWords& words_;
};

/// `read_members(reader, value)` reads the members; others are ignored. Errors (Fault::Input) name the member
/// that is missing or wrong.
template <typename T, typename ReadMembers>
[[nodiscard]] Result<T> read_by(const Json& json, const SubjectWords& words, ReadMembers read_members) {
    try {
        T value;
        Reader reader(json, {}, words);
        read_members(reader, value);
        return value;
    } catch (const Defect& defect) {
        return fail(Fault::Input, "reasons of a model: " + defect.text);
    }
}

/// By members().
template <typename T>
[[nodiscard]] Result<T> read_json(const Json& json, const SubjectWords& words) {
    return read_by<T>(json, words, [](Reader& reader, T& value) { members(reader, value); });
}

} // namespace sparsight::reasons_json
