#include "domains/sparse/explanation/reasons/model_reasons_json.h"

#include "domains/sparse/explanation/reasons/model_reasons_members.h"

#include <cmath>
#include <concepts>
#include <fmt/format.h>
#include <limits>
#include <type_traits>
#include <utility>

namespace sparsight {

// Writing model reasons.

namespace {

using Json = nlohmann::ordered_json;

class Writer {
public:
    template <typename T>
    static Json written(const T& value) {
        if constexpr (std::is_enum_v<T>) {
            return name(value);
        } else if constexpr (std::floating_point<T>) {
            return std::isfinite(value) ? Json(value) : Json(); // JSON has no infinity
        } else if constexpr (std::is_arithmetic_v<T> || std::same_as<T, std::string>) {
            return value;
        } else {
            Writer writer;
            reasons_json::members(writer, value);
            return std::move(writer.json_);
        }
    }
    template <typename T>
    static Json written(const std::optional<T>& value) {
        return value ? written(*value) : Json();
    }
    template <typename T>
    static Json written(const std::vector<T>& values) {
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
    Json json_ = Json::object();
};

} // namespace

nlohmann::ordered_json model_reasons_json(const ModelReasons& reasons) {
    return Writer::written(reasons);
}

// Reading model reasons.

namespace {

using Json = nlohmann::ordered_json;

/// Thrown and caught within this file.
struct Defect {
    std::string text;
};

std::optional<ReasonSubject> parsed(std::string_view text, ReasonSubject) {
    return parse_reason_subject(text);
}
std::optional<PredicateRelation> parsed(std::string_view text, PredicateRelation) {
    return parse_predicate_relation(text);
}
std::optional<PatternDraws> parsed(std::string_view text, PatternDraws) {
    return parse_pattern_draws(text);
}
std::optional<VariedKind> parsed(std::string_view text, VariedKind) {
    return parse_varied_kind(text);
}
std::optional<TimeOrigin> parsed(std::string_view text, TimeOrigin) {
    return parse_time_origin(text);
}
std::optional<ReasonSpace> parsed(std::string_view text, ReasonSpace) {
    return parse_reason_space(text);
}
std::optional<ReasonPart> parsed(std::string_view text, ReasonPart) {
    return parse_reason_part(text);
}

template <typename T>
inline constexpr bool is_optional = false;
template <typename T>
inline constexpr bool is_optional<std::optional<T>> = true;

class Reader {
public:
    Reader(const Json& json, std::string path)
        : json_(json)
        , path_(std::move(path)) {
        if (!json.is_object())
            throw Defect{fmt::format("{} is no object", path_.empty() ? "what stands there" : path_)};
    }

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
    static void read(const Json& json, const std::string& place, T& value) {
        if constexpr (std::is_enum_v<T>) {
            std::string text;
            read(json, place, text);
            const auto known = parsed(text, T{});
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
            Reader reader(json, place);
            reasons_json::members(reader, value);
        }
    }
    template <typename T>
    static void read(const Json& json, const std::string& place, std::optional<T>& value) {
        if (json.is_null()) {
            value.reset();
            return;
        }
        T present{};
        read(json, place, present);
        value = std::move(present);
    }
    template <typename T>
    static void read(const Json& json, const std::string& place, std::vector<T>& values) {
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
};

} // namespace

Result<ModelReasons> parse_model_reasons(const Json& json) {
    try {
        ModelReasons reasons;
        Reader reader(json, {});
        reasons_json::members(reader, reasons);
        return reasons;
    } catch (const Defect& defect) {
        return fail(Fault::Input, "reasons of a model: " + defect.text);
    }
}

} // namespace sparsight
