// What is computed on the data of a workload, apart from that data.
#pragma once

#include <compare>
#include <string>

namespace sparsight {

/// Two settings are the same one if and only if they are equal: a domain writes each in one way only.
struct Setting {
    std::string domain; ///< "sparse"
    std::string text;   ///< "spmm dense=256"; empty in a domain that computes one thing only

    auto operator<=>(const Setting&) const = default;
};

} // namespace sparsight
