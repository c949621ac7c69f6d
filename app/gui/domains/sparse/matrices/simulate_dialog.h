// The dialog that simulates matrices: the user chooses a family, changes its parameters in a form, sees the
// pattern at once, and adds the matrix to the workspace.
#pragma once

#include "domains/sparse/tensor/generators/generator.h"
#include "gui/domains/sparse/matrices/loaded_matrix.h"
#include "gui/domains/sparse/sparse_jobs.h"
#include "gui/workspace/background_work.h"

#include <QDialog>
#include <QTimer>
#include <QWidget>
#include <functional>
#include <memory>
#include <vector>

class QFormLayout;
class QLabel;
class QLineEdit;
class QListWidget;
class QPushButton;

namespace sparsight {

class NumberField;
class SparsityPlot;
class Staleness;

/// The form for the parameters of a family of matrices, made from the family's own description of them.
class ParameterForm : public QWidget {
    Q_OBJECT

public:
    explicit ParameterForm(QWidget* parent = nullptr);

    /// Shows the fields of these parameters, with their defaults.
    void show_parameters(std::span<const Parameter> parameters);
    /// The values that differ from their defaults.
    [[nodiscard]] ParameterValues values() const;
    void reset();

    [[nodiscard]] QFormLayout& rows() { return *form_; }

Q_SIGNALS:
    void changed();

private:
    struct Field {
        const Parameter* parameter = nullptr;
        std::function<double()> value;
        std::function<void(double)> set;
    };

    [[nodiscard]] Field make_field(const Parameter& parameter);

    QFormLayout* form_;
    std::vector<Field> fields_;
};

class SimulateDialog : public QDialog {
    Q_OBJECT

public:
    explicit SimulateDialog(QWidget* parent = nullptr);

    /// The current settings, as a job without a workspace.
    [[nodiscard]] SimulateJob request() const;
    void choose_family(const QString& name);
    /// The workspace that matrices are added to; empty: a workspace is made for them.
    void set_destination(const QString& workspace);
    /// The receiver of simulate() answers once by one of these, at once or when a workspace is made or not;
    /// the settings are kept until then.
    void confirm();
    void refuse(const QString& reason);

Q_SIGNALS:
    void simulate(const SimulateJob& job);

private:
    [[nodiscard]] QWidget* make_choices();
    [[nodiscard]] QWidget* make_preview();
    [[nodiscard]] QLayout* make_buttons();
    void add(bool and_close);
    void allow_adding(const QString& reason_against);
    void show_adding();
    void show_family();
    void preview_soon();
    void preview();
    void show_preview(Result<std::shared_ptr<const MatrixAnalysis>> matrix);
    void stop_preview();
    [[nodiscard]] bool is_collection() const;

    QString family_;
    QListWidget* families_;
    QLabel* description_;
    ParameterForm* form_;
    NumberField* seed_;
    NumberField* count_;
    QFormLayout* common_; ///< the fields that all families have
    QLineEdit* name_;
    SparsityPlot* plot_;
    QLabel* facts_;
    Staleness* stale_; ///< marks the facts of the previous pattern
    QPushButton* stop_;
    QPushButton* add_;
    QPushButton* add_more_; ///< adds and keeps the dialog open
    QLabel* destination_;
    QLabel* added_; ///< what was added so far, or why nothing could be added
    int additions_ = 0;
    QString reason_against_adding_;
    bool is_asking_ = false; ///< whether the receiver of simulate() has not answered yet
    bool closes_when_added_ = false;
    QTimer debounce_;
    NewestAnswer<Result<std::shared_ptr<const MatrixAnalysis>>> previews_{this};
};

} // namespace sparsight
