#include "widgets/look/form_layout.h"

#include "widgets/look/theme.h"

#include <QFormLayout>
#include <QLabel>
#include <QVBoxLayout>
#include <algorithm>

namespace sparsight {

FlowLayout::FlowLayout(QWidget* parent)
    : QLayout(parent) {
    setContentsMargins(0, 0, 0, 0);
    setSpacing(grid_step);
}

FlowLayout::~FlowLayout() = default;

void FlowLayout::begin_end() {
    end_ = items_.size();
}

void FlowLayout::addItem(QLayoutItem* item) {
    items_.emplace_back(item);
}

QLayoutItem* FlowLayout::itemAt(int index) const {
    return index >= 0 && index < count() ? items_[static_cast<std::size_t>(index)].get() : nullptr;
}

QLayoutItem* FlowLayout::takeAt(int index) {
    if (itemAt(index) == nullptr)
        return nullptr;
    const auto place = static_cast<std::size_t>(index);
    if (end_ != static_cast<std::size_t>(-1) && place < end_)
        --end_;
    QLayoutItem* const taken = items_[place].release();
    items_.erase(items_.begin() + index);
    return taken;
}

std::vector<QRect> FlowLayout::places(const QRect& room) const {
    std::vector<QRect> places(items_.size());
    int x = room.left();
    int y = room.top();
    std::size_t line_begin = 0;
    const auto end_line = [&](std::size_t line_end) {
        int height = 0;
        for (std::size_t at = line_begin; at < line_end; ++at)
            height = std::max(height, places[at].height());
        for (std::size_t at = line_begin; at < line_end; ++at)
            if (!places[at].isEmpty()) { // captions above fields: the fields line up at the bottom
                const int above = height - places[at].height();
                places[at].moveTop(y + (is_level_ ? above / 2 : above));
                if (is_centred_)
                    places[at].translate(std::max(0, (room.right() + 1 - (x - spacing())) / 2), 0);
            }
        y += height + spacing();
        x = room.left();
        line_begin = line_end;
    };
    for (std::size_t at = 0; at < items_.size(); ++at) {
        if (items_[at]->isEmpty())
            continue;
        const QSize size = items_[at]->sizeHint().boundedTo({room.width(), QLAYOUTSIZE_MAX});
        if (x > room.left() && x + size.width() > room.right() + 1)
            end_line(at);
        places[at] = QRect(QPoint(x, y), size);
        x += size.width() + spacing();
    }
    const int left_over = room.right() + 1 - (x - spacing());
    for (std::size_t at = std::max(end_, line_begin); at < items_.size(); ++at)
        places[at].translate(std::max(0, left_over), 0);
    end_line(items_.size());
    return places;
}

int FlowLayout::heightForWidth(int width) const {
    int bottom = 0;
    for (const QRect& place : places(QRect(0, 0, width, 0)))
        if (!place.isEmpty())
            bottom = std::max(bottom, place.bottom() + 1);
    return bottom;
}

QSize FlowLayout::sizeHint() const {
    QSize sum;
    for (const auto& item : items_) {
        if (item->isEmpty())
            continue;
        const QSize size = item->sizeHint();
        sum = {sum.width() + size.width() + (sum.isEmpty() ? 0 : spacing()),
               std::max(sum.height(), size.height())};
    }
    return sum;
}

QSize FlowLayout::minimumSize() const {
    QSize most;
    for (const auto& item : items_)
        if (!item->isEmpty())
            most = most.expandedTo(item->minimumSize());
    return most;
}

void FlowLayout::setGeometry(const QRect& room) {
    QLayout::setGeometry(room);
    const std::vector<QRect> there = places(room);
    for (std::size_t at = 0; at < items_.size(); ++at)
        if (!there[at].isEmpty())
            items_[at]->setGeometry(there[at]);
}

FieldRow::FieldRow(QVBoxLayout& column)
    : flow_(new FlowLayout) {
    column.addLayout(flow_);
}

QLabel* FieldRow::add(const QString& caption, QWidget* field, const QString& tip) {
    auto* label = new QLabel(caption);
    keep_font(*label, caption_font);
    label->setBuddy(field);
    label->setToolTip(tip);
    field->setToolTip(tip);
    if (field->accessibleName().isEmpty())
        field->setAccessibleName(QString(caption).remove(QLatin1Char('&')));
    auto* both = new QWidget;
    auto* lines = new QVBoxLayout(both);
    lines->setContentsMargins(0, 0, 0, 0);
    lines->setSpacing(2);
    lines->addWidget(label);
    lines->addWidget(field);
    flow_->addWidget(both);
    return label;
}

void FieldRow::add(QWidget* field) {
    flow_->addWidget(field);
}

void FieldRow::begin_end() {
    flow_->begin_end();
}

namespace {

/// The label of a row; nullptr for a row without a label or with an empty one.
QLabel* label_of(const QFormLayout& form, int row) {
    const QLayoutItem* const item = form.itemAt(row, QFormLayout::LabelRole);
    return item == nullptr ? nullptr : qobject_cast<QLabel*>(item->widget());
}

/// Also for a field that is not shown yet.
int field_height(const QFormLayout& form, int row) {
    const QLayoutItem* const item = form.itemAt(row, QFormLayout::FieldRole);
    if (item == nullptr || item->widget() == nullptr)
        return item == nullptr ? 0 : item->sizeHint().height();
    item->widget()->ensurePolished();
    return item->widget()->sizeHint().height();
}

} // namespace

void align_forms(std::initializer_list<QFormLayout*> forms) {
    int width = 0;
    for (const QFormLayout* form : forms)
        for (int row = 0; row < form->rowCount(); ++row)
            if (const QLabel* label = label_of(*form, row))
                width = std::max(width, label->sizeHint().width());
    for (const QFormLayout* form : forms)
        for (int row = 0; row < form->rowCount(); ++row)
            if (QLabel* label = label_of(*form, row)) {
                label->setAlignment(Qt::AlignLeft | Qt::AlignVCenter);
                label->setMinimumSize(width, field_height(*form, row));
            }
}

} // namespace sparsight
