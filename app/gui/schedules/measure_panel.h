// What to measure, and the button that starts it; while it runs, how far it is, with pause and stop.
#pragma once

#include "gui/jobs/job_request.h"
#include "gui/page/services.h"

#include <QWidget>

class QAction;
class QCheckBox;
class QComboBox;
class QLabel;
class QPushButton;
class QSpinBox;
class QToolButton;

namespace sparsight {

class MatrixChoice;
class MeasureProgress;

class MeasurePanel : public QWidget {
    Q_OBJECT

public:
    explicit MeasurePanel(Services services, QWidget* parent = nullptr);

    [[nodiscard]] CollectJob request() const;
    [[nodiscard]] Operator op() const;
    [[nodiscard]] std::int64_t dense() const;
    /// Of which the results are wanted as well as measured.
    void set_operator(Operator op);
    /// One schedule as it stands there, its threads included, and fixed CSR, at once, on the selected matrix;
    /// replaces what is stored of them.
    void measure_schedule(const QString& schedule);
    /// Why nothing can be measured now; empty when it can.
    [[nodiscard]] QString refusal() const;
    /// The same for one schedule on the selected matrix.
    [[nodiscard]] QString refusal_of_one() const;

Q_SIGNALS:
    void setting_changed();
    void notice(const QString& text, bool is_problem);

protected:
    void changeEvent(QEvent* event) override;

private:
    void build();
    void level_fields();
    void build_advanced();
    void follow_contents();
    void measure(bool again);
    void take_end(const JobId& id, const QJsonObject& event);
    void start(const CollectJob& job);
    void show_state();
    void set_measuring_enabled(const QString& reason_against);
    [[nodiscard]] std::optional<Job> running() const;
    [[nodiscard]] QString refusal_of(const CollectJob& job) const;

    Services services_;
    MatrixChoice* matrices_;
    QComboBox* operator_;
    QSpinBox* dense_;
    QLabel* dense_label_;
    QSpinBox* schedules_;
    QSpinBox* threads_;
    QPushButton* measure_;
    QToolButton* more_;
    QWidget* advanced_;
    QComboBox* sampler_;
    QComboBox* protocol_;
    QSpinBox* seed_;
    QSpinBox* minutes_;
    QCheckBox* again_;
    QLabel* all_stored_; ///< what was asked for last was there before: offers to measure it again
    MeasureProgress* progress_;
    JobId job_;
    bool awaits_focus_ = false; ///< the button had it until it was disabled
};

} // namespace sparsight
