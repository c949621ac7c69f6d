// A matrix of the engine as the sparsity plot sees it: for tests and benchmarks with real matrices.
#pragma once

#include "domains/sparse/tensor/density_pyramid.h"
#include "widgets/plot/pattern_source.h"

#include <memory>
#include <utility>

namespace sparsight::testing {

class PyramidSource final : public PatternSource {
public:
    PyramidSource(DensityPyramid pyramid, int threads)
        : pyramid_(std::move(pyramid))
        , threads_(threads) {}

    [[nodiscard]] std::int64_t rows() const override { return pyramid_.pattern().rows; }
    [[nodiscard]] std::int64_t cols() const override { return pyramid_.pattern().cols; }
    [[nodiscard]] std::int64_t nnz() const override { return pyramid_.pattern().nnz(); }

    [[nodiscard]] PatternCounts counts(const PatternArea& area, int width, int height) const override {
        auto grid = pyramid_.density({area.row_begin, area.row_end, area.col_begin, area.col_end}, width,
                                     height, threads_);
        if (!grid)
            return {};
        return {std::move(grid->row_edges), std::move(grid->col_edges), std::move(grid->counts)};
    }

    [[nodiscard]] PatternEntries entries(const PatternArea& area, std::int64_t limit) const override {
        const EntryList list =
            pyramid_.entries_in({area.row_begin, area.row_end, area.col_begin, area.col_end}, limit);
        PatternEntries entries;
        entries.total = list.total;
        entries.entries.reserve(list.entries.size());
        for (const EntryPosition& entry : list.entries)
            entries.entries.push_back({entry.row, entry.col});
        return entries;
    }

private:
    DensityPyramid pyramid_;
    int threads_ = 1;
};

} // namespace sparsight::testing
