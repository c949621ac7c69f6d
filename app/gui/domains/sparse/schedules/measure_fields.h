// The fields of the Measure form: which matrices are measured (the selected one, all, or the ticked ones),
// and how.
#pragma once

#include "gui/domains/sparse/sparse_jobs.h"
#include "gui/domains/sparse/sparse_settings.h"

#include <QStringList>
#include <QToolButton>
#include <QWidget>

class QCheckBox;
class QComboBox;
class QLabel;
class QListWidget;
class QSpinBox;
class QToolButton;

namespace sparsight {

class UserSettings;

class MatrixChoice : public QToolButton {
    Q_OBJECT

public:
    explicit MatrixChoice(QWidget* parent = nullptr);

    /// Sets the matrices that have a pattern, and the selected one.
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

/// How to measure: operator, dense extent, number of schedules, threads and, folded away, rarely changed
/// options. The fields start with the values of the settings; a choice made here is for the next job and does
/// not change the settings. A field that shows the value of its setting follows the setting, also in the next
/// window.
class MeasureFields : public QWidget {
    Q_OBJECT

public:
    /// `what` stands before the fields and `button` after them, in one line where there is room.
    MeasureFields(UserSettings& settings, QWidget* what, QWidget* button, QWidget* parent = nullptr);

    /// Everything but the workspace and the matrices.
    [[nodiscard]] CollectSchedulesJob request() const;
    [[nodiscard]] Operator op() const;
    [[nodiscard]] std::int64_t dense() const;
    void set_operator(Operator op);
    void set_dense(std::int64_t columns);
    /// Sets the number of threads of a schedule. It holds until the user chooses another and is no part of
    /// state().
    void set_threads(int threads);

    /// The choices made here, to be restored in the next window; a value that equals its setting is not a
    /// choice.
    [[nodiscard]] QByteArray state() const;
    /// Ignores a state that can't be read, or that was written by a version that stored settings, too.
    void restore_state(const QByteArray& state);

Q_SIGNALS:
    void changed();
    /// Another operator or dense extent was chosen: its results are wanted as well.
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
    SparseSettings sparse_;
    QComboBox* operator_;
    QSpinBox* dense_;
    QLabel* dense_label_ = nullptr;
    QSpinBox* schedules_;
    QSpinBox* threads_;
    int chosen_threads_; ///< the field's value, unless a schedule has set another number
    QToolButton* more_;
    QWidget* advanced_;
    QComboBox* sampler_;
    QComboBox* protocol_;
    QSpinBox* seed_;
    QSpinBox* minutes_;
    QCheckBox* again_;
    QList<QWidget*> in_line_; ///< all as high as the tallest
};

} // namespace sparsight
