// One failure case, whatever the domain: what happened, which decision cost the time, what would fix it, and
// why the model did not know.
#pragma once

#include "evaluation/failures/failure_case.h"
#include "evaluation/model_evaluation.h"
#include "gui/failures/failure_words.h"
#include "gui/page/page.h"
#include "study/domain.h"
#include "widgets/table/record_model.h"

#include <QWidget>
#include <memory>
#include <optional>
#include <vector>

class QLabel;
class QScrollArea;
class QVBoxLayout;

namespace sparsight {

class Card;
class DataTable;
class ModelQuestion;
class WaterfallChart;

/// A decision that the chosen configuration makes differently.
struct DifferingDecision {
    QString key;
    QString name;
    QString against; ///< as the configuration decides that the choice is held against
    QString chosen;
    std::optional<double> cost_ms{}; ///< its share in what was lost; absent where nobody can tell
    QString cost{};                  ///< as the chart writes it
    bool is_significant = true;      ///< the cost is beyond the noise

    bool operator==(const DifferingDecision&) const = default;
};

/// The decisions in which both configurations of a case differ, in the order of the domain; none where a text
/// can't be read any more.
[[nodiscard]] std::vector<DifferingDecision>
differing_decisions(const FailureCase& failure, const Domain& domain, const Setting& setting);

class DecisionsModel : public RecordModel<DifferingDecision> {
public:
    explicit DecisionsModel(QObject* parent = nullptr);

    enum Column { Name, Against, Chosen, Cost };
};

class FailureCaseView : public QWidget {
    Q_OBJECT

public:
    explicit FailureCaseView(Services services, QWidget* parent = nullptr);

    /// `machine` is ModelEvaluation::exact_machine().
    void show_case(const FailureCase& failure, const Setting& setting, const QString& machine,
                   const Domain& domain, const FailureWords& words);
    [[nodiscard]] ModelQuestion& question() const { return *question_; }
    [[nodiscard]] WaterfallChart& waterfall() const { return *waterfall_; }
    [[nodiscard]] DataTable& decisions() const { return *decisions_; }

private:
    [[nodiscard]] QLabel* add_text(QVBoxLayout& column, const char* name);
    [[nodiscard]] QVBoxLayout* add_card(QVBoxLayout& column, const QString& question);
    void build();
    void show_outcome(const FailureCase& failure, const FailureWords& words);
    void show_blame(const FailureCase& failure, const Setting& setting, const Domain& domain,
                    const FailureWords& words);
    void show_change(const FailureCase& failure, const Setting& setting, const Domain& domain,
                     const FailureWords& words);
    void show_blind_spots(const FailureCase& failure, const FailureWords& words);

    QScrollArea* scroll_;
    QLabel* headline_ = nullptr;
    QLabel* cause_ = nullptr;
    QLabel* sides_ = nullptr;
    QLabel* signs_ = nullptr;
    QLabel* basis_ = nullptr;
    WaterfallChart* waterfall_;
    DecisionsModel rows_;
    DataTable* decisions_;
    QLabel* change_ = nullptr;
    QLabel* blind_spots_ = nullptr;
    ModelQuestion* question_;
    QString shown_;
};

} // namespace sparsight
