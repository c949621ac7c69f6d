#include "widgets/look/focus_ring.h"

#include "widgets/look/style.h"
#include "widgets/look/theme.h"

#include <QAbstractButton>
#include <QAbstractScrollArea>
#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QEvent>
#include <QFocusEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QTabBar>
#include <QTimer>

namespace sparsight {

bool needs_focus_ring(const QWidget& widget) {
    if (qobject_cast<const QAbstractScrollArea*>(&widget) != nullptr ||
        qobject_cast<const QLabel*>(&widget) != nullptr)
        return true;
    const bool has_own = qobject_cast<const QAbstractButton*>(&widget) != nullptr ||
                         qobject_cast<const QComboBox*>(&widget) != nullptr ||
                         qobject_cast<const QAbstractSpinBox*>(&widget) != nullptr ||
                         qobject_cast<const QLineEdit*>(&widget) != nullptr ||
                         qobject_cast<const QAbstractSlider*>(&widget) != nullptr ||
                         qobject_cast<const QTabBar*>(&widget) != nullptr ||
                         widget.inherits("sparsight::SparsityPlot") || widget.inherits("sparsight::LoopChip");
    return !has_own && (widget.focusPolicy() & Qt::TabFocus) != 0;
}

FocusRing::FocusRing(QWidget& owner)
    : QWidget(&owner) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setAttribute(Qt::WA_NoSystemBackground);
    setFocusPolicy(Qt::NoFocus);
    setGeometry(owner.rect());
    owner.installEventFilter(this);
    show();
    raise();
}

bool FocusRing::eventFilter(QObject* watched, QEvent* event) {
    auto* const owner = parentWidget();
    if (watched == owner && event->type() == QEvent::Resize)
        setGeometry(owner->rect());
    if (watched == owner && event->type() == QEvent::FocusOut)
        if (const auto reason = static_cast<QFocusEvent*>(event)->reason();
            reason != Qt::ActiveWindowFocusReason && reason != Qt::PopupFocusReason) {
            hide();
            deleteLater();
        }
    return QWidget::eventFilter(watched, event);
}

void FocusRing::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    paint_focus_ring(painter, rect(), corner_radius - 1, current_theme());
}

bool FocusRings::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::FocusIn) {
        const auto reason = static_cast<QFocusEvent*>(event)->reason();
        const bool is_from_keyboard = reason == Qt::TabFocusReason || reason == Qt::BacktabFocusReason ||
                                      reason == Qt::ShortcutFocusReason;
        auto* const widget = qobject_cast<QWidget*>(watched);
        // Of a widget that lost the focus while another window had it.
        if (widget != nullptr && shown_ != nullptr && shown_->parentWidget() != widget)
            shown_->deleteLater();
        // Not at once: Qt may be walking along the stops, among which a new widget would be.
        if (is_from_keyboard && widget != nullptr)
            QTimer::singleShot(0, this, [this, widget = QPointer(widget)] {
                if (widget != nullptr && widget->hasFocus())
                    shown_ = new FocusRing(*widget); // the widget owns it until the focus leaves
            });
    }
    return QObject::eventFilter(watched, event);
}

} // namespace sparsight
