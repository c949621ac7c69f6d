// Symmetric positive definite matrices of a few dozen rows.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace sparsight {

/// Rows of equal length, as many as columns.
class SmallMatrix {
public:
    explicit SmallMatrix(std::size_t size)
        : size_(size)
        , numbers_(size * size, 0.0) {}

    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] double& at(std::size_t row, std::size_t column) { return numbers_[row * size_ + column]; }
    [[nodiscard]] double at(std::size_t row, std::size_t column) const {
        return numbers_[row * size_ + column];
    }
    /// Adds weight · v vᵀ to the lower triangle, which is all that is looked at below.
    void add_outer(double weight, std::span<const float> v);
    void add_diagonal(double value);

private:
    std::size_t size_;
    std::vector<double> numbers_;
};

/// The lower triangle L of A = L Lᵀ (Cholesky). Nothing where A is not positive definite.
[[nodiscard]] std::optional<SmallMatrix> cholesky(SmallMatrix matrix);

/// vᵀ A⁻¹ v, of the triangle of A.
[[nodiscard]] double inverse_form(const SmallMatrix& triangle, std::span<const float> v);

} // namespace sparsight
