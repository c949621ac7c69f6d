#include "widgets/schedule/code_comparison.h"

#include "widgets/look/theme.h"
#include "widgets/schedule/code_view.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QScrollBar>
#include <QStringList>
#include <QTextBlock>

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

/// Neighbouring lines are one place.
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

} // namespace sparsight
