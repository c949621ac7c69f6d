// Eigenvalues and eigenvectors of a small symmetric matrix by Jacobi's rotations (Golub and Van Loan, "Matrix
// Computations", 8.5): slower than others, and accurate whatever lies close together.
#pragma once

#include <cstddef>
#include <vector>

namespace sparsight {

struct SymmetricEigen {
    std::vector<double> values;  ///< the largest first
    std::vector<double> vectors; ///< [n, n], a row each, of length 1, in the order of the values

    [[nodiscard]] std::vector<double> vector(std::size_t number) const;
};

/// Of [n, n].
[[nodiscard]] SymmetricEigen symmetric_eigen(std::vector<double> matrix, std::size_t n);

} // namespace sparsight
