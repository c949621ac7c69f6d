// A matrix as pages look at it: its pattern, what the sparsity plot asks, and the numbers that describe it.
#pragma once

#include "base/error.h"
#include "domains/sparse/tensor/density_pyramid.h"
#include "domains/sparse/tensor/pattern.h"
#include "domains/sparse/tensor/statistics.h"
#include "gui/workspace/background_work.h"
#include "widgets/plot/pattern_source.h"

#include <QObject>
#include <QString>
#include <list>
#include <memory>
#include <string>
#include <vector>

namespace sparsight {

/// How many rows (or columns) have a length in [edges[b], edges[b + 1]).
struct LengthHistogram {
    std::vector<double> edges;
    std::vector<double> counts;
};

/// Immutable once made; shared between threads.
struct LoadedMatrix {
    QString name;
    std::string content_hash; ///< of the record that it was loaded for
    std::shared_ptr<const CsrPattern> pattern;
    std::shared_ptr<const DensityPyramid> pyramid;
    PatternStatistics statistics;
    LengthHistogram row_lengths;
    LengthHistogram column_lengths;

    [[nodiscard]] std::uint64_t bytes() const;
};

/// Equal bins of whole lengths from the shortest to the longest, at most about `wanted` of them.
[[nodiscard]] LengthHistogram length_histogram(const std::vector<std::int64_t>& lengths, int wanted = 48);

/// Everything but the name, on the calling thread and its helpers. Takes the pattern over.
[[nodiscard]] Result<std::shared_ptr<const LoadedMatrix>> look_at_matrix(QString name, CsrPattern pattern,
                                                                         int threads);

// The density pyramid as the sparsity plot asks for it.

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

// Loads the matrices that are looked at, off the window's thread, and keeps the last ones.

class WorkspaceSession;

class MatrixLoader : public QObject {
    Q_OBJECT

public:
    using Loaded = std::shared_ptr<const LoadedMatrix>;

    explicit MatrixLoader(WorkspaceSession& session, QObject* parent = nullptr);

    /// At once where it is there already.
    [[nodiscard]] Loaded find(const QString& name);
    /// Loads it unless it is there or on its way; ends in loaded() or failed(). Of several requests the
    /// newest goes first.
    void request(const QString& name);

Q_SIGNALS:
    void loading(const QString& name);
    void loaded(const QString& name);
    void failed(const QString& name, const QString& reason);

private:
    void keep(Loaded matrix);
    void forget();

    WorkspaceSession& session_;
    std::list<Loaded> kept_; ///< the one used last first
    QString wanted_;         ///< the newest on its way
    QString reading_;        ///< its content, while it is read
    QString waiting_;        ///< likewise of the one that is read next
    NewestAnswer<Result<Loaded>> answers_{this};
};

} // namespace sparsight
