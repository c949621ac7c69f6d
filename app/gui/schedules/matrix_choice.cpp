#include "gui/schedules/matrix_choice.h"

#include <QActionGroup>
#include <QListWidget>
#include <QMenu>
#include <QWidgetAction>

namespace sparsight {

MatrixChoice::MatrixChoice(QWidget* parent)
    : QToolButton(parent)
    , list_(new QListWidget) {
    setPopupMode(QToolButton::InstantPopup);
    setToolButtonStyle(Qt::ToolButtonTextOnly);
    setAccessibleName(tr("Matrices to measure"));
    auto* menu = new QMenu(this);
    auto* modes = new QActionGroup(this);
    one_ = modes->addAction(tr("The selected matrix"));
    all_ = modes->addAction(tr("All matrices"));
    one_->setCheckable(true);
    all_->setCheckable(true);
    menu->addActions(modes->actions());
    menu->addSection(tr("or these"));
    auto* some = new QWidgetAction(menu);
    list_->setMinimumWidth(280);
    list_->setMaximumHeight(260);
    some->setDefaultWidget(list_);
    menu->addAction(some);
    setMenu(menu);
    connect(one_, &QAction::triggered, this, [this] { set_mode(Mode::Selected); });
    connect(all_, &QAction::triggered, this, [this] { set_mode(Mode::All); });
    connect(list_, &QListWidget::itemChanged, this, [this] {
        if (!is_filling_)
            set_mode(Mode::Some);
    });
    show_choice();
}

void MatrixChoice::set_matrices(const QStringList& names, const QString& selected) {
    const QStringList before = chosen();
    selected_ = selected;
    if (names != names_) {
        const QStringList ticked = mode_ == Mode::Some ? before : QStringList();
        is_filling_ = true;
        list_->clear();
        for (const QString& name : names) {
            auto* item = new QListWidgetItem(name, list_);
            item->setFlags(Qt::ItemIsUserCheckable | Qt::ItemIsEnabled | Qt::ItemIsSelectable);
            item->setCheckState(ticked.contains(name) ? Qt::Checked : Qt::Unchecked);
        }
        is_filling_ = false;
        names_ = names;
    }
    show_choice();
    if (chosen() != before)
        Q_EMIT changed();
}

QStringList MatrixChoice::chosen() const {
    if (mode_ == Mode::All)
        return names_;
    if (mode_ == Mode::Selected)
        return names_.contains(selected_) ? QStringList{selected_} : QStringList();
    QStringList ticked;
    for (int row = 0; row < list_->count(); ++row)
        if (list_->item(row)->checkState() == Qt::Checked)
            ticked << list_->item(row)->text();
    return ticked;
}

void MatrixChoice::set_mode(Mode mode) {
    mode_ = mode;
    show_choice();
    Q_EMIT changed();
}

void MatrixChoice::show_choice() {
    one_->setChecked(mode_ == Mode::Selected);
    all_->setChecked(mode_ == Mode::All);
    const QStringList names = chosen();
    setText(names.isEmpty()      ? tr("no matrix")
            : names.size() == 1  ? fontMetrics().elidedText(names.front(), Qt::ElideMiddle, 180)
            : mode_ == Mode::All ? tr("all %1 matrices").arg(names.size())
                                 : tr("%1 matrices").arg(names.size()));
    setToolTip(names.mid(0, 20).join(QLatin1Char('\n')));
}

} // namespace sparsight
