// Why the model did not know: what its training looks like from here, and what it says when it is asked.
#pragma once

#include "evaluation/model_reasons/model_reasons.h"
#include "gui/failures/case_section.h"
#include "gui/page/services.h"
#include "widgets/table/record_model.h"

class QPushButton;

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

} // namespace sparsight
