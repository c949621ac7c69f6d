// From which workloads a fine-tuning learns: so many of those with times, or those that the model advised to
// measure.
#pragma once

#include "study/domain.h"

#include <QString>
#include <QStringList>
#include <QWidget>
#include <optional>

class QButtonGroup;
class QLabel;
class QRadioButton;

namespace sparsight {

/// The number of workloads to fine-tune with: a few numbers as buttons, as far as enough are available.
class ShotChoice : public QWidget {
    Q_OBJECT

public:
    explicit ShotChoice(QWidget* parent = nullptr);

    /// Sets the number of workloads there, measured or to be simulated; some of them are kept for testing.
    void set_available(qint64 count, const Noun& workload, bool is_simulated = false);
    [[nodiscard]] int chosen() const;

Q_SIGNALS:
    void changed();

private:
    QButtonGroup* buttons_;
    QLabel* note_;
};

/// What a model advised to measure.
struct AdvisedWorkloads {
    QStringList names{}; ///< may be empty where they can't be learned from
    QString why_not{};   ///< why they can't be learned from; empty where they can

    bool operator==(const AdvisedWorkloads&) const = default;
};

/// Either a number or the advised ones: the other one can't be set meanwhile.
class LearnedWorkloads : public QWidget {
    Q_OBJECT

public:
    explicit LearnedWorkloads(QWidget* parent = nullptr);

    [[nodiscard]] ShotChoice& shots() const { return *shots_; }
    /// Absent of a model that gives no advice: then there is only the number.
    void set_advice(const std::optional<AdvisedWorkloads>& advice, const Noun& workload);
    /// The advised ones, where they are chosen; empty: a number is.
    [[nodiscard]] QStringList advised() const;
    /// For a shot curve: every number up to the chosen one.
    [[nodiscard]] QStringList up_to_chosen() const;

Q_SIGNALS:
    void changed();

private:
    void show_state();

    QRadioButton* by_number_;
    ShotChoice* shots_;
    QRadioButton* by_advice_;
    QLabel* why_not_;
    std::optional<AdvisedWorkloads> advice_;
    bool wants_advised_ = false; ///< the user does, where it is possible
};

} // namespace sparsight
