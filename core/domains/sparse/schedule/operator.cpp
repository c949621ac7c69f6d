#include "domains/sparse/schedule/operator.h"

#include <algorithm>
#include <cassert>
#include <cctype>
#include <charconv>
#include <fmt/format.h>
#include <string>

namespace sparsight {

std::optional<Operator> parse_operator(std::string_view text) {
    std::string lower(text);
    std::ranges::transform(lower, lower.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    for (const Operator op : all_operators)
        if (lower == name(op))
            return op;
    return std::nullopt;
}

Result<Operator> read_operator(std::string_view text) {
    if (const auto op = parse_operator(text))
        return *op;
    return fail(Fault::Input, fmt::format("'{}' is no operator: expected spmm, spmv or sddmm", text));
}

Extents extents(Operator op, std::span<const std::int64_t> sparse, std::span<const std::int64_t> dense) {
    Extents result;
    const auto set = [&](std::span<const Index> of, std::span<const std::int64_t> sizes) {
        assert(of.size() <= sizes.size());
        for (std::size_t at = 0; at < of.size(); ++at)
            result.by_index[static_cast<std::size_t>(of[at])] = sizes[at];
    };
    set(sparse_indices(op), sparse);
    set(dense_indices(op), dense);
    return result;
}

Extents extents(Operator op, std::int64_t rows, std::int64_t cols, std::int64_t dense) {
    return extents(op, std::array{rows, cols}, std::array{dense});
}

namespace {

/// Takes "key=N " from the front of a text; absent where it does not begin so, or N is below 1.
std::optional<std::int64_t> take_number(std::string_view& text, std::string_view key) {
    if (!text.starts_with(key))
        return std::nullopt;
    const char* const end = text.data() + text.size();
    std::int64_t number = 0;
    const auto [stop, error] = std::from_chars(text.data() + key.size(), end, number);
    if (error != std::errc() || number < 1 || (stop != end && *stop != ' '))
        return std::nullopt;
    text = std::string_view(stop == end ? stop : stop + 1, end);
    return number;
}

} // namespace

Setting setting_of(const SparseSetting& setting) {
    std::string text(name(setting.op));
    if (description(setting.op).order > 2)
        text += fmt::format(" mode={}", setting.mode);
    if (dense_index(setting.op))
        text += fmt::format(" dense={}", setting.dense);
    return {std::string(domain_of(setting.op)), std::move(text)};
}

Setting setting_of(Operator op, std::int64_t dense) {
    return setting_of(SparseSetting{op, dense});
}

std::vector<std::size_t> modes_of(const SparseSetting& setting) {
    const auto first = static_cast<std::size_t>(setting.mode - 1);
    std::vector<std::size_t> modes{first};
    for (std::size_t mode = 0; mode < description(setting.op).order; ++mode)
        if (mode != first)
            modes.push_back(mode);
    return modes;
}

std::optional<SparseSetting> parse_sparse_setting(const Setting& setting) {
    std::string_view text = setting.text;
    const std::string_view word = text.substr(0, text.find(' '));
    const auto named = std::ranges::find(operator_descriptions, word, &OperatorDescription::name);
    if (named == operator_descriptions.end())
        return std::nullopt;
    SparseSetting parsed{static_cast<Operator>(named - operator_descriptions.begin()), 1};
    text.remove_prefix(std::min(word.size() + 1, text.size()));
    if (const auto mode = take_number(text, "mode=")) {
        if (*mode > static_cast<std::int64_t>(named->order))
            return std::nullopt;
        parsed.mode = static_cast<int>(*mode);
    }
    parsed.dense = take_number(text, "dense=").value_or(1);
    // Written in one way only.
    return setting_of(parsed) == setting ? std::optional(parsed) : std::nullopt;
}

SparseSetting sparse_setting(const Setting& setting) {
    return parse_sparse_setting(setting).value_or(SparseSetting{});
}

std::vector<std::string> size_facts(Operator op) {
    if (description(op).order == 2)
        return {"rows", "cols"};
    std::vector<std::string> facts;
    for (std::size_t mode = 1; mode <= description(op).order; ++mode)
        facts.push_back(fmt::format("size_{}", mode));
    return facts;
}

Result<Extents> extents(const SparseSetting& setting,
                        const std::map<std::string, double, std::less<>>& facts) {
    constexpr double most = INT32_MAX;
    const std::vector<std::string> names = size_facts(setting.op);
    const char* const of = names.size() > 2 ? "tensor" : "matrix";
    std::vector<std::int64_t> sizes;
    for (const std::size_t mode : modes_of(setting)) {
        const auto found = facts.find(names[mode]);
        if (found == facts.end())
            return fail(Fault::Input, fmt::format("the fact '{}' of the {} is missing", names[mode], of));
        if (!(found->second >= 0 && found->second <= most))
            return fail(Fault::Input, fmt::format("the fact '{}' of the {} is {}, expected 0 to {}",
                                                  names[mode], of, found->second, INT32_MAX));
        sizes.push_back(static_cast<std::int64_t>(found->second));
    }
    const std::vector<std::int64_t> dense(dense_indices(setting.op).size(), setting.dense);
    return extents(setting.op, sizes, dense);
}

} // namespace sparsight
