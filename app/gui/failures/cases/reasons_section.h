// Why the model did not know: what its training looks like from here, and what it says when it is asked.
#pragma once

#include "evaluation/model_reasons/model_reasons.h"
#include "gui/failures/cases/case_sections.h"
#include "gui/failures/cases/reason_pictures.h"
#include "gui/page/page.h"
#include "widgets/table/record_model.h"

#include <QStringList>
#include <QWidget>

class QPushButton;
class QComboBox;
class QLabel;

namespace sparsight {

class DataTable;
class JobProgressLine;
class ReasonChartView;
class SensitivityView;

class NearestMatricesModel : public RecordModel<NearestMatrix> {
public:
    explicit NearestMatricesModel(QObject* parent = nullptr);
};

class ReasonsSection : public CaseSection {
    Q_OBJECT

public:
    ReasonsSection(Services services, QWidget* parent = nullptr);

    void show_study(const CaseStudy& study) override;
    [[nodiscard]] DataTable& nearest() const { return *nearest_; }
    [[nodiscard]] SensitivityView& sensitivity() const { return *sensitivity_; }
    [[nodiscard]] ReasonChartView& calibration() const { return *calibration_; }

Q_SIGNALS:
    void ask_requested();

private:
    QLabel* known_;
    QPushButton* ask_;
    JobProgressLine* progress_;
    QLabel* told_;
    NearestMatricesModel rows_;
    QLabel* nearest_title_;
    DataTable* nearest_;
    SensitivityView* sensitivity_;
    ReasonChartView* calibration_;
};

// The charts of a model's reasons with what belongs to them: a choice of what is varied, and what there is to
// be seen.

class Chart;

class ReasonChartView : public QWidget {
    Q_OBJECT

public:
    ReasonChartView(const QString& title, QWidget* parent = nullptr);

    void show_chart(const ReasonChart& chart);
    [[nodiscard]] Chart& chart() const { return *chart_; }
    [[nodiscard]] QLabel& title() const { return *title_; }

private:
    QLabel* title_;
    Chart* chart_;
    QLabel* remark_;
};

class SensitivityView : public QWidget {
    Q_OBJECT

public:
    explicit SensitivityView(QWidget* parent = nullptr);

    /// What was chosen stays chosen where it is among them.
    void show_reason(const SensitivityReason& reason);
    [[nodiscard]] QComboBox& choice() const { return *choice_; }
    [[nodiscard]] Chart& chart() const { return view_->chart(); }

private:
    void show_curve();

    SensitivityReason reason_;
    QComboBox* choice_;
    ReasonChartView* view_;
};

// What a model says of its choice, in sentences.

/// The rule, how sure it was, whether it is outside of its training, where its curves part from the times.
[[nodiscard]] QStringList reason_sentences(const ModelReasons& reasons);
/// "longest row above 40 entries"
[[nodiscard]] QString predicate_text(const ReasonPredicate& predicate);

} // namespace sparsight
