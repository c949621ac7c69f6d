// Fixed CSR SpMM as other libraries do it, for comparison. Each object is set up once; run() is one product C
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

/// librsb, its structure tuned for this product by its own autotuner; null where it was not found when this
/// was built.
[[nodiscard]] std::unique_ptr<LibraryProduct> librsb_product(const CsrPattern& pattern, std::int64_t dense,
                                                             int threads);

} // namespace sparsight::bench
