// The Matrices page: the matrices of the workspace as a table and, for the selected one, its pattern, its
// statistics, and the lengths of its rows and columns.
#pragma once

#include "domains/sparse/storage/matrices.h"
#include "gui/domains/sparse/matrices/loaded_matrix.h"
#include "gui/page/page.h"
#include "gui/workspace/workspace_session.h"
#include "widgets/table/record_model.h"

#include <QPixmap>
#include <memory>

class QSplitter;
class QStackedWidget;
class QTabWidget;

namespace sparsight {

class Chart;
class DataTable;
class EmptyState;
class SparsityPlot;
class Staleness;
class StatisticsView;
class Thumbnails;
struct LengthHistogram;
class ImportReport;
struct MatrixAnalysis;

struct MatrixRow {
    MatrixRecord record;
    QPixmap picture;
    bool is_new = false; ///< came with the last import

    bool operator==(const MatrixRow& other) const {
        return record == other.record && picture.cacheKey() == other.picture.cacheKey() &&
               is_new == other.is_new;
    }
    [[nodiscard]] QString name() const { return QString::fromStdString(record.name); }
    /// nnz / (rows · cols); NaN for a matrix without a pattern or without places.
    [[nodiscard]] double density() const;
    [[nodiscard]] double entries_a_row() const;
};

class MatricesModel : public RecordModel<MatrixRow> {
public:
    explicit MatricesModel(Thumbnails& thumbnails, QObject* parent = nullptr);

    enum Column { Name, Entries, Rows, Columns, EntriesARow, Density, Source, Added };

    void show_matrices(const std::vector<MatrixRecord>& records, const ImportReport* imported = nullptr);
    void show_picture(const QString& name);

private:
    Thumbnails& thumbnails_;
};

class MatricesPage : public Page {
    Q_OBJECT

public:
    MatricesPage(SparseServices services, Thumbnails& thumbnails, QWidget* parent = nullptr);

    [[nodiscard]] QByteArray layout_state() const override;
    void restore_layout(const QByteArray& layout) override;
    [[nodiscard]] bool is_settled() const override;
    [[nodiscard]] QString help_topic() const override { return QStringLiteral("sparsity-plot"); }
    /// The statistics.
    [[nodiscard]] std::vector<PagePart> parts() const override;
    void focus_part(const QString& key) override;

Q_SIGNALS:
    void import_requested();
    void simulate_requested();

private:
    void build_list();
    void build_details();
    void build_empty();
    void show_contents();
    void follow();
    void show_loaded(const QString& name);
    void show_histogram(Chart& chart, const LengthHistogram& histogram, const QString& of,
                        const QString& title);
    void remove_selected();

    SparseServices services_;
    const Thumbnails& thumbnails_;
    MatricesModel model_;
    QStackedWidget* stack_;
    QSplitter* splitter_;
    QSplitter* details_;
    DataTable* list_;
    SparsityPlot* plot_;
    QTabWidget* tabs_;
    StatisticsView* statistics_;
    Chart* row_lengths_;
    Chart* column_lengths_;
    EmptyState* empty_;
    ImportReport* imported_;
    QAction* remove_;
    Staleness* stale_; ///< marks the numbers of the previous matrix while another one is loaded
    bool is_filling_ = false;
    std::shared_ptr<const MatrixAnalysis> shown_; ///< the matrix whose pattern the plot shows
};

} // namespace sparsight
