#include "evaluation/failures/ridge.h"

#include "evaluation/bootstrap.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace sparsight {

namespace {

/// Of a symmetric positive definite matrix with n rows (Cholesky), in the lower triangle.
std::vector<double> factored(std::vector<double> matrix, std::size_t n) {
    const auto at = [&](std::size_t row, std::size_t col) -> double& { return matrix[row * n + col]; };
    for (std::size_t col = 0; col < n; ++col) {
        for (std::size_t k = 0; k < col; ++k)
            at(col, col) -= at(col, k) * at(col, k);
        at(col, col) = std::sqrt(at(col, col));
        for (std::size_t row = col + 1; row < n; ++row) {
            for (std::size_t k = 0; k < col; ++k)
                at(row, col) -= at(row, k) * at(col, k);
            at(row, col) /= at(col, col);
        }
    }
    return matrix;
}

std::vector<double> solved(const std::vector<double>& factor, std::vector<double> right) {
    const std::size_t n = right.size();
    const auto at = [&](std::size_t row, std::size_t col) { return factor[row * n + col]; };
    for (std::size_t row = 0; row < n; ++row) {
        for (std::size_t k = 0; k < row; ++k)
            right[row] -= at(row, k) * right[k];
        right[row] /= at(row, row);
    }
    for (std::size_t row = n; row-- > 0;) {
        for (std::size_t k = row + 1; k < n; ++k)
            right[row] -= at(k, row) * right[k];
        right[row] /= at(row, row);
    }
    return right;
}

/// Of each unknown in the inverse of the matrix, the diagonal.
std::vector<double> inverse_diagonal(const std::vector<double>& factor, std::size_t n) {
    std::vector<double> diagonal(n);
    for (std::size_t unknown = 0; unknown < n; ++unknown) {
        std::vector<double> one(n);
        one[unknown] = 1;
        diagonal[unknown] = solved(factor, std::move(one))[unknown];
    }
    return diagonal;
}

double foreseen(const IndicatorFit& fit, const std::vector<std::size_t>& row) {
    double sum = fit.level;
    for (const std::size_t indicator : row)
        sum += fit.effects[indicator];
    return sum;
}

} // namespace

IndicatorFit fit_indicators(std::span<const std::vector<std::size_t>> rows, std::span<const double> values,
                            std::size_t indicators, double penalty) {
    constexpr double infinite = std::numeric_limits<double>::infinity();
    IndicatorFit fit{.level = 0,
                     .effects = std::vector<double>(indicators),
                     .errors = std::vector<double>(indicators, infinite)};
    if (rows.empty())
        return fit;
    // The level is the last unknown, and costs nothing.
    const std::size_t unknowns = indicators + 1;
    std::vector<double> matrix(unknowns * unknowns);
    std::vector<double> right(unknowns);
    for (std::size_t indicator = 0; indicator < indicators; ++indicator)
        matrix[indicator * unknowns + indicator] = penalty;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        std::vector<std::size_t> there = rows[row];
        there.push_back(indicators);
        for (const std::size_t a : there) {
            right[a] += values[row];
            for (const std::size_t b : there)
                matrix[a * unknowns + b] += 1;
        }
    }
    const std::vector<double> factor = factored(std::move(matrix), unknowns);
    fit.effects = solved(factor, std::move(right));
    fit.level = fit.effects.back();
    fit.effects.pop_back();

    const double middle = mean(values);
    double left = 0;
    double all = 0;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        left += std::pow(values[row] - foreseen(fit, rows[row]), 2);
        all += std::pow(values[row] - middle, 2);
    }
    fit.explained = all > 0 ? std::max(0.0, 1 - left / all) : 0;
    if (rows.size() > unknowns) {
        const double variance = left / static_cast<double>(rows.size() - unknowns);
        const std::vector<double> diagonal = inverse_diagonal(factor, unknowns);
        for (std::size_t indicator = 0; indicator < indicators; ++indicator)
            fit.errors[indicator] = std::sqrt(variance * diagonal[indicator]);
    }
    return fit;
}

} // namespace sparsight
