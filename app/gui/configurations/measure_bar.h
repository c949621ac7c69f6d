// Measuring configurations on this computer, where the worker program can: of which workloads, how many, and
// how far it is.
#pragma once

#include "gui/jobs/job_request.h"
#include "gui/page/page.h"

#include <optional>

class QComboBox;
class QPushButton;
class QSpinBox;

namespace sparsight {

class JobEstimateLabel;
class JobProgressLine;

class MeasureBar : public QWidget {
    Q_OBJECT

public:
    explicit MeasureBar(Services services, QWidget* parent = nullptr);

    /// What is computed when it is measured; that of the domain without options, until it is said.
    void set_setting(const Setting& setting);
    [[nodiscard]] CollectJob request() const;
    /// Why nothing can be measured now; empty when it can.
    [[nodiscard]] QString refusal() const;

Q_SIGNALS:
    void notice(const QString& text, bool is_problem, const QString& action); ///< as Page::notice()

private:
    void build();
    void measure();
    void show_state();
    [[nodiscard]] std::optional<Job> running() const;

    Services services_;
    const Domain& domain_; ///< whose page this is
    std::optional<Setting> setting_;
    QComboBox* workloads_;
    QSpinBox* count_;
    QPushButton* measure_;
    JobEstimateLabel* estimate_;
    JobProgressLine* progress_;
};

} // namespace sparsight
