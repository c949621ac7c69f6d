// Writing. Reading is in model_reasons_reading.cpp.
#include "evaluation/model_reasons/model_reasons_json.h"

#include "evaluation/model_reasons/model_reasons_members.h"

#include <cmath>
#include <concepts>
#include <type_traits>
#include <utility>

namespace sparsight {

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

} // namespace sparsight
