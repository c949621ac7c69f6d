// The two lists of the Failures page: groups of failures with one common cause, and the failure cases as
// table rows.
#pragma once

#include "evaluation/failures/failure_case.h"
#include "widgets/table/record_model.h"

#include <QListView>
#include <QStringList>
#include <vector>

class QStandardItemModel;

namespace sparsight {

struct FailureGroupText {
    QString key{};
    QString title{};
    QString text{};  ///< may take two lines
    QString count{}; ///< "7 cases"
    QString hint{};
};

/// The groups one below the other, each in two lines; the first row stands for all groups together.
class FailureGroupList : public QListView {
    Q_OBJECT

public:
    explicit FailureGroupList(QWidget* parent = nullptr);

    /// Keeps the chosen group where it is still there, otherwise chooses the first.
    void set_groups(const std::vector<FailureGroupText>& groups);
    [[nodiscard]] int current_group() const; ///< −1: none is chosen
    void choose(int group);

    [[nodiscard]] QSize sizeHint() const override;

Q_SIGNALS:
    void chosen(int group);

protected:
    void changeEvent(QEvent* event) override;

private:
    QStandardItemModel* groups_;
    bool is_filling_ = false;
};

/// Identifies a case among the cases of one evaluation.
[[nodiscard]] QString key_of(const FailureCase& failure);

class FailureWords;

class CasesModel : public RecordModel<FailureCase> {
public:
    /// `words` live as long as the model.
    explicit CasesModel(const FailureWords& words, QObject* parent = nullptr);

    enum Column {
        Workload,
        LostShare,
        Than,
        Lost,
        Rank,
        Kind,
        CostliestDecision,
        Family,
        Model,
        Noise,
        Time,
        AgainstTime,
        Chosen,
        Against,
        MisledBy
    };
};

} // namespace sparsight
