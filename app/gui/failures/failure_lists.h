// The stories of the failures, one under the other, each in two lines; the first line is all of them
// together.
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

class FailureGroupList : public QListView {
    Q_OBJECT

public:
    explicit FailureGroupList(QWidget* parent = nullptr);

    /// The one that was chosen stays chosen where it is still there, otherwise the first is.
    void set_stories(const std::vector<FailureGroupText>& stories);
    [[nodiscard]] int current_story() const; ///< −1 without one
    void choose(int story);

    [[nodiscard]] QSize sizeHint() const override;

Q_SIGNALS:
    void chosen(int story);

protected:
    void changeEvent(QEvent* event) override;

private:
    QStandardItemModel* stories_;
    bool is_filling_ = false;
};

// Failure cases as table rows.

/// Names a case among those of one evaluation.
[[nodiscard]] QString key_of(const FailureCase& failure);

class CasesModel : public RecordModel<FailureCase> {
public:
    explicit CasesModel(QObject* parent = nullptr);

    enum Column { Matrix, LostShare, Lost, Rank, Kind, DearestDecision, Family, Model, Noise };
};

} // namespace sparsight
