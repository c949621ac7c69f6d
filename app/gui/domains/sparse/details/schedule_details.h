// The selected schedule on the selected matrix: its loop nest as C, how its levels store the matrix, what
// that costs, where its tiles lie, and an editor to try another one.
#pragma once

#include "domains/sparse/schedule/super_schedule.h"
#include "gui/domains/sparse/comparison/schedule_picture.h"
#include "gui/domains/sparse/matrices/loaded_matrix.h"
#include "gui/workspace/background_work.h"

#include <QWidget>
#include <memory>
#include <optional>

class QLabel;
class QTabWidget;

namespace sparsight {

class CoordinateTreeView;
class CostedCode;
struct CostSetting;
class ScheduleEditor;
class SparsityPlot;
class StorageBars;

class ScheduleDetails : public QWidget {
    Q_OBJECT

public:
    explicit ScheduleDetails(QWidget* parent = nullptr);

    /// No schedule or no matrix: says what to do.
    void show(const std::optional<SuperSchedule>& schedule, std::shared_ptr<const MatrixAnalysis> matrix,
              std::int64_t dense);
    /// Where the costs of the code are simulated.
    void set_cost_setting(CostSetting setting);
    /// Why measuring is not possible now; empty when it is.
    void set_measure_refusal(const QString& reason);
    /// Whether the editor holds a draft that differs from the schedule it started from.
    [[nodiscard]] bool is_edited() const;
    [[nodiscard]] bool is_settled() const;
    [[nodiscard]] QTabWidget& tabs() { return *tabs_; }

Q_SIGNALS:
    void measure_requested(const QString& schedule);
    /// Wants the room of what stands beside it, or gives it back.
    void widened(bool wide);

private:
    void build_storage();
    void build_widening();
    void show_meaning();
    void show_guides();
    void show_first_tiles(std::int64_t rows, std::int64_t columns);
    void compute();
    void show_picture(const SchedulePicture& picture);

    QLabel* meaning_;
    QTabWidget* tabs_;
    CostedCode* code_;
    QWidget* storage_;
    CoordinateTreeView* tree_;
    StorageBars* bars_;
    QLabel* problem_;
    SparsityPlot* plot_;
    ScheduleEditor* editor_;
    std::optional<SuperSchedule> schedule_;
    std::shared_ptr<const MatrixAnalysis> matrix_;
    std::int64_t dense_ = 1;
    NewestAnswer<SchedulePicture> pictures_{this};
};

} // namespace sparsight
