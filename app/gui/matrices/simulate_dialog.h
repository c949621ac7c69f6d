// A form for the parameters of a family of matrices, made from the family's own description of them.
#pragma once

#include "domains/sparse/tensor/generators/generator.h"
#include "gui/jobs/job_request.h"
#include "gui/workspace/background_work.h"
#include "gui/workspace/loaded_matrix.h"

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

class ParameterForm : public QWidget {
    Q_OBJECT

public:
    explicit ParameterForm(QWidget* parent = nullptr);

    /// The fields of these parameters, with their defaults.
    void show_parameters(std::span<const Parameter> parameters);
    /// Those that are not at their default.
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

// Makes matrices: choose a family, turn its parameters, see the pattern at once, add it to the workspace.

class NumberField;
class ParameterForm;
class SparsityPlot;
class Staleness;

class SimulateDialog : public QDialog {
    Q_OBJECT

public:
    explicit SimulateDialog(QWidget* parent = nullptr);

    /// What is set, as a job without a workspace.
    [[nodiscard]] SimulateJob request() const;
    void choose_family(const QString& name);
    /// The workspace that matrices go into; empty: one that is made for them.
    void set_destination(const QString& workspace);
    /// Whoever hears simulate() answers once by one of these, at once or when a workspace is made or not:
    /// what was set stays until then.
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
    void show_preview(Result<std::shared_ptr<const LoadedMatrix>> matrix);
    void stop_preview();
    [[nodiscard]] bool is_collection() const;

    QString family_;
    QListWidget* families_;
    QLabel* description_;
    ParameterForm* form_;
    NumberField* seed_;
    NumberField* count_;
    QFormLayout* common_; ///< what all families have
    QLineEdit* name_;
    SparsityPlot* plot_;
    QLabel* facts_;
    Staleness* stale_; ///< the facts of the pattern before
    QPushButton* stop_;
    QPushButton* add_;
    QPushButton* add_more_; ///< and stays
    QLabel* destination_;
    QLabel* added_; ///< what was added so far, or why nothing could be
    int additions_ = 0;
    QString reason_against_adding_;
    bool is_asking_ = false; ///< whether it can be added
    bool closes_when_added_ = false;
    QTimer debounce_;
    NewestAnswer<Result<std::shared_ptr<const LoadedMatrix>>> previews_{this};
};

} // namespace sparsight
