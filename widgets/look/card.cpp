#include "widgets/look/card.h"

#include "widgets/look/labels.h"
#include "widgets/look/style.h"
#include "widgets/look/theme.h"

#include <QAction>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QToolButton>
#include <QVBoxLayout>

namespace sparsight {

Card::Card(const QString& title, QWidget* parent)
    : QFrame(parent)
    , header_(new QWidget(this))
    , title_(new QLabel(title, header_))
    , subtitle_(new ElidedLabel(header_))
    , tools_(new QHBoxLayout)
    , body_(new QVBoxLayout) {
    auto* const line = new QHBoxLayout(header_);
    line->setContentsMargins(2 * grid_step, grid_step, grid_step, 0);
    line->addWidget(title_);
    line->addWidget(subtitle_, 1);
    tools_->setSpacing(grid_step / 2);
    line->addLayout(tools_);
    subtitle_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);

    auto* const column = new QVBoxLayout(this);
    column->setContentsMargins(1, 1, 1, 1);
    column->setSpacing(0);
    column->addWidget(header_);
    column->addLayout(body_, 1);
    set_content_margins(2 * grid_step);
    setAccessibleName(title);
    dress();
    show_header();
}

void Card::set_title(const QString& title) {
    title_->setText(title);
    setAccessibleName(title);
    show_header();
}

void Card::set_subtitle(const QString& subtitle) {
    subtitle_->setText(subtitle);
    subtitle_->setToolTip(subtitle);
    show_header();
}

void Card::set_content(QWidget* content) {
    delete content_;
    content_ = content;
    if (content_ != nullptr)
        body_->addWidget(content_);
}

void Card::set_content_margins(int margin) {
    body_->setContentsMargins(margin, margin == 0 ? grid_step / 2 : std::min(margin, grid_step), margin,
                              margin);
}

QToolButton* Card::add_tool(QAction* action) {
    auto* const button = new QToolButton(header_);
    button->setAutoRaise(true);
    button->setDefaultAction(action);
    button->setFocusPolicy(Qt::TabFocus);
    add_tool_widget(button);
    return button;
}

void Card::add_tool_widget(QWidget* widget) {
    tools_->addWidget(widget);
    show_header();
}

void Card::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    const Theme& theme = current_theme();
    paint_rounded(painter, rect(), theme.surface, theme.border, grid_step);
}

void Card::changeEvent(QEvent* event) {
    QFrame::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange ||
        event->type() == QEvent::ApplicationFontChange)
        dress();
}

void Card::show_header() {
    header_->setVisible(!title_->text().isEmpty() || !subtitle_->text().isEmpty() || tools_->count() > 0);
}

void Card::dress() {
    title_->setFont(title_font());
    subtitle_->setFont(caption_font());
    subtitle_->setForegroundRole(QPalette::PlaceholderText);
}

} // namespace sparsight
