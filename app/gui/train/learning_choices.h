// A short list to choose one entry of, or to tick some: each has a text for people and a value.
#pragma once

#include "gui/runs/stored_learning.h"

#include <QListWidget>
#include <QWidget>

class QButtonGroup;
class QLabel;
class QComboBox;
class QListWidget;

namespace sparsight {

class ChoiceList : public QListWidget {
    Q_OBJECT

public:
    ChoiceList(const QString& id, const QString& name, const QString& tip, QWidget* parent = nullptr);

    QListWidgetItem* add(const QString& text, const QString& value);
    void add_tickable(const QString& text, const QString& value, bool is_ticked);

    [[nodiscard]] QString value() const; ///< of the current one; empty without
    [[nodiscard]] bool has(const QString& value) const;
    /// The first where there is no such value.
    void choose(const QString& value);
    [[nodiscard]] QStringList ticked() const;
};

// From how many matrices: a few numbers to press, as far as there are so many.

class ShotChoice : public QWidget {
    Q_OBJECT

public:
    explicit ShotChoice(QWidget* parent = nullptr);

    /// Matrices that are measured; some are left to test with.
    void set_available(qint64 matrices);
    [[nodiscard]] int chosen() const;
    /// For a shot curve: none, and each number up to the one that is chosen.
    [[nodiscard]] QStringList up_to_chosen() const;

Q_SIGNALS:
    void changed();

private:
    QButtonGroup* buttons_;
    QLabel* note_;
};

// What to learn from: a setting that was measured, and which of its machines.

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
