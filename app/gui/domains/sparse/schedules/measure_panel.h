// What to measure, and the button that starts it; while it runs, how far it is, with pause and stop.
#pragma once

#include "gui/domains/sparse/sparse_jobs.h"
#include "gui/page/page.h"

#include <QWidget>

class QLabel;
class QPushButton;

namespace sparsight {

class MatrixChoice;
class MeasureFields;
class JobEstimateLabel;
class JobProgressLine;

class MeasurePanel : public QWidget {
    Q_OBJECT

public:
    explicit MeasurePanel(Services services, QWidget* parent = nullptr);

    [[nodiscard]] CollectSchedulesJob request() const;
    [[nodiscard]] MeasureFields& fields() const { return *fields_; }
    /// One schedule as it stands there, its threads included, and fixed CSR, at once, on the selected matrix;
    /// replaces what is stored of them.
    void measure_schedule(const QString& schedule);
    /// Why nothing can be measured now; empty when it can.
    [[nodiscard]] QString refusal() const;
    /// The same for one schedule on the selected matrix.
    [[nodiscard]] QString refusal_of_one() const;
    /// Whether exactly what is asked for is being measured, or waits to be.
    [[nodiscard]] bool is_measuring() const;
    /// Without the line of how long it takes: the button tells it, too.
    void set_compact(bool is_compact);

Q_SIGNALS:
    void setting_changed();
    void measuring_started();                                                 ///< on this computer
    void notice(const QString& text, bool is_problem, const QString& action); ///< as Page::notice()

private:
    void build();
    void follow_contents();
    void measure_again();
    void take_end(const JobId& id, const QJsonObject& event);
    void start(const CollectSchedulesJob& job);
    void show_state();
    void set_measuring_enabled(const QString& reason_against);
    [[nodiscard]] std::optional<Job> running() const;
    [[nodiscard]] QString refusal_of(const CollectSchedulesJob& job) const;

    Services services_;
    MatrixChoice* matrices_;
    QPushButton* measure_;
    MeasureFields* fields_;
    JobEstimateLabel* estimate_;
    QLabel* stored_; ///< how much of what was asked for last was there before: offers to measure it again
    JobProgressLine* progress_;
    JobId job_;
    bool is_compact_ = false;
    bool awaits_focus_ = false; ///< the button had it until it was disabled
};

} // namespace sparsight
