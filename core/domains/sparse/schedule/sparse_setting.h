// What is computed with a sparse matrix: an operator and the extent of its dense index.
#pragma once

#include "domains/sparse/schedule/operator.h"
#include "study/setting.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace sparsight {

/// Of settings and configurations.
inline constexpr std::string_view sparse_domain = "sparse";

struct SparseSetting {
    Operator op = Operator::SpMM;
    std::int64_t dense = 256; ///< 1 for an operator without a dense index

    bool operator==(const SparseSetting&) const = default;
};

/// "spmm dense=256", "spmv"; `dense` is ignored where the operator has no dense index.
[[nodiscard]] Setting setting_of(Operator op, std::int64_t dense);

/// Nothing for a setting of another domain, or one that a newer program has written.
[[nodiscard]] std::optional<SparseSetting> parse_sparse_setting(const Setting& setting);

/// Of a setting that setting_of() or parse_sparse_setting() has let through.
[[nodiscard]] SparseSetting sparse_setting(const Setting& setting);

} // namespace sparsight
