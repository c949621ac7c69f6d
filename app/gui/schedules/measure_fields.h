// Which matrices are measured: the selected one, all, or those that are ticked.
#pragma once

#include "gui/jobs/job_request.h"

#include <QStringList>
#include <QToolButton>
#include <QWidget>

class QListWidget;
class QCheckBox;
class QComboBox;
class QLabel;
class QSpinBox;
class QToolButton;

namespace sparsight {

class MatrixChoice : public QToolButton {
    Q_OBJECT

public:
    explicit MatrixChoice(QWidget* parent = nullptr);

    /// Those with a pattern, and which one is selected.
    void set_matrices(const QStringList& names, const QString& selected);
    [[nodiscard]] QStringList chosen() const;

Q_SIGNALS:
    void changed();

private:
    enum class Mode { Selected, All, Some };

    void set_mode(Mode mode);
    void show_choice();

    Mode mode_ = Mode::Selected;
    QStringList names_;
    QString selected_;
    QAction* one_;
    QAction* all_;
    QListWidget* list_;
    bool is_filling_ = false;
};

// How to measure: operator, dense extent, number of schedules, threads, and, folded away, what one rarely
// changes. Begins as the settings say; what is chosen here is for the next job and changes none of them.
// A field that stands as its setting says follows it, in the next window too.

class UserSettings;

class MeasureFields : public QWidget {
    Q_OBJECT

public:
    /// `what` stands before the fields, `button` behind them, all in one line as far as there is room.
    MeasureFields(UserSettings& settings, QWidget* what, QWidget* button, QWidget* parent = nullptr);

    /// All but the workspace and the matrices.
    [[nodiscard]] CollectJob request() const;
    [[nodiscard]] Operator op() const;
    [[nodiscard]] std::int64_t dense() const;
    void set_operator(Operator op);
    /// Those that a schedule brings along. They hold until others are chosen and are no part of state().
    void set_threads(int threads);

    /// What was chosen here, to be restored in the next window; what stands as a setting says is no choice.
    [[nodiscard]] QByteArray state() const;
    /// What can't be read, or was written by a version that kept settings too, changes nothing.
    void restore_state(const QByteArray& state);

Q_SIGNALS:
    void changed();
    /// Results of another setting are wanted as well.
    void setting_changed();

protected:
    void changeEvent(QEvent* event) override;

private:
    void build(QWidget* what, QWidget* button);
    void build_advanced();
    void connect_changes();
    void follow_settings(const QString& key);
    void show_dense();
    void level();

    UserSettings& settings_;
    QComboBox* operator_;
    QSpinBox* dense_;
    QLabel* dense_label_ = nullptr;
    QSpinBox* schedules_;
    QSpinBox* threads_;
    int chosen_threads_; ///< the field's, unless a schedule brought others along
    QToolButton* more_;
    QWidget* advanced_;
    QComboBox* sampler_;
    QComboBox* protocol_;
    QSpinBox* seed_;
    QSpinBox* minutes_;
    QCheckBox* again_;
    QList<QWidget*> in_line_; ///< as high as the highest
};

} // namespace sparsight
