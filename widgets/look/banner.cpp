#include "widgets/look/banner.h"

#include "widgets/look/glyph.h"
#include "widgets/look/style_parts.h"
#include "widgets/look/theme.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>

namespace sparsight {

namespace {

QColor colour_of(Severity severity, const Theme& theme) {
    switch (severity) {
    case Severity::Information:
        return theme.accent;
    case Severity::Warning:
        return theme.warning;
    case Severity::Error:
        return theme.error;
    }
    return theme.accent;
}

Glyph glyph_of(Severity severity) {
    switch (severity) {
    case Severity::Information:
        return Glyph::Information;
    case Severity::Warning:
        return Glyph::Warning;
    case Severity::Error:
        return Glyph::Error;
    }
    return Glyph::Information;
}

} // namespace

Banner::Banner(QWidget* parent)
    : QFrame(parent)
    , symbol_(new QLabel(this))
    , text_(new QLabel(this))
    , action_(new QPushButton(this))
    , close_(new QToolButton(this)) {
    text_->setWordWrap(true);
    text_->setTextInteractionFlags(Qt::TextBrowserInteraction);
    text_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    close_->setAutoRaise(true);
    close_->setIcon(glyph_icon(Glyph::Close));
    close_->setToolTip(tr("Close this message"));
    close_->setAccessibleName(close_->toolTip());

    auto* const line = new QHBoxLayout(this);
    line->setContentsMargins(3 * grid_step / 2, grid_step / 2, grid_step / 2, grid_step / 2);
    line->addWidget(symbol_);
    line->addWidget(text_, 1);
    line->addWidget(action_);
    line->addWidget(close_);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    connect(action_, &QPushButton::clicked, this, &Banner::action_triggered);
    connect(close_, &QToolButton::clicked, this, &Banner::close_message);
    connect(text_, &QLabel::linkActivated, this, &Banner::link_activated);
    hide();
}

void Banner::show_message(Severity severity, const QString& text, const QString& action) {
    severity_ = severity;
    text_->setText(text);
    setAccessibleName(text);
    action_->setText(action);
    action_->setVisible(!action.isEmpty());
    dress();
    show();
}

void Banner::close_message() {
    hide();
    Q_EMIT closed();
}

QString Banner::text() const {
    return text_->text();
}

void Banner::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    const Theme& theme = current_theme();
    const QColor colour = colour_of(severity_, theme);
    paint_rounded(painter, rect(), mixed(theme.surface, colour, 0.1), mixed(theme.surface, colour, 0.45),
                  corner_radius);
}

void Banner::changeEvent(QEvent* event) {
    QFrame::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        dress();
}

void Banner::dress() {
    const int side = fontMetrics().height() + 4;
    symbol_->setPixmap(glyph_icon(glyph_of(severity_), colour_of(severity_, current_theme()))
                           .pixmap(QSize(side, side), devicePixelRatioF()));
    update();
}

} // namespace sparsight
