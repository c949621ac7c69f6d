#include "widgets/look/info_button.h"

#include "widgets/look/glyph.h"

#include <QToolTip>

namespace sparsight {

InfoButton::InfoButton(const QString& explanation, const QString& topic, QWidget* parent)
    : QToolButton(parent)
    , topic_(topic) {
    setAutoRaise(true);
    setIcon(glyph_icon(Glyph::Question));
    setToolTip(
        explained_tooltip({}, topic.isEmpty() ? explanation : tr("%1 (click: Help)").arg(explanation)));
    setAccessibleName(tr("What is this?"));
    setAccessibleDescription(explanation);
    connect(this, &QToolButton::clicked, this, [this] {
        if (topic_.isEmpty())
            QToolTip::showText(mapToGlobal(rect().bottomLeft()), toolTip(), this);
        else
            Q_EMIT help_requested(topic_);
    });
}

QString explained_tooltip(const QString& title, const QString& text) {
    // Qt breaks the lines of a tooltip only when it is rich text.
    const QString body = text.toHtmlEscaped();
    if (title.isEmpty())
        return QStringLiteral("<qt>%1</qt>").arg(body);
    return QStringLiteral("<qt><b>%1</b><br>%2</qt>").arg(title.toHtmlEscaped(), body);
}

} // namespace sparsight
