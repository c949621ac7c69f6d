// The eight ways in which the slices of a square kernel could lie in a file: mirrored and transposed.
#pragma once

#include "model/checkpoints/named_arrays.h"
#include "model/convolution/kernel_map.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace sparsight::testing {

inline constexpr int kernel_orders = 8;

/// 0 is MinkowskiEngine's, which weight_slice() has.
inline std::string kernel_order_name(int order) {
    return std::string((order & 4) != 0 ? "columns fastest" : "rows fastest") +
           ((order & 1) != 0 ? ", rows mirrored" : "") + ((order & 2) != 0 ? ", columns mirrored" : "");
}

/// The weights as they are to be read if the file has its kernels in that order.
inline std::vector<NamedArray> with_kernel_order(std::vector<NamedArray> weights, int order) {
    for (NamedArray& array : weights) {
        if (!array.name.ends_with(".kernel"))
            continue;
        const NamedArray file = array;
        const int size = file.shape[0] == 25 ? 5 : 3;
        const std::int64_t slice = file.shape[1] * file.shape[2];
        for (int slow = 0; slow < size; ++slow) {
            for (int fast = 0; fast < size; ++fast) {
                int row = (order & 1) != 0 ? size - 1 - fast : fast;
                int column = (order & 2) != 0 ? size - 1 - slow : slow;
                if ((order & 4) != 0)
                    std::swap(row, column);
                std::copy_n(file.values.begin() + (slow * size + fast) * slice, slice,
                            array.values.begin() + weight_slice(row, column, size) * slice);
            }
        }
    }
    return weights;
}

} // namespace sparsight::testing
