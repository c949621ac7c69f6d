#include "widgets/look/link_label.h"

#include <QEvent>
#include <QFocusEvent>
#include <QKeyEvent>
#include <QLabel>
#include <QObject>

namespace sparsight {

namespace {

/// QLabel tells nobody that its text has changed, but is painted then.
class LinkFocus : public QObject {
public:
    explicit LinkFocus(QLabel& label)
        : QObject(&label)
        , label_(label) {
        follow();
    }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::Paint || event->type() == QEvent::Show)
            follow();
        if (event->type() == QEvent::FocusIn && has_link() && is_by_tab(*static_cast<QFocusEvent*>(event))) {
            // QLabel takes the focus without choosing a link, so that Return would do nothing.
            (void)watched->event(event);
            QKeyEvent to_first_link(QEvent::KeyPress, Qt::Key_Tab, Qt::NoModifier);
            return watched->event(&to_first_link);
        }
        return QObject::eventFilter(watched, event);
    }

private:
    [[nodiscard]] static bool is_by_tab(const QFocusEvent& event) {
        return event.reason() == Qt::TabFocusReason || event.reason() == Qt::BacktabFocusReason;
    }
    [[nodiscard]] bool has_link() const { return label_.text().contains(QStringLiteral("<a ")); }
    void follow() {
        const bool is_selectable = label_.textInteractionFlags().testFlag(Qt::TextSelectableByMouse);
        label_.setFocusPolicy(has_link() ? Qt::StrongFocus : is_selectable ? Qt::ClickFocus : Qt::NoFocus);
    }

    QLabel& label_;
};

} // namespace

void reach_links_by_keyboard(QLabel& label, bool selectable) {
    Qt::TextInteractionFlags flags = Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard;
    if (selectable)
        flags |= Qt::TextSelectableByMouse;
    label.setTextInteractionFlags(flags);
    label.installEventFilter(new LinkFocus(label));
}

} // namespace sparsight
