#include "gui/candidates/map_colour_choice.h"

#include "widgets/look/theme.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>

namespace sparsight {

MapColourChoice::MapColourChoice(QWidget* parent)
    : QWidget(parent)
    , box_(new QComboBox(this)) {
    box_->setObjectName(QStringLiteral("map-colours"));
    const auto add = [this](MapColours colours, const QString& name, const QString& meaning) {
        box_->addItem(name, static_cast<int>(colours));
        box_->setItemData(box_->count() - 1, meaning, Qt::ToolTipRole);
    };
    add(MapColours::Score, tr("blended score"), tr("By which the schedules of the table are chosen"));
    add(MapColours::Network, tr("network’s score"),
        tr("By which is walked: the way goes towards ever better ones"));
    add(MapColours::Simulated, tr("simulated time"), tr("On the calibrated machine; nothing was run"));
    auto* label = new QLabel(tr("Co&lours"), this);
    label->setBuddy(box_);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(grid_step);
    row->addWidget(label);
    row->addWidget(box_);
    const auto show_meaning = [this] { box_->setToolTip(box_->currentData(Qt::ToolTipRole).toString()); };
    show_meaning();
    connect(box_, &QComboBox::currentIndexChanged, this, [this, show_meaning] {
        show_meaning();
        Q_EMIT changed();
    });
}

MapColours MapColourChoice::colours() const {
    return static_cast<MapColours>(box_->currentData().toInt());
}

} // namespace sparsight
