#include "eigen_product.h"

#include <Eigen/SparseCore>
#include <vector>

namespace sparsight::bench {

namespace {

using Dense = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

class EigenProduct final : public LibraryProduct {
public:
    EigenProduct(const CsrPattern& pattern, int threads)
        : row_pointers_(pattern.row_pointers.begin(), pattern.row_pointers.end())
        , matrix_(pattern.rows, pattern.cols, pattern.nnz(), row_pointers_.data(), pattern.column_ids.data(),
                  pattern.values.data()) {
        Eigen::setNbThreads(threads);
    }
    void run(std::span<const float> b, std::span<float> c, std::int64_t dense) override {
        const Eigen::Map<const Dense> right(b.data(), matrix_.cols(), dense);
        Eigen::Map<Dense>(c.data(), matrix_.rows(), dense).noalias() = matrix_ * right;
    }

private:
    std::vector<int> row_pointers_;
    Eigen::Map<const Eigen::SparseMatrix<float, Eigen::RowMajor, int>> matrix_;
};

} // namespace

std::unique_ptr<LibraryProduct> eigen_product(const CsrPattern& pattern, int threads) {
    return std::make_unique<EigenProduct>(pattern, threads);
}

} // namespace sparsight::bench
