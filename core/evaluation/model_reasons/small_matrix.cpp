#include "evaluation/model_reasons/small_matrix.h"

#include <cmath>

namespace sparsight {

void SmallMatrix::add_outer(double weight, std::span<const float> v) {
    for (std::size_t row = 0; row < size_; ++row)
        for (std::size_t column = 0; column <= row; ++column)
            at(row, column) += weight * static_cast<double>(v[row]) * static_cast<double>(v[column]);
}

void SmallMatrix::add_diagonal(double value) {
    for (std::size_t row = 0; row < size_; ++row)
        at(row, row) += value;
}

std::optional<SmallMatrix> cholesky(SmallMatrix matrix) {
    for (std::size_t row = 0; row < matrix.size(); ++row)
        for (std::size_t column = 0; column <= row; ++column) {
            double sum = matrix.at(row, column);
            for (std::size_t k = 0; k < column; ++k)
                sum -= matrix.at(row, k) * matrix.at(column, k);
            if (row != column)
                matrix.at(row, column) = sum / matrix.at(column, column);
            else if (sum > 0)
                matrix.at(row, row) = std::sqrt(sum);
            else
                return std::nullopt;
        }
    return matrix;
}

double inverse_form(const SmallMatrix& triangle, std::span<const float> v) {
    std::vector<double> solved(triangle.size());
    double form = 0;
    for (std::size_t row = 0; row < triangle.size(); ++row) {
        double sum = static_cast<double>(v[row]);
        for (std::size_t k = 0; k < row; ++k)
            sum -= triangle.at(row, k) * solved[k];
        solved[row] = sum / triangle.at(row, row);
        form += solved[row] * solved[row];
    }
    return form;
}

} // namespace sparsight
