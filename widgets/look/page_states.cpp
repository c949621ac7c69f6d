#include "widgets/look/page_states.h"

#include "widgets/look/form_layout.h"
#include "widgets/look/glyph.h"
#include "widgets/look/link_label.h"
#include "widgets/look/style.h"
#include "widgets/look/theme.h"

#include <QEvent>
#include <QGraphicsOpacityEffect>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

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
    reach_links_by_keyboard(*text_, true);
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

EmptyState::EmptyState(QWidget* parent)
    : EmptyState(QIcon(), {}, {}, parent) {}

EmptyState::EmptyState(const QIcon& icon, const QString& title, const QString& text, QWidget* parent)
    : QWidget(parent)
    , symbol_(icon)
    , picture_(new QLabel(this))
    , title_(new QLabel(title, this))
    , text_(new QLabel(text, this))
    , buttons_(new FlowLayout) {
    title_->setAlignment(Qt::AlignCenter);
    title_->setWordWrap(true);
    text_->setAlignment(Qt::AlignHCenter | Qt::AlignTop);
    text_->setWordWrap(true);
    reach_links_by_keyboard(*text_);
    picture_->setAlignment(Qt::AlignCenter);

    // Long lines of text wrap at a readable width, even in a wider window.
    auto* const text_line = new QHBoxLayout;
    text_line->addStretch(1);
    text_line->addWidget(text_, 6);
    text_line->addStretch(1);
    buttons_->set_centred();

    auto* const column = new QVBoxLayout(this);
    column->setSpacing(grid_step);
    column->addStretch(2);
    column->addWidget(picture_);
    column->addSpacing(grid_step);
    column->addWidget(title_);
    column->addLayout(text_line);
    column->addSpacing(grid_step);
    column->addLayout(buttons_);
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
    // The icon is less prominent than the text.
    picture_->setPixmap(
        symbol_.pixmap(QSize(48, 48), devicePixelRatioF(), dimmed_ ? QIcon::Disabled : QIcon::Normal));
    picture_->setHidden(symbol_.isNull());
    title_->setHidden(title_->text().isEmpty());
    text_->setHidden(text_->text().isEmpty());
}

namespace {

constexpr double stale_opacity = 0.4;

} // namespace

Staleness::Staleness(std::vector<QWidget*> widgets, QObject* owner)
    : QObject(owner)
    , widgets_(std::move(widgets)) {
    wait_.setSingleShot(true);
    wait_.setInterval(patience);
    connect(&wait_, &QTimer::timeout, this, &Staleness::show);
}

void Staleness::begin() {
    if (!is_shown_ && !wait_.isActive())
        wait_.start();
}

void Staleness::show() {
    is_shown_ = true;
    for (QWidget* widget : widgets_) {
        auto* paler = new QGraphicsOpacityEffect(widget);
        paler->setOpacity(stale_opacity);
        widget->setGraphicsEffect(paler); // takes ownership
    }
}

void Staleness::end() {
    wait_.stop();
    if (std::exchange(is_shown_, false))
        for (QWidget* widget : widgets_)
            widget->setGraphicsEffect(nullptr);
}

} // namespace sparsight
