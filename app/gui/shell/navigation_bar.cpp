#include "gui/shell/navigation_bar.h"

#include "gui/icons/icon.h"

#include <QToolButton>
#include <QVBoxLayout>

namespace sparsight {

namespace {

constexpr const char* page_property = "page";

} // namespace

NavigationBar::NavigationBar(QWidget* parent)
    : QWidget(parent)
    , column_(new QVBoxLayout(this)) {
    setObjectName(QStringLiteral("navigation"));
    setAccessibleName(tr("Pages"));
    setAttribute(Qt::WA_StyledBackground);
    column_->setContentsMargins(8, 12, 8, 12);
    column_->setSpacing(4);
    column_->addStretch();
    buttons_.setExclusive(true);
    connect(&buttons_, &QButtonGroup::buttonClicked, this, [this](const QAbstractButton* button) {
        Q_EMIT page_chosen(button->property(page_property).toString());
    });
}

void NavigationBar::add_page(const QString& id, const QString& title, const QString& icon) {
    auto* button = new QToolButton(this);
    button->setObjectName(QStringLiteral("navigate-") + id);
    button->setProperty(page_property, id);
    button->setText(title);
    button->setIcon(sparsight::icon(icon));
    button->setIconSize({20, 20});
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setCheckable(true);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::StrongFocus);
    button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    const auto number = buttons_.buttons().size() + 1;
    const QKeySequence shortcut(QStringLiteral("Ctrl+%1").arg(number));
    button->setShortcut(shortcut);
    button->setToolTip(tr("%1 (%2)").arg(title, shortcut.toString(QKeySequence::NativeText)));
    buttons_.addButton(button);
    column_->insertWidget(column_->count() - 1, button);
}

void NavigationBar::set_current(const QString& id) {
    buttons_.setExclusive(false); // an exclusive group keeps one that is checked, also where no page is shown
    for (QAbstractButton* button : buttons_.buttons())
        button->setChecked(button->property(page_property).toString() == id);
    buttons_.setExclusive(true);
}

} // namespace sparsight
