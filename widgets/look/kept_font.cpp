#include "widgets/look/kept_font.h"

#include <QCoreApplication>
#include <QEvent>
#include <QWidget>

namespace sparsight {

namespace {

class FontKeeper : public QObject {
public:
    FontKeeper(QWidget& widget, QFont (*font)())
        : QObject(&widget)
        , widget_(widget)
        , font_(font) {
        widget.setFont(font());
        // Qt tells the application and its windows; widgets with a font of their own hear nothing.
        QCoreApplication::instance()->installEventFilter(this);
    }

protected:
    bool eventFilter(QObject* receiver, QEvent* event) override {
        if (event->type() == QEvent::ApplicationFontChange && receiver == QCoreApplication::instance())
            widget_.setFont(font_());
        return false;
    }

private:
    QWidget& widget_;
    QFont (*font_)();
};

} // namespace

void keep_font(QWidget& widget, QFont (*font)()) {
    new FontKeeper(widget, font); // the widget owns it
}

} // namespace sparsight
