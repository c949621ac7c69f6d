#include "gui/selection/fact_table.h"

#include "widgets/look/theme.h"

#include <QLabel>

namespace sparsight {

void FactTable::add(const QString& name, QString value) {
    if (value.isEmpty())
        return;
    if (value.front().isDigit()) // a number stays in one piece, with its unit
        for (QChar& letter : value)
            letter = letter.isSpace() ? QChar(QChar::Nbsp) : letter;
    rows_ += QStringLiteral("<tr><td style='color:%1; padding-right:8px'>%2</td><td>%3</td></tr>")
                 .arg(current_theme().dim_text.name(), name.toHtmlEscaped(), value.toHtmlEscaped());
}

QString FactTable::html() const {
    return QStringLiteral("<table cellspacing='0' cellpadding='1'>%1</table>").arg(rows_);
}

QString dimmed(const QString& text) {
    return QStringLiteral("<span style='color:%1'>%2</span>").arg(current_theme().dim_text.name(), text);
}

QLabel* facts_label(QWidget* parent) {
    auto* label = new QLabel(parent);
    label->setWordWrap(true);
    label->setTextFormat(Qt::RichText);
    label->setTextInteractionFlags(Qt::TextBrowserInteraction);
    label->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    return label;
}

} // namespace sparsight
