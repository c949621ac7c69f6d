#include "search/symmetric_eigen.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace sparsight {
namespace {

constexpr int most_sweeps = 60;

class Jacobi {
public:
    Jacobi(std::vector<double> matrix, std::size_t n)
        : matrix_(std::move(matrix))
        , vectors_(n * n, 0)
        , n_(n) {
        for (std::size_t i = 0; i < n; ++i)
            vectors_[i * n + i] = 1;
    }

    SymmetricEigen run() {
        for (int sweep = 0; sweep < most_sweeps && !is_diagonal(); ++sweep)
            for (std::size_t p = 0; p < n_; ++p)
                for (std::size_t q = p + 1; q < n_; ++q)
                    rotate(p, q);
        return sorted();
    }

private:
    [[nodiscard]] double& at(std::size_t row, std::size_t column) { return matrix_[row * n_ + column]; }

    [[nodiscard]] bool is_diagonal() {
        double beside = 0;
        double all = 0;
        for (std::size_t i = 0; i < n_; ++i)
            for (std::size_t j = 0; j < n_; ++j) {
                all += at(i, j) * at(i, j);
                beside += i == j ? 0 : at(i, j) * at(i, j);
            }
        constexpr double epsilon = std::numeric_limits<double>::epsilon();
        return !(beside > epsilon * epsilon * all);
    }

    /// Makes the entry at (p, q) zero.
    void rotate(std::size_t p, std::size_t q) {
        const double entry = at(p, q);
        if (entry == 0)
            return;
        const double ratio = (at(q, q) - at(p, p)) / (2 * entry);
        const double tangent = std::copysign(1.0, ratio) / (std::abs(ratio) + std::hypot(1.0, ratio));
        const double cosine = 1 / std::hypot(1.0, tangent);
        const double sine = tangent * cosine;
        const auto turn = [&](double& a, double& b) {
            const double before = a;
            a = cosine * before - sine * b;
            b = sine * before + cosine * b;
        };
        for (std::size_t i = 0; i < n_; ++i)
            turn(at(i, p), at(i, q));
        for (std::size_t i = 0; i < n_; ++i) {
            turn(at(p, i), at(q, i));
            turn(vectors_[p * n_ + i], vectors_[q * n_ + i]);
        }
    }

    SymmetricEigen sorted() {
        std::vector<std::size_t> order(n_);
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::ranges::stable_sort(order, std::ranges::greater(), [this](std::size_t i) { return at(i, i); });
        SymmetricEigen eigen;
        for (const std::size_t i : order) {
            eigen.values.push_back(at(i, i));
            const auto row = vectors_.begin() + static_cast<std::ptrdiff_t>(i * n_);
            eigen.vectors.insert(eigen.vectors.end(), row, row + static_cast<std::ptrdiff_t>(n_));
        }
        return eigen;
    }

    std::vector<double> matrix_;
    std::vector<double> vectors_; ///< transposed: rotating a pair of rows stays in two lines of the cache
    std::size_t n_;
};

} // namespace

std::vector<double> SymmetricEigen::vector(std::size_t number) const {
    const auto row = vectors.begin() + static_cast<std::ptrdiff_t>(number * values.size());
    return {row, row + static_cast<std::ptrdiff_t>(values.size())};
}

SymmetricEigen symmetric_eigen(std::vector<double> matrix, std::size_t n) {
    return Jacobi(std::move(matrix), n).run();
}

} // namespace sparsight
