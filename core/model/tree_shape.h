// Trees as xgboost saves them are read by xgboost without a look at where their nodes point.
#pragma once

#include "base/error.h"

#include <cstddef>
#include <string_view>

namespace sparsight {

/// Whether a JSON model of xgboost holds trees over so many features: every child and parent within its tree,
/// every node but the root with one parent, every feature one of them. An error of Fault::Input otherwise.
[[nodiscard]] Result<void> check_tree_shapes(std::string_view json, std::size_t features);

} // namespace sparsight
