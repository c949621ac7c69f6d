// The density pyramid as the sparsity plot asks for it.
#pragma once

#include "matrix/density_pyramid.h"
#include "widgets/plot/pattern_source.h"

#include <memory>

namespace sparsight {

class PyramidSource : public PatternSource {
public:
    explicit PyramidSource(std::shared_ptr<const DensityPyramid> pyramid)
        : pyramid_(std::move(pyramid)) {}

    [[nodiscard]] std::int64_t rows() const override { return pyramid_->pattern().rows; }
    [[nodiscard]] std::int64_t cols() const override { return pyramid_->pattern().cols; }
    [[nodiscard]] std::int64_t nnz() const override { return pyramid_->pattern().nnz(); }
    [[nodiscard]] PatternCounts counts(const PatternArea& area, int width, int height) const override;
    [[nodiscard]] PatternEntries entries(const PatternArea& area, std::int64_t limit) const override;

private:
    std::shared_ptr<const DensityPyramid> pyramid_;
};

} // namespace sparsight
