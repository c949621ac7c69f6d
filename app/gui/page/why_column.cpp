#include "gui/page/why_column.h"

#include "widgets/look/form_layout.h"
#include "widgets/look/labels.h"
#include "widgets/look/theme.h"

#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

namespace sparsight {

WhyColumn::WhyColumn(QWidget* parent)
    : QScrollArea(parent)
    , sentence_(new QLabel(this))
    , setting_(new QLabel(this))
    , basis_(new Chip({}, this))
    , line_(new FlowLayout)
    , steps_(new QVBoxLayout)
    , method_(new QLabel(this)) {
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    for (QLabel* const label : {sentence_, setting_, method_}) {
        label->setWordWrap(true);
        label->setTextFormat(Qt::PlainText);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    for (QLabel* const label : {setting_, method_}) {
        keep_font(*label, caption_font);
        label->setForegroundRole(QPalette::PlaceholderText);
    }
    sentence_->setObjectName(QStringLiteral("why-sentence"));
    setting_->setObjectName(QStringLiteral("why-setting"));
    method_->setObjectName(QStringLiteral("why-method"));
    basis_->setObjectName(QStringLiteral("why-basis"));
    auto* const inside = new QWidget(this);
    auto* const column = new QVBoxLayout(inside);
    column->setContentsMargins(grid_step / 2, grid_step, grid_step / 2, grid_step / 2);
    column->setSpacing(grid_step);
    line_->setSpacing(grid_step);
    line_->set_level();
    line_->addWidget(basis_);
    steps_->setSpacing(grid_step);
    column->addWidget(sentence_);
    column->addWidget(setting_);
    column->addLayout(line_);
    column->addLayout(steps_);
    column->addWidget(method_);
    column->addStretch(1);
    setWidget(inside);
}

void WhyColumn::show_sentence(const QString& sentence) {
    sentence_->setText(sentence);
}

void WhyColumn::show_setting(const QString& setting) {
    setting_->setText(setting);
    setting_->setVisible(!setting.isEmpty());
}

void WhyColumn::show_basis(const QString& basis, bool is_hatched) {
    basis_->setText(basis);
    basis_->set_hatched(is_hatched);
    basis_->setVisible(!basis.isEmpty());
}

void WhyColumn::show_method(const QString& method) {
    method_->setText(method);
    method_->setVisible(!method.isEmpty());
}

void WhyColumn::add_to_line(QWidget* widget) {
    line_->addWidget(widget);
}

void WhyColumn::add_steps(QWidget* widget) {
    const bool is_button = qobject_cast<QToolButton*>(widget) != nullptr; // no wider than its text
    steps_->addWidget(widget, 0, is_button ? Qt::AlignLeft : Qt::Alignment());
}

} // namespace sparsight
