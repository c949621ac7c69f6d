#include "gui/train/shot_choice.h"

#include "gui/jobs/counted_text.h"
#include "widgets/look/kept_font.h"
#include "widgets/look/theme.h"

#include <QButtonGroup>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <array>

namespace sparsight {

namespace {

constexpr std::array numbers{1, 5, 10, 25, 50, 100};
constexpr int first_chosen = 10;

} // namespace

ShotChoice::ShotChoice(QWidget* parent)
    : QWidget(parent)
    , buttons_(new QButtonGroup(this))
    , note_(new QLabel(this)) {
    auto* row = new QHBoxLayout;
    row->setSpacing(grid_step / 2);
    for (const int number : numbers) {
        auto* button = new QPushButton(QString::number(number), this);
        button->setObjectName(QStringLiteral("shots-%1").arg(number));
        button->setCheckable(true);
        button->setMinimumWidth(fontMetrics().averageCharWidth() * 3);
        QSizePolicy policy = button->sizePolicy();
        policy.setHorizontalPolicy(QSizePolicy::Ignored);
        button->setSizePolicy(policy);
        button->setChecked(number == first_chosen);
        buttons_->addButton(button, number);
        row->addWidget(button, 1);
    }
    keep_font(*note_, caption_font);
    note_->setForegroundRole(QPalette::PlaceholderText);
    note_->setWordWrap(true);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(grid_step / 2);
    column->addLayout(row);
    column->addWidget(note_);
    connect(buttons_, &QButtonGroup::idClicked, this, &ShotChoice::changed);
}

void ShotChoice::set_available(qint64 matrices) {
    for (QAbstractButton* button : buttons_->buttons()) {
        const bool is_enough = buttons_->id(button) < matrices;
        button->setEnabled(is_enough);
        button->setToolTip(
            is_enough
                ? QString()
                : tr("%1 of known pattern, and some must be left to test with").arg(matrices_text(matrices)));
    }
    if (buttons_->checkedButton() != nullptr && !buttons_->checkedButton()->isEnabled())
        for (QAbstractButton* button : buttons_->buttons()) // the most that there are
            if (button->isEnabled())
                button->setChecked(true);
    note_->setText(matrices > 0 ? tr("Measured there: %1.").arg(matrices_text(matrices)) : QString());
}

int ShotChoice::chosen() const {
    return std::max(0, buttons_->checkedId());
}

QStringList ShotChoice::up_to_chosen() const {
    QStringList shots{QStringLiteral("0")};
    for (const int number : numbers)
        if (number <= chosen())
            shots << QString::number(number);
    return shots;
}

} // namespace sparsight
