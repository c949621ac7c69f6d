// The matrices of the workspace: the list, and of the selected one its pattern, its statistics, and how long
// its rows and columns are.
#pragma once

#include "gui/matrices/matrices_model.h"
#include "gui/page/page.h"
#include "gui/page/services.h"

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
struct LoadedMatrix;

class MatricesPage : public Page {
    Q_OBJECT

public:
    MatricesPage(Services services, Thumbnails& thumbnails, QWidget* parent = nullptr);

    [[nodiscard]] QByteArray layout_state() const override;
    void restore_layout(const QByteArray& layout) override;
    [[nodiscard]] bool is_settled() const override;

private:
    void build_list();
    void build_details();
    void build_empty();
    void show_contents();
    void follow();
    void show_loaded(const QString& name);
    void show_histogram(Chart& chart, const LengthHistogram& histogram, const QString& of);
    void remove_selected();

    Services services_;
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
    QAction* remove_;
    Staleness* stale_; ///< the numbers of the matrix before, while another one is loaded
    bool is_filling_ = false;
    std::shared_ptr<const LoadedMatrix> shown_; ///< whose pattern the plot shows
};

} // namespace sparsight
