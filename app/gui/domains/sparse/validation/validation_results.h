// A validation in pictures and figures: predicted against measured, matrix by matrix and part by part, and
// what a calibration made of each parameter. The matrix that is selected stands out in all of them.
#pragma once

#include "gui/domains/sparse/validation/validation_figures.h"

#include <QByteArray>
#include <QString>
#include <QWidget>
#include <memory>
#include <vector>

class QSplitter;
class QStackedWidget;
class QTabBar;

namespace sparsight {

class Chart;
class DataTable;
class StackedBars;

class ValidationResults : public QWidget {
    Q_OBJECT

public:
    explicit ValidationResults(QWidget* parent = nullptr);

    /// Whether the times are another computer's, or were measured on this one.
    void set_recorded(bool are_recorded);
    void show_validation(std::shared_ptr<const MachineValidation> validation);
    void show_parameters(std::vector<FittedRow> rows);
    void select(const QString& matrix);

    [[nodiscard]] Chart& scatter() { return *scatter_; }
    [[nodiscard]] Chart& agreement() { return *agreement_; }
    [[nodiscard]] StackedBars& terms() { return *terms_; }
    [[nodiscard]] DataTable& matrices() { return *matrices_; }
    [[nodiscard]] DataTable& means() { return *means_; }
    [[nodiscard]] DataTable& parameters() { return *parameters_; }
    [[nodiscard]] QTabBar& tabs() { return *tabs_; }

    [[nodiscard]] QByteArray layout_state() const;
    void restore_layout(const QByteArray& state);

Q_SIGNALS:
    void picked(const QString& matrix);

private:
    void build_charts();
    void build_tables();
    void build_tabs();

    RecordModel<QualityRow> matrix_rows_;
    RecordModel<QualityRow> mean_rows_;
    RecordModel<FittedRow> fitted_rows_;
    std::shared_ptr<const MachineValidation> validation_; ///< never null
    QString matrix_;
    bool is_following_ = false; ///< the selection, which is no choice
    QTabBar* tabs_;
    QSplitter* across_;
    QStackedWidget* stack_; ///< what the tabs show, beside the points or, of tables, alone
    Chart* scatter_;
    Chart* agreement_;
    StackedBars* terms_;
    QSplitter* figures_;
    DataTable* means_;
    DataTable* matrices_;
    DataTable* parameters_;
};

} // namespace sparsight
