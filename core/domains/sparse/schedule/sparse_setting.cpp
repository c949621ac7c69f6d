#include "domains/sparse/schedule/sparse_setting.h"

#include <charconv>
#include <fmt/format.h>
#include <string>

namespace sparsight {

namespace {

constexpr std::string_view dense_key = " dense=";

} // namespace

Setting setting_of(Operator op, std::int64_t dense) {
    std::string text(name(op));
    if (dense_index(op))
        text += fmt::format("{}{}", dense_key, dense);
    return {std::string(sparse_domain), std::move(text)};
}

std::optional<SparseSetting> parse_sparse_setting(const Setting& setting) {
    if (setting.domain != sparse_domain)
        return std::nullopt;
    const std::string_view text = setting.text;
    const std::size_t end = text.find(' ');
    const auto op = parse_operator(text.substr(0, end));
    if (!op)
        return std::nullopt;
    SparseSetting parsed{*op, 1};
    if (end != std::string_view::npos) {
        const std::string_view rest = text.substr(end);
        if (!rest.starts_with(dense_key))
            return std::nullopt;
        const char* const first = rest.data() + dense_key.size();
        const char* const last = rest.data() + rest.size();
        if (const auto [stop, error] = std::from_chars(first, last, parsed.dense);
            error != std::errc() || stop != last || parsed.dense < 1)
            return std::nullopt;
    }
    // Written in one way only.
    return setting_of(parsed.op, parsed.dense) == setting ? std::optional(parsed) : std::nullopt;
}

SparseSetting sparse_setting(const Setting& setting) {
    return parse_sparse_setting(setting).value_or(SparseSetting{});
}

} // namespace sparsight
