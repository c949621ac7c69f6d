#include "widgets/schedule/code/schedule_comparison.h"

#include "widgets/look/theme.h"
#include "widgets/schedule/code/code_view.h"
#include "widgets/schedule/storage/coordinate_tree_view.h"
#include "widgets/schedule/storage/storage_bars.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QScrollBar>
#include <QSplitter>
#include <QStringList>
#include <QTabWidget>
#include <QTextBlock>
#include <QToolButton>
#include <QVBoxLayout>

namespace sparsight {

namespace {

void scroll_together(QScrollBar* one, QScrollBar* other) {
    QObject::connect(one, &QScrollBar::valueChanged, other, &QScrollBar::setValue);
    QObject::connect(other, &QScrollBar::valueChanged, one, &QScrollBar::setValue);
}

FacingLine facing(const QStringList& texts, const std::optional<int>& line, bool differs,
                  const std::vector<TextRange>& marks) {
    if (!line)
        return {{}, 0, differs, {}};
    return {texts[*line], *line + 1, differs, marks};
}

} // namespace

CodeComparison::CodeComparison(QWidget* parent)
    : QWidget(parent)
    , left_(new CodeView(this))
    , right_(new CodeView(this)) {
    left_->setAccessibleName(tr("Code of the first schedule"));
    right_->setAccessibleName(tr("Code of the second schedule"));
    auto* const row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(grid_step);
    for (CodeView* const view : {left_, right_}) {
        row->addWidget(view, 1);
        view->setVerticalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    }
    scroll_together(left_->verticalScrollBar(), right_->verticalScrollBar());
    scroll_together(left_->horizontalScrollBar(), right_->horizontalScrollBar());
    setFocusProxy(left_);
}

void CodeComparison::set_codes(const QString& left, const QString& right) {
    const QStringList left_texts = left.split(u'\n');
    const QStringList right_texts = right.split(u'\n');
    std::vector<FacingLine> left_lines;
    std::vector<FacingLine> right_lines;
    differing_.clear();
    shown_ = -1;
    for (const AlignedLine& line : align_lines(left, right)) {
        if (line.differs)
            differing_.push_back(static_cast<int>(left_lines.size()));
        left_lines.push_back(facing(left_texts, line.left, line.differs, line.left_marks));
        right_lines.push_back(facing(right_texts, line.right, line.differs, line.right_marks));
    }
    left_->set_facing_lines(left, std::move(left_lines));
    right_->set_facing_lines(right, std::move(right_lines));
}

void CodeComparison::set_empty_text(const QString& text) {
    left_->set_empty_text(text);
}

/// Neighbouring lines form one difference.
void CodeComparison::go_to_difference(int step) {
    std::vector<int> places;
    for (std::size_t at = 0; at < differing_.size(); ++at)
        if (at == 0 || differing_[at] != differing_[at - 1] + 1)
            places.push_back(differing_[at]);
    if (places.empty())
        return;
    const int count = static_cast<int>(places.size());
    shown_ = shown_ < 0 ? (step > 0 ? 0 : count - 1) : (shown_ + step + count) % count;
    for (CodeView* const view : {left_, right_}) {
        view->setTextCursor(
            QTextCursor(view->document()->findBlockByNumber(places[static_cast<std::size_t>(shown_)])));
        view->centerCursor();
    }
}

void CodeComparison::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_F8)
        go_to_difference(event->modifiers() & Qt::ShiftModifier ? -1 : 1);
    else
        QWidget::keyPressEvent(event);
}

ScheduleComparison::ScheduleComparison(QWidget* parent)
    : QWidget(parent)
    , tabs_(new QTabWidget(this))
    , code_(new CodeComparison(this))
    , difference_(new QLabel(this))
    , bars_(new StorageBars(this)) {
    auto* const column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(grid_step);
    build_heads();
    auto* const nests = new QWidget(this);
    auto* const nest_column = new QVBoxLayout(nests);
    nest_column->setContentsMargins(0, 0, 0, 0);
    nest_column->setSpacing(0);
    auto* const line = new QHBoxLayout;
    line->addWidget(difference_, 1);
    for (const auto& [text, tip, step] :
         {std::tuple{tr("Previous"), tr("The place before that differs (Shift+F8)"), -1},
          std::tuple{tr("Next"), tr("The next place that differs (F8)"), 1}}) {
        auto* const button = new QToolButton(this);
        button->setText(text);
        button->setToolTip(tip);
        button->setAutoRaise(true);
        connect(button, &QToolButton::clicked, this, [this, step] { code_->go_to_difference(step); });
        line->addWidget(button);
    }
    keep_font(*difference_, caption_font);
    difference_->setForegroundRole(QPalette::PlaceholderText);
    difference_->setContentsMargins(grid_step, 0, 0, 0);
    nest_column->addLayout(line);
    nest_column->addWidget(code_, 1);
    tabs_->setDocumentMode(true);
    add_tab(nests, tr("&Loop nests"), tr("What runs, as C; what differs is marked"));
    add_tab(make_storage(), tr("&Storage"),
            tr("The levels of both formats on a small part of the matrix, and their bytes"));
    column->addWidget(tabs_, 1);
    show_pair({}, {});
}

