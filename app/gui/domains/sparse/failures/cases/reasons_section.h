// The section of a failure case that says why the model did not know better: the nearest training matrices,
// and what the model answers when it is asked, as sentences and charts.
#pragma once

#include "domains/sparse/explanation/reasons/model_reasons.h"
#include "gui/domains/sparse/failures/cases/case_sections.h"
#include "gui/domains/sparse/failures/cases/reason_pictures.h"
#include "gui/page/page.h"
#include "widgets/table/record_model.h"

#include <QStringList>
#include <QWidget>

class QComboBox;
class QLabel;
class QPushButton;

namespace sparsight {

class Chart;
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

/// A chart of a model's reasons with its title and a remark on what it shows.
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

    /// Keeps the chosen curve where the reason still has it.
    void show_reason(const SensitivityReason& reason);
    [[nodiscard]] QComboBox& choice() const { return *choice_; }
    [[nodiscard]] Chart& chart() const { return view_->chart(); }

private:
    void show_curve();

    SensitivityReason reason_;
    QComboBox* choice_;
    ReasonChartView* view_;
};

/// The rule, the confidence, whether the matrix is outside the training data, and where the model's curves
/// depart from the times.
[[nodiscard]] QStringList reason_sentences(const ModelReasons& reasons);

} // namespace sparsight
