#include "widgets/look/empty_state.h"

#include "widgets/look/style.h"
#include "widgets/look/theme.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace sparsight {

EmptyState::EmptyState(QWidget* parent)
    : EmptyState(QIcon(), {}, {}, parent) {}

EmptyState::EmptyState(const QIcon& icon, const QString& title, const QString& text, QWidget* parent)
    : QWidget(parent)
    , symbol_(icon)
    , picture_(new QLabel(this))
    , title_(new QLabel(title, this))
    , text_(new QLabel(text, this))
    , buttons_(new QHBoxLayout) {
    title_->setAlignment(Qt::AlignCenter);
    title_->setWordWrap(true);
    text_->setAlignment(Qt::AlignHCenter | Qt::AlignTop);
    text_->setWordWrap(true);
    text_->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    picture_->setAlignment(Qt::AlignCenter);

    // Lines of text that are too long to read comfortably break earlier than the window is wide.
    auto* const text_line = new QHBoxLayout;
    text_line->addStretch(1);
    text_line->addWidget(text_, 6);
    text_line->addStretch(1);
    auto* const button_line = new QHBoxLayout;
    button_line->addStretch(1);
    button_line->addLayout(buttons_);
    button_line->addStretch(1);

    auto* const column = new QVBoxLayout(this);
    column->setSpacing(grid_step);
    column->addStretch(2);
    column->addWidget(picture_);
    column->addSpacing(grid_step);
    column->addWidget(title_);
    column->addLayout(text_line);
    column->addSpacing(grid_step);
    column->addLayout(button_line);
    column->addStretch(3);
    connect(text_, &QLabel::linkActivated, this, &EmptyState::link_activated);
    dress();
}

void EmptyState::set_icon_dimmed(bool dimmed) {
    dimmed_ = dimmed;
    dress();
}

void EmptyState::set_icon(const QIcon& icon) {
    symbol_ = icon;
    dress();
}

void EmptyState::set_title(const QString& title) {
    title_->setText(title);
    dress();
}

void EmptyState::set_text(const QString& text) {
    text_->setText(text);
    dress();
}

QPushButton* EmptyState::add_button(const QString& text, const QIcon& icon) {
    auto* const button = new QPushButton(icon, text, this);
    button->setProperty(primary_property, buttons_->count() == 0);
    buttons_->addWidget(button);
    return button;
}

void EmptyState::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange ||
        event->type() == QEvent::ApplicationFontChange)
        dress();
}

void EmptyState::dress() {
    title_->setFont(title_font());
    text_->setForegroundRole(QPalette::PlaceholderText);
    text_->setMaximumWidth(text_->fontMetrics().averageCharWidth() * 80);
    // The sign stays behind the words.
    picture_->setPixmap(
        symbol_.pixmap(QSize(48, 48), devicePixelRatioF(), dimmed_ ? QIcon::Disabled : QIcon::Normal));
    picture_->setHidden(symbol_.isNull());
    title_->setHidden(title_->text().isEmpty());
    text_->setHidden(text_->text().isEmpty());
}

} // namespace sparsight
