// Fixed CSR SpMM as another library does it, for comparison. Each object is set up once; run() is one product C
// = A · B with row-major B and C.
#pragma once

#include "domains/sparse/tensor/pattern.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace sparsight::bench {

class LibraryProduct {
public:
    virtual ~LibraryProduct() = default;
    virtual void run(std::span<const float> b, std::span<float> c, std::int64_t dense) = 0;
};

/// Eigen with OpenMP, compiled for this computer's instruction set.
[[nodiscard]] std::unique_ptr<LibraryProduct> eigen_product(const CsrPattern& pattern, int threads);

} // namespace sparsight::bench
