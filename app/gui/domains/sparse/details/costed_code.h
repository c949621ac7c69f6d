// The loop nest of a schedule with what each line costs on the selected machine, and beside it the assembly
// of its hot loop.
#pragma once

#include "domains/sparse/workflow/explanation/code_costs.h"
#include "evaluation/diagnosis/hardware_counters.h"
#include "gui/domains/sparse/comparison/pair_study.h"
#include "gui/workspace/background_work.h"
#include "widgets/schedule/code/code_view.h"

#include <QJsonObject>
#include <QString>
#include <QWidget>
#include <memory>
#include <optional>
#include <vector>

class QComboBox;
class QLabel;
class QProcess;
class QPushButton;
class QSplitter;

namespace sparsight {

/// Where costs are simulated, and how the worker counts on this computer.
struct CostSetting {
    QString machine_key; ///< other costs, other key
    bool is_here = true; ///< this computer, whose code is compiled and counted
    int threads = 0;     ///< 0: all of the machine
    std::optional<MachineRequest> machine{};
    QString worker{};    ///< the program
    QString workspace{}; ///< its path
};

/// The marks of all lines, in the window's words.
[[nodiscard]] std::vector<LineCostMark> cost_marks(const CodeCosts& code);
/// Of what `schedules show --costs --count --json` says: the counts, or why there are none.
[[nodiscard]] QString counted_text(const QJsonObject& shown);

class CostedCode : public QWidget {
    Q_OBJECT

public:
    /// Without `counters` there is nothing to count, and the view says why.
    explicit CostedCode(QWidget* parent = nullptr, CounterAccess counters = system_counters());
    ~CostedCode() override;

    void set_empty_text(const QString& text);
    void set_setting(CostSetting setting);
    /// Without a schedule or a matrix there is nothing to see.
    void show(const std::optional<SuperSchedule>& schedule, std::shared_ptr<const CsrPattern> pattern,
              const QString& matrix, std::int64_t dense);
    /// What stands there until the costs are known, and where they can't be had.
    void set_plain_code(const QString& code);
    [[nodiscard]] bool is_settled() const { return !answers_.is_busy(); }

protected:
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void build();
    void compute();
    void refresh();
    void refresh_assembly();
    void refresh_total();
    void show_dearest();
    void copy_with_costs();
    void count();
    void take_counts(const QByteArray& output, const QString& problem);

    QSplitter* splitter_;
    CodeView* code_;
    QWidget* beside_;
    QLabel* hot_;
    QComboBox* part_;
    CodeView* assembly_;
    QLabel* total_;
    QLabel* counters_;
    QPushButton* copy_;
    QPushButton* count_;
    QProcess* counting_ = nullptr;
    CostSetting setting_;
    std::optional<SuperSchedule> schedule_;
    std::shared_ptr<const CsrPattern> pattern_;
    QString matrix_;
    std::int64_t dense_ = 1;
    QString plain_code_;
    QString no_counters_; ///< why the system shows none
    std::optional<CodeCosts> costs_;
    bool is_due_ = false;      ///< to be computed once it is seen
    bool is_outdated_ = false; ///< what is being counted is of another schedule
    bool is_scrolled_ = false;
    QString problem_; ///< why there are no costs
    NewestAnswer<Result<CodeCosts>> answers_{this};
};

} // namespace sparsight
