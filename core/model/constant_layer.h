// Strides are 1 or 2 nearly always, and kernels 3 or 5 wide. Where the compiler knows them, a division costs
// a cycle and not twenty, and loops over a kernel's row are written out.
#pragma once

#include <type_traits>
#include <utility>

namespace sparsight {

/// Calls use(stride) with a constant where there is code for it, with the number itself otherwise.
template <typename Use>
void with_constant_stride(int stride, Use&& use) {
    switch (stride) {
    case 1:
        use(std::integral_constant<int, 1>());
        break;
    case 2:
        use(std::integral_constant<int, 2>());
        break;
    default:
        use(stride);
    }
}

/// Calls use(kernel size, stride) likewise.
template <typename Use>
void with_constant_layer(int kernel_size, int stride, Use&& use) {
    with_constant_stride(stride, [&](auto constant_stride) {
        switch (kernel_size) {
        case 3:
            use(std::integral_constant<int, 3>(), constant_stride);
            break;
        case 5:
            use(std::integral_constant<int, 5>(), constant_stride);
            break;
        default:
            use(kernel_size, constant_stride);
        }
    });
}

} // namespace sparsight
