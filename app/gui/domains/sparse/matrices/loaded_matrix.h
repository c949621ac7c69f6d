// The matrices of the open workspace, and a matrix loaded for the pages: its pattern, the density pyramid
// behind the sparsity plot, and its statistics. The loader reads matrices off the window's thread and keeps
// the last ones.
#pragma once

#include "base/error.h"
#include "domains/sparse/storage/matrices.h"
#include "domains/sparse/tensor/density_pyramid.h"
#include "domains/sparse/tensor/pattern.h"
#include "domains/sparse/tensor/statistics.h"
#include "gui/page/page.h"
#include "gui/workspace/background_work.h"
#include "widgets/plot/pattern_source.h"

#include <QObject>
#include <QString>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sparsight {

class WorkspaceSession;

/// None while another domain is looked at.
[[nodiscard]] std::vector<MatrixRecord> matrices_of(const WorkspaceSession& session);
/// Absent while another domain is looked at, too.
[[nodiscard]] std::optional<MatrixRecord> find_matrix(const WorkspaceSession& session, const QString& name);

/// counts[b] is the number of rows (or columns) with a length in [edges[b], edges[b + 1]).
struct LengthHistogram {
    std::vector<double> edges;
    std::vector<double> counts;
};

/// Immutable once made; shared between threads.
struct MatrixAnalysis {
    QString name;
    std::string content_hash; ///< of the record that it was loaded for
    std::shared_ptr<const CsrPattern> pattern;
    std::shared_ptr<const DensityPyramid> pyramid;
    PatternStatistics statistics;
    LengthHistogram row_lengths;
    LengthHistogram column_lengths;

    [[nodiscard]] std::uint64_t bytes() const;
};

/// Bins of equal, whole width from the shortest to the longest length, at most about `wanted` of them.
[[nodiscard]] LengthHistogram length_histogram(const std::vector<std::int64_t>& lengths, int wanted = 48);

/// Computes everything but the name, on the calling thread and its helpers. Takes ownership of the pattern.
[[nodiscard]] Result<std::shared_ptr<const MatrixAnalysis>> look_at_matrix(QString name, CsrPattern pattern,
                                                                           int threads);

/// The density pyramid as the source of the sparsity plot.
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

/// Loads matrices off the window's thread and keeps the ones used last.
class MatrixLoader : public QObject {
    Q_OBJECT

public:
    using Loaded = std::shared_ptr<const MatrixAnalysis>;

    explicit MatrixLoader(WorkspaceSession& session, QObject* parent = nullptr);

    /// Returns the matrix at once where it is loaded, otherwise nullptr.
    [[nodiscard]] Loaded find(const QString& name);
    /// Loads the matrix unless it is loaded or being loaded; ends in loaded() or failed(). Of several
    /// requests the newest goes first.
    void request(const QString& name);

Q_SIGNALS:
    void loading(const QString& name);
    void loaded(const QString& name);
    void failed(const QString& name, const QString& reason);

private:
    void keep(Loaded matrix);
    void forget();

    WorkspaceSession& session_;
    std::list<Loaded> kept_; ///< the most recently used first
    QString wanted_;         ///< the newest requested name
    QString reading_;        ///< name and content hash of the matrix being read
    QString waiting_;        ///< name and content hash of the matrix that is read next
    NewestAnswer<Result<Loaded>> answers_{this};
};

/// What the views of matrices and schedules share beside the services of every page.
struct SparseServices : Services {
    MatrixLoader& matrices;
};

} // namespace sparsight
