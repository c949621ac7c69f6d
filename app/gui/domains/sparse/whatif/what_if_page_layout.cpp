#include "gui/domains/sparse/whatif/what_if_page.h"

#include "gui/domains/sparse/schedules/schedule_words.h"
#include "gui/domains/sparse/sparse_settings.h"
#include "gui/domains/sparse/whatif/machine_sliders.h"
#include "gui/domains/sparse/whatif/subject_choice.h"
#include "gui/domains/sparse/whatif/what_if_drawing.h"
#include "gui/domains/sparse/whatif/winner_view.h"
#include "gui/icons/icon.h"
#include "gui/selection/selection.h"
#include "gui/workspace/recording_note.h"
#include "gui/workspace/workspace_session.h"
#include "widgets/chart/plots/stacked_bars.h"
#include "widgets/look/column_scroll.h"
#include "widgets/look/form_layout.h"
#include "widgets/look/page_states.h"
#include "widgets/look/theme.h"

#include <QComboBox>
#include <QDataStream>
#include <QIODevice>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabBar>
#include <QVBoxLayout>
#include <algorithm>
#include <initializer_list>
#include <utility>

namespace sparsight {

void WhatIfPage::build() {
    matrix_ = new MatrixBox(services_, this);
    operator_ = new QComboBox(this);
    dense_ = new QSpinBox(this);
    set_ = new QComboBox(this);
    formula_ = new QComboBox(this);
    headline_ = new QLabel(this);
    reason_ = new QLabel(this);
    empty_ = new EmptyState(this);
    across_ = new QSplitter(Qt::Horizontal, this);
    down_ = new QSplitter(Qt::Vertical, this);
    stack_ = new QStackedWidget(this);
    sides_[0].choice = new MachineChoice(services_.session, {}, this);
    sides_[1].choice = new MachineChoice(services_.session, tr("none"), this);
    keep_font(*headline_, title_font);
    headline_->setWordWrap(true);
    headline_->setTextFormat(Qt::RichText);
    headline_->setObjectName(QStringLiteral("what-if-headline"));
    keep_font(*reason_, caption_font);
    reason_->setWordWrap(true);
    reason_->setForegroundRole(QPalette::PlaceholderText);
    reason_->setObjectName(QStringLiteral("what-if-reason"));
    build_views();
    build_empty();

    auto* const view = new QWidget(this);
    auto* const lines = new QVBoxLayout(view);
    lines->setContentsMargins(0, 0, 0, 0);
    lines->setSpacing(grid_step / 2);
    lines->addWidget(headline_);
    lines->addWidget(reason_);
    if (hot_loops_ != nullptr) {
        lines->addWidget(hot_loops_);
        hot_loops_->hide();
        connect(hot_loops_, &HotLoopLine::hot_loop_requested, this, &WhatIfPage::hot_loop_requested);
    }
    lines->addWidget(new RecordingNote(services_.session, this));
    lines->addWidget(across_, 1);
    stack_->addWidget(view);
    stack_->addWidget(empty_);
    auto* const column = new QVBoxLayout(this);
    column->setContentsMargins(grid_step, grid_step, grid_step, grid_step);
    column->setSpacing(grid_step);
    build_fields(*column);
    column->addWidget(stack_, 1);
    setFocusProxy(sides_[0].bars);
}

void WhatIfPage::build_fields(QVBoxLayout& column) {
    matrix_->setObjectName(QStringLiteral("what-if-matrix"));
    for (const Operator each : {Operator::SpMM, Operator::SpMV, Operator::SDDMM})
        operator_->addItem(operator_text(each), static_cast<int>(each));
    operator_->setObjectName(QStringLiteral("what-if-operator"));
    dense_->setRange(1, 1 << 16);
    dense_->setValue(SparseSettings(services_.settings).dense_extent.get());
    dense_->setKeyboardTracking(false);
    dense_->setObjectName(QStringLiteral("what-if-dense"));
    for (const int count : {20, 50, 100})
        set_->addItem(tr("%1 varied schedules").arg(count), count);
    set_->addItem(tr("All schedules with a time"), 0);
    set_->setObjectName(QStringLiteral("what-if-set"));
    formula_->addItem(tr("Mechanistic"), static_cast<int>(WhatIfFormula::Mechanistic));
    formula_->addItem(tr("Paper's formula"), static_cast<int>(WhatIfFormula::Paper));
    formula_->setObjectName(QStringLiteral("what-if-formula"));
    sides_[0].choice->setObjectName(QStringLiteral("what-if-machine"));
    sides_[1].choice->setObjectName(QStringLiteral("what-if-second-machine"));

    const int height = std::max(operator_->sizeHint().height(), dense_->sizeHint().height());
    for (QWidget* const field : std::initializer_list<QWidget*>{matrix_, operator_, dense_, set_, formula_,
                                                                sides_[0].choice, sides_[1].choice})
        field->setMinimumHeight(height);
    FieldRow row(column);
    row.add(tr("Matri&x"), matrix_, {});
    row.add(tr("&Operator"), operator_, tr("What is computed with the matrix"));
    row.add(tr("Columns of the &dense matrix"), dense_, dense_columns_tip());
    row.add(tr("&Schedules"), set_,
            tr("Varied: fixed CSR, the fastest by their times, and of many drawn ones those that win on some "
               "machine. All with a time: those that the machine has a time of, where it has any"));
    row.add(
        tr("Form&ula"), formula_,
        tr("Mechanistic: a sum of parts that follow different numbers of the machine. The paper's formula "
           "multiplies recorded times by one factor. A model expects other times than the simulation"));
    row.add(tr("&Machine"), sides_[0].choice, {});
    row.add(tr("Com&pare with"), sides_[1].choice, {});
    sides_[0].choice->set_explanation(
        tr("The simulated machine: one of this workspace, or one with a data sheet"));
    sides_[1].choice->set_explanation(tr("A second machine to compare with"));
}

void WhatIfPage::build_views() {
    which_ = new QTabBar(this);
    which_->addTab(tr("Machine"));
    which_->addTab(tr("Compared machine"));
    which_->setObjectName(QStringLiteral("what-if-which"));
    which_->setAccessibleName(tr("The machine whose numbers are shown"));
    which_->hide();
    sliders_ = new MachineSliders(this);
    sliders_scroll_ = new QScrollArea(this);
    sliders_scroll_->setWidget(sliders_);
    sliders_scroll_->setWidgetResizable(true);
    sliders_scroll_->setFrameShape(QFrame::NoFrame);
    sliders_scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    sliders_->installEventFilter(this);
    auto* const left = new QWidget(this);
    auto* const left_lines = new QVBoxLayout(left);
    left_lines->setContentsMargins(0, 0, 0, 0);
    left_lines->addWidget(which_);
    left_lines->addWidget(sliders_scroll_, 1);

    auto* const rankings = new QSplitter(Qt::Horizontal, this);
    rankings->setChildrenCollapsible(false);
    for (Side& side : sides_) {
        side.learned = new LearnedTimes(learner_, this);
        side.bars = new StackedBars(this);
        rankings->addWidget(side.bars);
    }
    sides_[0].bars->setObjectName(QStringLiteral("what-if-bars"));
    sides_[1].bars->setObjectName(QStringLiteral("what-if-second-bars"));
    sides_[1].bars->hide();
    winners_ = new WinnerView(this);
    // Below this, rankings and map scroll. A window of 800 pixels has room for both beside a lesson.
    rankings->setMinimumHeight(26 * grid_step);
    winners_->setMinimumHeight(29 * grid_step);
    down_->addWidget(rankings);
    down_->addWidget(winners_);
    down_->setChildrenCollapsible(false);
    down_->setSizes({330, 260});
    across_->addWidget(left);
    across_->addWidget(new ColumnScroll(down_, this));
    across_->setChildrenCollapsible(false);
    across_->setSizes({260, 640});
    across_->setStretchFactor(0, 0);
    across_->setStretchFactor(1, 1);
}

/// The column of sliders scrolls downwards only: it is no narrower than their names are, and in type of
/// another size as wide as they like to be.
bool WhatIfPage::eventFilter(QObject* watched, QEvent* event) {
    if (watched == sliders_ && event->type() == QEvent::LayoutRequest) {
        // In usual type no name is cut off, however narrow the window is; in large type it may be.
        const int bar = sliders_scroll_->verticalScrollBar()->sizeHint().width();
        const int usual = std::min(sliders_->sizeHint().width() + bar + 2, 40 * grid_step);
        sliders_scroll_->setMinimumWidth(std::max(sliders_->minimumSizeHint().width(), usual));
        const int letter = QFontMetrics(caption_font()).height();
        if (across_->isVisible() && std::exchange(letter_height_, letter) != letter) {
            const int all = across_->width();
            const int wanted = std::min(sliders_->sizeHint().width() + 2, all * 2 / 5);
            across_->setSizes({wanted, all - wanted});
        }
    }
    return Page::eventFilter(watched, event);
}

/// The schedules that a lesson has brought along can be left like others, and not be chosen again.
void WhatIfPage::offer_listed() {
    const QSignalBlocker quiet(set_);
    const int place = set_->findData(listed_set);
    if (listed_.empty() && place >= 0) {
        if (set_->currentIndex() == place)
            set_->setCurrentIndex(0);
        set_->removeItem(place);
    }
    if (!listed_.empty() && place < 0)
        set_->addItem(tr("Those of the lesson"), listed_set);
    if (!listed_.empty())
        set_->setCurrentIndex(set_->findData(listed_set));
}

void WhatIfPage::build_empty() {
    empty_->set_icon(icon(QStringLiteral("what-if")));
    go_choosing_ = empty_->add_button(tr("&Choose a matrix"), icon_on_accent(QStringLiteral("matrices")));
    go_choosing_->setObjectName(QStringLiteral("what-if-go-choosing"));
    connect(go_choosing_, &QPushButton::clicked, this,
            [this] { services_.selection.select_page(QStringLiteral("matrices")); });
}

/// What to do next.
void WhatIfPage::show_empty() {
    const bool has_study = study_.study() != nullptr;
    stack_->setCurrentWidget(has_study ? stack_->widget(0) : static_cast<QWidget*>(empty_));
    if (has_study)
        return;
    const bool has_matrix = !study_.subject().matrix.isEmpty();
    const QString selected = services_.selection.current().workload;
    const bool is_known_by_name = !has_matrix && services_.session.workload(selected) != nullptr;
    go_choosing_->setVisible(!has_matrix);
    go_choosing_->setText(is_known_by_name ? tr("&Choose another matrix") : tr("&Choose a matrix"));
    if (is_known_by_name) {
        empty_->set_title(tr("The entries of %1 are not known").arg(selected));
        empty_->set_text(
            tr("This workspace has only its name and times that were imported for it. Import its file "
               "(%1.mtx or alike) with Import Matrices… at the top: then its schedules are ranked here. Or "
               "choose a matrix whose entries are known.")
                .arg(selected));
    } else if (!has_matrix) {
        empty_->set_title(tr("No matrix is selected"));
        empty_->set_text(tr("Select a matrix whose entries are known. This page ranks its schedules on a "
                            "simulated machine, and you change the machine’s numbers."));
    } else if (study_.is_busy()) {
        empty_->set_title(tr("Counting on %1").arg(study_.subject().matrix));
        empty_->set_text(
            tr("What each schedule stores, walks and fetches is counted once; then any machine is "
               "simulated at once."));
    } else {
        empty_->set_title(tr("Nothing to rank on %1").arg(study_.subject().matrix));
        empty_->set_text(tr("Choose other schedules above."));
    }
}

namespace {

constexpr qint32 layout_version = 2; // in the first, the rankings and the map could stand side by side

} // namespace

QByteArray WhatIfPage::layout_state() const {
    QByteArray bytes;
    QDataStream stream(&bytes, QIODevice::WriteOnly);
    stream << layout_version << across_->saveState() << down_->saveState();
    return bytes;
}

void WhatIfPage::restore_layout(const QByteArray& layout) {
    QDataStream stream(layout);
    qint32 version = 0;
    QByteArray across;
    QByteArray down;
    stream >> version >> across >> down;
    if (stream.status() != QDataStream::Ok || version != layout_version)
        return;
    across_->restoreState(across);
    down_->restoreState(down);
}

} // namespace sparsight
