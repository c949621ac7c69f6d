#include "gui/domains/sparse/details/schedule_details.h"

#include "domains/sparse/kernel/storage/coordinate_tree.h"
#include "domains/sparse/schedule/text.h"
#include "gui/domains/sparse/details/costed_code.h"
#include "gui/domains/sparse/details/schedule_draft_bridge.h"
#include "gui/domains/sparse/matrices/loaded_matrix.h"
#include "widgets/look/theme.h"
#include "widgets/plot/sparsity_plot.h"
#include "widgets/schedule/editor/schedule_editor.h"
#include "widgets/schedule/storage/coordinate_tree_view.h"
#include "widgets/schedule/storage/storage_bars.h"

#include <QLabel>
#include <QSplitter>
#include <QTabWidget>
#include <QToolButton>
#include <QVBoxLayout>

namespace sparsight {

namespace {

constexpr std::int64_t tiles_in_view = 12;

} // namespace

ScheduleDetails::ScheduleDetails(QWidget* parent)
    : QWidget(parent)
    , meaning_(new QLabel(this))
    , tabs_(new QTabWidget(this))
    , code_(new CostedCode(this))
    , storage_(new QWidget(this))
    , tree_(new CoordinateTreeView(this))
    , bars_(new StorageBars(this))
    , problem_(new QLabel(this))
    , plot_(new SparsityPlot(this))
    , editor_(new ScheduleEditor(schedule_knowledge(), this)) {
    meaning_->setWordWrap(true);
    meaning_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    meaning_->setMargin(grid_step / 2);
    meaning_->setObjectName(QStringLiteral("schedule-meaning"));
    const QString what_to_do = tr("Select a schedule in the table, or measure some.");
    code_->set_empty_text(what_to_do);
    tree_->set_empty_text(what_to_do);
    bars_->set_empty_text(what_to_do);
    plot_->set_hint(what_to_do);
    build_storage();
    tabs_->setDocumentMode(true);
    tabs_->addTab(code_, tr("&Loop nest"));
    tabs_->addTab(storage_, tr("&Storage"));
    tabs_->addTab(plot_, tr("&Tiles"));
    tabs_->addTab(editor_, tr("&Edit"));
    tabs_->setTabToolTip(0, tr("What runs, as C, with what each line costs"));
    tabs_->setTabToolTip(1, tr("The levels of the format on a small part of the matrix, and their bytes"));
    tabs_->setTabToolTip(2, tr("The pattern with the blocks of this schedule’s splits"));
    tabs_->setTabToolTip(3, tr("Change a decision and measure it"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(grid_step / 2);
    column->addWidget(meaning_);
    column->addWidget(tabs_, 1);
    build_widening();
    connect(tabs_, &QTabWidget::currentChanged, this, &ScheduleDetails::show_meaning);
    connect(editor_, &ScheduleEditor::draft_changed, this, &ScheduleDetails::show_meaning);
    connect(editor_, &ScheduleEditor::measure_requested, this, [this](const ScheduleDraft& draft) {
        if (const auto schedule = valid_schedule(draft))
            Q_EMIT measure_requested(QString::fromStdString(to_text(*schedule)));
    });
    show(std::nullopt, nullptr, 1);
}

void ScheduleDetails::build_storage() {
    problem_->setWordWrap(true);
    problem_->setVisible(false);
    auto* column = new QVBoxLayout(storage_);
    column->setContentsMargins(0, 0, 0, 0);
    auto* splitter = new QSplitter(Qt::Vertical, storage_);
    splitter->addWidget(tree_);
    splitter->addWidget(bars_);
    splitter->setStretchFactor(0, 1);
    splitter->setChildrenCollapsible(false);
    column->addWidget(problem_);
    column->addWidget(splitter, 1);
}

void ScheduleDetails::show(const std::optional<SuperSchedule>& schedule,
                           std::shared_ptr<const MatrixAnalysis> matrix, std::int64_t dense) {
    const bool is_other_matrix = matrix != matrix_;
    const bool has_other_extents = is_other_matrix || dense != dense_;
    if (!has_other_extents && schedule == schedule_ && schedule)
        return;
    schedule_ = schedule;
    matrix_ = std::move(matrix);
    dense_ = dense;
    if (is_other_matrix)
        plot_->set_source(matrix_ ? std::make_shared<PyramidSource>(matrix_->pyramid) : nullptr);
    if (matrix_)
        plot_->set_title(matrix_->name);
    show_guides();
    code_->show(schedule_, matrix_ ? matrix_->pattern : nullptr, matrix_ ? matrix_->name : QString(), dense_);
    if (!schedule_)
        editor_->set_schedule({});
    if (!schedule_ || !matrix_) {
        pictures_.cancel();
        show_picture({});
        show_meaning();
        return;
    }
    // The draft itself, once it is measured, goes on with its history.
    const auto drafted = valid_schedule(editor_->draft());
    if (has_other_extents || !drafted || *drafted != canonical(*schedule_)) {
        const Extents extents =
            sparsight::extents(schedule_->op, matrix_->pattern->rows, matrix_->pattern->cols, dense_);
        editor_->set_schedule(draft_of(*schedule_, extents));
    } else {
        editor_->keep_draft();
    }
    show_meaning();
    compute();
}

/// Of what is looked at, which above the editor is the draft.
void ScheduleDetails::show_meaning() {
    QString meaning = schedule_ ? QString::fromStdString(describe(*schedule_)) : QString();
    if (tabs_->currentWidget() == editor_ && editor_->is_edited()) {
        const auto drafted = valid_schedule(editor_->draft());
        meaning = drafted ? tr("Your draft: %1").arg(QString::fromStdString(describe(*drafted)))
                          : tr("Your draft is no valid schedule; the reason stands at its end.");
    }
    meaning_->setText(meaning);
    meaning_->setVisible(!meaning.isEmpty());
}

/// Lines of C and trees are wider than a part of a small window.
void ScheduleDetails::build_widening() {
    auto* widen = new QToolButton(this);
    widen->setObjectName(QStringLiteral("widen-details"));
    widen->setText(tr("Wide"));
    widen->setCheckable(true);
    widen->setAutoRaise(true);
    widen->setToolTip(tr("Gives the code, the tree and the plot the whole page; again: back to the ranking"));
    connect(widen, &QToolButton::toggled, this, &ScheduleDetails::widened);
    tabs_->setCornerWidget(widen);
}

void ScheduleDetails::set_cost_setting(CostSetting setting) {
    code_->set_setting(std::move(setting));
}

void ScheduleDetails::set_measure_refusal(const QString& reason) {
    editor_->set_measuring_blocked(reason);
}

void ScheduleDetails::show_guides() {
    if (!schedule_) {
        plot_->set_tile_guides(0, 0);
        plot_->set_note({});
        return;
    }
    const std::int64_t rows = schedule_->split(row_index(schedule_->op));
    const std::int64_t columns = schedule_->split(column_index(schedule_->op));
    plot_->set_tile_guides(rows > 1 ? rows : 0, columns > 1 ? columns : 0);
    plot_->set_note(std::max(rows, columns) > 1 ? QString()
                                                : tr("No tiles: neither rows nor columns are split."));
    if (matrix_ && std::max(rows, columns) > 1)
        show_first_tiles(rows, columns);
}

/// On the whole matrix tiles are too small to be seen; Home shows it.
void ScheduleDetails::show_first_tiles(std::int64_t rows, std::int64_t columns) {
    const CsrPattern& pattern = *matrix_->pattern;
    const StorageFormat format = storage_format(*schedule_, pattern.rows, pattern.cols);
    const std::int64_t side = tiles_in_view * std::max(rows, columns);
    const MatrixWindow first = first_window(pattern, format, 1, 1);
    const std::int64_t top = first.row / rows * rows;
    const std::int64_t left = first.column / columns * columns;
    plot_->show_area({top, std::min(top + side, pattern.rows), left, std::min(left + side, pattern.cols)});
}

void ScheduleDetails::compute() {
    pictures_.ask([schedule = *schedule_, pattern = matrix_->pattern,
                   dense = dense_](const std::stop_token&) { return picture_of(schedule, *pattern, dense); },
                  [this](const SchedulePicture& picture, bool is_newest) {
                      if (is_newest)
                          show_picture(picture);
                  });
}

void ScheduleDetails::show_picture(const SchedulePicture& picture) {
    code_->set_plain_code(picture.code);
    tree_->set_picture(picture.tree);
    bars_->set_bars(picture.storage);
    problem_->setText(picture.storage_problem);
    problem_->setVisible(!picture.storage_problem.isEmpty());
}

bool ScheduleDetails::is_edited() const {
    return editor_->is_edited();
}

bool ScheduleDetails::is_settled() const {
    return !pictures_.is_busy() && code_->is_settled() &&
           (!matrix_ || tabs_->currentWidget() != plot_ || plot_->picture_is_current());
}

} // namespace sparsight
