// The settings of a run as the values that a request needs, each within its bounds.
#pragma once

#include "learn/settings.h"

#include <cstdint>
#include <fmt/format.h>
#include <optional>
#include <string>
#include <string_view>

namespace sparsight {

/// Reads one setting after the other; the first error stays.
class SettingReader {
public:
    explicit SettingReader(const RunSettings& settings)
        : settings_(settings) {}

    template <typename Number>
    void number(const std::string& name, Number& into, std::int64_t least, std::int64_t most) {
        const auto value = settings_.get<std::int64_t>(name);
        if (value < least || value > most)
            return refuse(name, fmt::format("a whole number from {} to {}", least, most));
        into = static_cast<Number>(value);
    }
    void positive(const std::string& name, double& into) {
        into = settings_.get<double>(name);
        if (!(into > 0))
            refuse(name, "a positive number");
    }
    void share(const std::string& name, double& into) {
        into = settings_.get<double>(name);
        if (!(into >= 0 && into < 1))
            refuse(name, "a share from 0 to less than 1");
    }
    void refuse(const std::string& name, std::string_view expected) {
        if (!error_)
            error_ = settings_.wrong(name, expected).error();
    }
    [[nodiscard]] const std::optional<Error>& error() const { return error_; }

private:
    const RunSettings& settings_;
    std::optional<Error> error_;
};

} // namespace sparsight
