#include "gui/train/learned_workloads.h"

#include "gui/page/domain_words.h"
#include "widgets/look/number_text.h"
#include "widgets/look/theme.h"

#include <QButtonGroup>
#include <QLabel>
#include <QPushButton>
#include <QRadioButton>
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

void ShotChoice::set_available(qint64 count, const Noun& workload, bool is_simulated) {
    for (QAbstractButton* button : buttons_->buttons()) {
        const bool is_enough = buttons_->id(button) < count;
        button->setEnabled(is_enough);
        button->setToolTip(
            is_enough
                ? QString()
                : tr("%1 to learn from, and some must be left to test with").arg(counted(count, workload)));
    }
    if (buttons_->checkedButton() != nullptr && !buttons_->checkedButton()->isEnabled())
        for (QAbstractButton* button : buttons_->buttons()) // up to the largest number available
            if (button->isEnabled())
                button->setChecked(true);
    note_->setText(
        count <= 0 ? QString()
                   : (is_simulated ? tr("Simulated for this run: %1.") : tr("The machine has times of %1."))
                         .arg(counted(count, workload)));
}

int ShotChoice::chosen() const {
    return std::max(0, buttons_->checkedId());
}

LearnedWorkloads::LearnedWorkloads(QWidget* parent)
    : QWidget(parent)
    , by_number_(new QRadioButton(this))
    , shots_(new ShotChoice(this))
    , by_advice_(new QRadioButton(this))
    , why_not_(new QLabel(this)) {
    by_number_->setObjectName(QStringLiteral("learn-from-number"));
    by_advice_->setObjectName(QStringLiteral("learn-from-advised"));
    why_not_->setObjectName(QStringLiteral("not-from-advised"));
    keep_font(*why_not_, caption_font);
    why_not_->setForegroundRole(QPalette::PlaceholderText);
    why_not_->setWordWrap(true);
    auto* const column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(grid_step / 2);
    for (QWidget* const part : std::initializer_list<QWidget*>{by_number_, shots_, by_advice_, why_not_})
        column->addWidget(part);
    for (QRadioButton* const button : {by_number_, by_advice_})
        connect(button, &QRadioButton::clicked, this, [this] {
            wants_advised_ = by_advice_->isChecked();
            show_state();
            Q_EMIT changed();
        });
    connect(shots_, &ShotChoice::changed, this, &LearnedWorkloads::changed);
    show_state();
}

void LearnedWorkloads::set_advice(const std::optional<AdvisedWorkloads>& advice, const Noun& workload) {
    advice_ = advice;
    by_number_->setText(tr("So many %1, drawn at random").arg(many(workload)));
    const qsizetype count = advice ? advice->names.size() : 0;
    by_advice_->setText(count > 0 ? tr("The advised %1 alone").arg(counted(count, workload))
                                  : tr("The advised %1 alone").arg(many(workload)));
    by_advice_->setToolTip(count > 0 ? tr("%1. The other measured %2 test the model.")
                                           .arg(advice->names.join(QStringLiteral(", ")), many(workload))
                                     : QString());
    show_state();
}

void LearnedWorkloads::show_state() {
    const bool may_be_advised = advice_ && advice_->why_not.isEmpty() && !advice_->names.isEmpty();
    for (QWidget* const part : std::initializer_list<QWidget*>{by_number_, by_advice_})
        part->setVisible(advice_.has_value());
    by_advice_->setEnabled(may_be_advised);
    (wants_advised_ && may_be_advised ? by_advice_ : by_number_)->setChecked(true);
    shots_->setEnabled(by_number_->isChecked());
    why_not_->setText(advice_ ? advice_->why_not : QString());
    why_not_->setVisible(!why_not_->text().isEmpty());
}

QStringList LearnedWorkloads::advised() const {
    return by_advice_->isChecked() ? advice_->names : QStringList();
}

QStringList LearnedWorkloads::up_to_chosen() const {
    const auto most = by_advice_->isChecked() ? static_cast<int>(advice_->names.size()) : shots_->chosen();
    QStringList shots{QStringLiteral("0")};
    for (const int number : numbers)
        if (number < most)
            shots << QString::number(number);
    if (most > 0)
        shots << QString::number(most);
    return shots;
}

} // namespace sparsight
