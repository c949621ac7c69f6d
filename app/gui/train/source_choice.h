// What to learn from: a setting that was measured, and which of its machines.
#pragma once

#include "gui/runs/stored_runs.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QListWidget;

namespace sparsight {

class SourceChoice : public QWidget {
    Q_OBJECT

public:
    explicit SourceChoice(QWidget* parent = nullptr);

    /// Keeps what is chosen, as far as it is still there; new machines are chosen.
    void set_learning(const StoredLearning& learning, const QString& this_machine);

    [[nodiscard]] Operator op() const;
    [[nodiscard]] std::int64_t dense() const;
    /// Fingerprints; the command line's "none" where only simulated ones are chosen.
    [[nodiscard]] QStringList machines() const;
    /// Words of the command line's --simulated, with commas; empty for none.
    [[nodiscard]] QString simulated() const;
    void set_simulated(const QString& words);
    [[nodiscard]] QString split() const; ///< empty: drawn by the seed
    /// Machines to learn from, the simulated ones among them.
    [[nodiscard]] int task_count() const;
    /// Of those that are chosen; of the machine with most.
    [[nodiscard]] std::int64_t matrix_count() const;

Q_SIGNALS:
    void changed();

private:
    void show_machines();
    void show_summary();
    [[nodiscard]] bool learns_from_simulated_alone() const;
    [[nodiscard]] std::vector<LearningSource> of_setting() const;

    std::vector<LearningSource> sources_;
    QStringList splits_;
    QString this_machine_;
    QStringList unchosen_; ///< machines that the user has unticked
    QComboBox* setting_;
    QListWidget* machines_;
    QComboBox* simulated_;
    QComboBox* split_;
    QLabel* summary_;
    bool is_filling_ = false;
};

} // namespace sparsight
