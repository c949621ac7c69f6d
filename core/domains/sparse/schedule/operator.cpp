#include "domains/sparse/schedule/operator.h"

#include <algorithm>
#include <cctype>
#include <string>

namespace sparsight {

std::span<const Index> indices(Operator op) {
    static constexpr std::array spmm{Index::I, Index::K, Index::J};
    static constexpr std::array spmv{Index::I, Index::K};
    static constexpr std::array sddmm{Index::I, Index::J, Index::K};
    switch (op) {
    case Operator::SpMM:
        return spmm;
    case Operator::SpMV:
        return spmv;
    case Operator::SDDMM:
        return sddmm;
    }
    return {};
}

std::optional<Index> dense_index(Operator op) {
    switch (op) {
    case Operator::SpMM:
        return Index::J;
    case Operator::SDDMM:
        return Index::K;
    case Operator::SpMV:
        break;
    }
    return std::nullopt;
}

std::string_view name(Operator op) {
    switch (op) {
    case Operator::SpMM:
        return "spmm";
    case Operator::SpMV:
        return "spmv";
    case Operator::SDDMM:
        return "sddmm";
    }
    return "";
}

std::optional<Operator> parse_operator(std::string_view text) {
    std::string lower(text);
    std::ranges::transform(lower, lower.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    for (const Operator op : all_operators)
        if (lower == name(op))
            return op;
    return std::nullopt;
}

char letter(Index index) {
    return "ijk"[static_cast<std::size_t>(index)];
}

Extents extents(Operator op, std::int64_t rows, std::int64_t cols, std::int64_t dense) {
    Extents result;
    const auto set = [&](Index index, std::int64_t extent) {
        result.by_index[static_cast<std::size_t>(index)] = extent;
    };
    set(row_index(op), rows);
    set(column_index(op), cols);
    if (const auto index = dense_index(op))
        set(*index, dense);
    return result;
}

} // namespace sparsight
