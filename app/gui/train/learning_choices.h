// The choices of the learning forms: what to learn from (a measured setting and its machines), and a short
// list for options.
#pragma once

#include "gui/runs/stored_learning.h"
#include "gui/train/training_fields.h"

#include <QListWidget>
#include <QWidget>
#include <optional>

class QComboBox;
class QLabel;
class QListWidget;

namespace sparsight {

class ChoiceList : public QListWidget {
    Q_OBJECT

public:
    ChoiceList(const QString& id, const QString& name, const QString& tip, QWidget* parent = nullptr);

    QListWidgetItem* add(const QString& text, const QString& value);
    void add_tickable(const QString& text, const QString& value, bool is_ticked);

    [[nodiscard]] QString value() const; ///< of the current entry; empty without one
    [[nodiscard]] bool has(const QString& value) const;
    /// Chooses the first entry where no entry has this value.
    void choose(const QString& value);
    [[nodiscard]] QStringList ticked() const;
};

/// What to learn from: a measured setting, its machines, and what of it is kept for the test.
class SourceChoice : public QWidget {
    Q_OBJECT

public:
    SourceChoice(const DomainWords& words, const TrainingOffer& offer, QWidget* parent = nullptr);

    /// Keeps the choice, as far as it still exists; new machines are chosen, unless
    /// none is to be learned from.
    void set_learning(const StoredLearning& learning, const QString& this_machine);

    /// With an empty domain where there is nothing to learn from, measured or simulated.
    [[nodiscard]] Setting setting() const;
    /// As LearningSource::job_name(); the command line's "none" where only simulated machines are chosen.
    [[nodiscard]] QStringList machines() const;
    /// Words of the command line's --simulated, with commas; empty for no simulated machines.
    [[nodiscard]] QString simulated() const;
    void set_simulated(const QString& words);
    /// From the machines that were ticked before, or from none: then simulated() are all.
    void learn_from_machines(bool is_wanted);
    [[nodiscard]] QString split() const;    ///< a stored one; empty: drawn by the seed
    [[nodiscard]] QString split_by() const; ///< as TrainJob has it
    void set_split_by(const QString& split_by);
    [[nodiscard]] bool is_split_by_workload() const;
    /// The number of machines to learn from, simulated ones included.
    [[nodiscard]] int task_count() const;
    /// The number of workloads of the chosen machine that has most.
    [[nodiscard]] std::int64_t workload_count() const;
    /// No measured machine is chosen, and some simulated one: its runtimes are made when the run begins.
    [[nodiscard]] bool learns_from_simulated_alone() const;
    /// The workspace has no workload with data, or too few to split them: the run generates some.
    [[nodiscard]] bool generates_workloads() const;

Q_SIGNALS:
    void changed();

private:
    void fill();
    void untick_measured();
    void show_machines();
    void show_summary();
    void show_split();
    [[nodiscard]] QString extent_text() const;
    [[nodiscard]] QString usual_split() const;
    [[nodiscard]] bool can_simulate() const;
    [[nodiscard]] bool is_chosen(const LearningSource& source) const;
    [[nodiscard]] std::vector<LearningSource> of_setting() const;
    [[nodiscard]] std::vector<LearningSource> chosen_sources() const;

    StoredLearning learning_; ///< what of it is shown here: no runs, no models
    bool split_is_ours_ = true;
    QString this_machine_;
    Noun workload_;
    bool has_simulator_;
    std::int64_t generated_; ///< workloads in all, where there are too few
    QStringList unchosen_;   ///< measured machines that the user has unticked
    QStringList imagined_;   ///< simulated ones without runtimes that the user has ticked
    struct Ticks {
        QStringList unchosen;
        QStringList imagined;
    };
    std::optional<Ticks> put_aside_; ///< while learn_from_machines() wants none
    QComboBox* setting_;
    QListWidget* machines_;
    QComboBox* simulated_;
    QComboBox* split_;
    QLabel* summary_;
    bool is_filling_ = false;
};

} // namespace sparsight
