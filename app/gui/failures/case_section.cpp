#include "gui/failures/case_section.h"

#include "widgets/look/kept_font.h"
#include "widgets/look/theme.h"

namespace sparsight {

CaseSection::CaseSection(QString question, QString caption, QWidget* parent)
    : QWidget(parent)
    , question_(std::move(question))
    , caption_(std::move(caption))
    , column_(new QVBoxLayout(this)) {
    column_->setContentsMargins(0, 0, 0, 0);
    column_->setSpacing(grid_step);
}

QLabel* CaseSection::add_text(const char* name) {
    auto* const label = new QLabel(this);
    label->setObjectName(QLatin1String(name));
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    label->hide();
    column_->addWidget(label);
    return label;
}

QLabel* CaseSection::add_remark(const char* name) {
    QLabel* const label = add_text(name);
    keep_font(*label, caption_font);
    label->setForegroundRole(QPalette::PlaceholderText);
    return label;
}

void CaseSection::set_text(QLabel& label, const QString& text) {
    label.setText(text);
    label.setVisible(!text.isEmpty());
}

} // namespace sparsight
