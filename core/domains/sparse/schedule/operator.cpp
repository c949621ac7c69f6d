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

std::vector<std::string> size_facts(Operator op) {
    if (description(op).order == 2)
        return {"rows", "cols"};
    std::vector<std::string> facts;
    for (const Index index : sparse_indices(op))
        facts.push_back(fmt::format("size_{}", letter(index)));
    return facts;
}

Result<Extents> extents(const SparseSetting& setting,
                        const std::map<std::string, double, std::less<>>& facts) {
    constexpr double most = INT32_MAX;
    std::vector<std::int64_t> sizes;
    for (const std::string& fact : size_facts(setting.op)) {
        const auto found = facts.find(fact);
        if (found == facts.end())
            return fail(Fault::Input, fmt::format("the fact '{}' of the matrix is missing", fact));
        if (!(found->second >= 0 && found->second <= most))
            return fail(Fault::Input, fmt::format("the fact '{}' of the matrix is {}, expected 0 to {}", fact,
                                                  found->second, INT32_MAX));
        sizes.push_back(static_cast<std::int64_t>(found->second));
    }
    const std::vector<std::int64_t> dense(dense_indices(setting.op).size(), setting.dense);
    return extents(setting.op, sizes, dense);
}

} // namespace sparsight
