#include "gui/shell/tour_bubble.h"

#include "widgets/look/style.h"
#include "widgets/look/theme.h"

#include <QAccessible>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>
#include <array>

namespace sparsight {

namespace {

constexpr int frame_width = 3;
constexpr int gap = 12;
constexpr int characters_a_line = 46;

} // namespace

QRect place_beside(const QRect& target, const QSize& size, const QRect& room, const QRect& clear) {
    const auto within = [&](int left, int top) {
        QRect place(QPoint(left, top), size);
        place.moveLeft(std::clamp(left, room.left(), std::max(room.left(), room.right() - size.width() + 1)));
        place.moveTop(std::clamp(top, room.top(), std::max(room.top(), room.bottom() - size.height() + 1)));
        return place;
    };
    const QRect corner = within(room.right() - size.width() - gap, room.bottom() - size.height() - gap);
    if (!target.isValid())
        return corner;
    const std::array places{within(target.right() + gap, target.top()),
                            within(target.left() - gap - size.width(), target.top()),
                            within(target.left(), target.bottom() + gap),
                            within(target.left(), target.top() - gap - size.height()), corner};
    const auto covered = [&](const QRect& place) {
        const auto area = [](const QRect& part) { return qint64{part.width()} * part.height(); };
        return 2 * area(place.intersected(target)) + area(place.intersected(clear)) +
               (room.contains(place) ? 0 : area(room));
    };
    return *std::ranges::min_element(places, {}, covered);
}

TourFrame::TourFrame(QWidget* window)
    : QWidget(window) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setObjectName(QStringLiteral("tour-frame"));
    hide();
}

void TourFrame::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(current_theme().accent, frame_width));
    constexpr double half = frame_width / 2.0;
    painter.drawRoundedRect(QRectF(rect()).adjusted(half, half, -half, -half), corner_radius, corner_radius);
}

TourBubble::TourBubble(QWidget* window)
    : QFrame(window)
    , frame_(new TourFrame(window))
    , title_(new QLabel(this))
    , text_(new QLabel(this))
    , count_(new QLabel(this))
    , back_(new QPushButton(tr("&Back"), this))
    , next_(new QPushButton(this)) {
    setObjectName(QStringLiteral("tour"));
    setAccessibleName(tr("Guided tour"));
    setFrameShape(QFrame::StyledPanel);
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
    keep_font(*title_, title_font);
    keep_font(*count_, caption_font);
    count_->setForegroundRole(QPalette::PlaceholderText);
    text_->setWordWrap(true);
    auto* close = new QPushButton(tr("&Close"), this);
    close->setObjectName(QStringLiteral("tour-close"));
    close->setFlat(true);
    back_->setObjectName(QStringLiteral("tour-back"));
    next_->setObjectName(QStringLiteral("tour-next"));
    next_->setProperty(primary_property, true);
    for (QPushButton* button : {close, back_, next_}) {
        button->setAutoDefault(true); // Return presses the one that has the focus
        button->installEventFilter(this);
    }
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(count_, 1);
    buttons->addWidget(close);
    buttons->addWidget(back_);
    buttons->addWidget(next_);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(2 * grid_step, 2 * grid_step, 2 * grid_step, 2 * grid_step);
    column->setSpacing(grid_step);
    column->addWidget(title_);
    column->addWidget(text_);
    column->addLayout(buttons);
    connect(close, &QPushButton::clicked, this, &TourBubble::closed);
    connect(back_, &QPushButton::clicked, this, &TourBubble::back);
    connect(next_, &QPushButton::clicked, this, &TourBubble::next);
    window->installEventFilter(this);
    hide();
}

void TourBubble::show_step(QWidget* target, QWidget* clear, const QString& title, const QString& text,
                           int step, int steps) {
    if (target_ != nullptr)
        target_->removeEventFilter(this);
    target_ = target;
    if (target_ != nullptr)
        target_->installEventFilter(this);
    clear_ = clear;
    title_->setText(title);
    text_->setText(text);
    count_->setText(tr("%1 of %2").arg(step + 1).arg(steps));
    back_->setEnabled(step > 0);
    next_->setText(step + 1 < steps ? tr("&Next") : tr("&Done"));
    show();
    place();
    place_soon(); // a page that was just opened is laid out a turn later
    next_->setFocus();
    QAccessibleEvent alert(this, QAccessible::Alert);
    QAccessible::updateAccessibility(&alert);
}

void TourBubble::dismiss() {
    if (target_ != nullptr)
        target_->removeEventFilter(this);
    target_.clear();
    frame_->hide();
    hide();
}

void TourBubble::place_soon() {
    if (std::exchange(is_place_asked_, true))
        return;
    QTimer::singleShot(0, this, [this] {
        is_place_asked_ = false;
        if (isVisible())
            place();
    });
}

void TourBubble::place() {
    const QWidget* window = parentWidget();
    const bool is_seen = target_ != nullptr && target_->isVisible();
    const auto place_of = [window](const QWidget& part) {
        return QRect(part.mapTo(window, QPoint()), part.size());
    };
    const QRect target = is_seen ? place_of(*target_) : QRect();
    const QRect clear = clear_ != nullptr && clear_->isVisible() ? place_of(*clear_) : QRect();
    const int width = std::min(fontMetrics().averageCharWidth() * characters_a_line, window->width());
    setFixedWidth(std::max(width, minimumSizeHint().width()));
    layout()->activate();
    setGeometry(place_beside(target, {this->width(), heightForWidth(this->width())}, window->rect(), clear));
    frame_->setVisible(is_seen);
    frame_->setGeometry(
        target.adjusted(-frame_width, -frame_width, frame_width, frame_width).intersected(window->rect()));
    frame_->raise();
    raise();
}

/// An edge that tells it from the page, which has the same ground.
void TourBubble::paintEvent(QPaintEvent* event) {
    QFrame::paintEvent(event);
    QPainter painter(this);
    painter.setPen(current_theme().accent);
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

bool TourBubble::take_key(int key) {
    switch (key) {
    case Qt::Key_Escape:
        Q_EMIT closed();
        return true;
    case Qt::Key_Right:
    case Qt::Key_PageDown:
        Q_EMIT next();
        return true;
    case Qt::Key_Left:
    case Qt::Key_PageUp:
        Q_EMIT back();
        return true;
    default:
        return false;
    }
}

bool TourBubble::eventFilter(QObject* watched, QEvent* event) {
    switch (event->type()) {
    case QEvent::KeyPress: // of a button, for which arrows would mean the next one
        return watched->parent() == this && take_key(static_cast<QKeyEvent*>(event)->key());
    case QEvent::Resize:
    case QEvent::Move:
    case QEvent::Show:
    case QEvent::Hide:
    case QEvent::LayoutRequest:
        if (isVisible() && watched->parent() != this)
            place_soon();
        break;
    default:
        break;
    }
    return QFrame::eventFilter(watched, event);
}

} // namespace sparsight