void ScheduleComparison::build_heads() {
    auto* const grid = new QGridLayout;
    grid->setContentsMargins(grid_step, 0, grid_step, 0);
    grid->setHorizontalSpacing(2 * grid_step);
    grid->setVerticalSpacing(grid_step / 2);
    for (int side = 0; side < 2; ++side) {
        Head& head = heads_[static_cast<std::size_t>(side)];
        head = {new QLabel(this), new QLabel(this), new QLabel(this)};
        keep_font(*head.title, title_font);
        head.title->setTextFormat(Qt::PlainText);
        head.title->setWordWrap(true);
        head.time->setTextInteractionFlags(Qt::TextSelectableByMouse);
        head.meaning->setWordWrap(true);
        head.meaning->setTextFormat(Qt::PlainText);
        head.meaning->setForegroundRole(QPalette::PlaceholderText);
        head.meaning->setTextInteractionFlags(Qt::TextSelectableByMouse);
        head.meaning->setAlignment(Qt::AlignTop);
        auto* const line = new QHBoxLayout;
        line->addWidget(head.title, 1);
        line->addWidget(head.time);
        grid->addLayout(line, 0, side);
        grid->addWidget(head.meaning, 1, side);
        grid->setColumnStretch(side, 1);
    }
    heads_[0].title->setObjectName(QStringLiteral("compared-left"));
    heads_[1].title->setObjectName(QStringLiteral("compared-right"));
    heads_[0].time->setObjectName(QStringLiteral("compared-left-time"));
    heads_[1].time->setObjectName(QStringLiteral("compared-right-time"));
    static_cast<QVBoxLayout*>(layout())->addLayout(grid);
}

QWidget* ScheduleComparison::make_storage() {
    auto* const splitter = new QSplitter(Qt::Vertical, this);
    auto* const both = new QWidget(splitter);
    auto* const grid = new QGridLayout(both);
    grid->setContentsMargins(0, 0, 0, 0);
    for (int side = 0; side < 2; ++side) {
        const auto at = static_cast<std::size_t>(side);
        trees_[at] = new CoordinateTreeView(both);
        problems_[at] = new QLabel(both);
        problems_[at]->setWordWrap(true);
        grid->addWidget(problems_[at], 0, side);
        grid->addWidget(trees_[at], 1, side);
        grid->setColumnStretch(side, 1);
    }
    grid->setRowStretch(1, 1);
    splitter->addWidget(both);
    splitter->addWidget(bars_);
    splitter->setStretchFactor(0, 1);
    splitter->setChildrenCollapsible(false);
    return splitter;
}

void ScheduleComparison::add_tab(QWidget* tab, const QString& title, const QString& tooltip) {
    tabs_->setTabToolTip(tabs_->addTab(tab, title), tooltip);
}

void ScheduleComparison::set_empty_text(const QString& text) {
    code_->set_empty_text(text);
    bars_->set_empty_text(text);
    for (CoordinateTreeView* const tree : trees_)
        tree->set_empty_text(text);
}

void ScheduleComparison::show_pair(const ComparedSchedule& left, const ComparedSchedule& right) {
    const std::array sides{&left, &right};
    for (std::size_t side = 0; side < sides.size(); ++side) {
        const ComparedSchedule& shown = *sides[side];
        heads_[side].title->setText(shown.title);
        heads_[side].time->setText(shown.time);
        heads_[side].meaning->setText(shown.meaning);
        trees_[side]->set_picture(shown.tree);
        problems_[side]->setText(shown.storage_problem);
        problems_[side]->setVisible(!shown.storage_problem.isEmpty());
    }
    std::vector<StorageBar> bars;
    for (const ComparedSchedule* const shown : sides)
        if (!shown->storage.segments.empty())
            bars.push_back(shown->storage);
    bars_->set_bars(bars, 0); // the left schedule is the reference
    code_->set_codes(left.code, right.code);
    show_difference_count();
}

void ScheduleComparison::show_difference_count() {
    const int count = code_->differing_lines();
    difference_->setText(count == 0   ? tr("Both loop nests are the same.")
                         : count == 1 ? tr("1 line differs")
                                      : tr("%1 lines differ").arg(count));
}

} // namespace sparsight
