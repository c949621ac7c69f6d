#include "gui/domains/sparse/whatif/winner_view.h"

#include "base/parallel.h"
#include "gui/domains/sparse/whatif/what_if_drawing.h"
#include "gui/page/machine_words.h"
#include "machine/machine_presets.h"
#include "widgets/chart/plots/region_map.h"
#include "widgets/look/form_layout.h"
#include "widgets/look/theme.h"

#include <QComboBox>
#include <QLabel>
#include <QVBoxLayout>
#include <algorithm>

namespace sparsight {

namespace {

Result<WinnerMap> answer(const MapQuestion& question, const std::stop_token& stop) {
    MapAxis x = map_axis(question.machine, question.x, WinnerMapping::steps);
    MapAxis y = map_axis(question.machine, question.y, WinnerMapping::steps);
    if (question.formula == WhatIfFormula::Paper)
        return paper_winner_map(question.machine, std::move(x), std::move(y), question.basis.milliseconds,
                                stop);
    const int threads = std::max(1, available_threads() - 1); // one thread is left to the window
    return winner_map(question.machine, std::move(x), std::move(y), question.study->profiles, threads, stop);
}

} // namespace

void WinnerMapping::ask(MapQuestion question) {
    auto study = question.study;
    answers_.ask(
        [question = std::move(question)](const std::stop_token& stop) { return answer(question, stop); },
        [this, study = std::move(study)](Result<WinnerMap> map, bool) {
            if (!map)
                return; // a newer question has stopped this one
            map_ = std::move(*map);
            study_ = study;
            Q_EMIT changed();
        });
}

void WinnerMapping::clear() {
    answers_.cancel();
    map_.reset();
    study_.reset();
    Q_EMIT changed();
}

namespace {

void fill_parameters(QComboBox& combo, MachineParameter chosen) {
    for (const MachineParameter parameter : slider_parameters())
        combo.addItem(parameter_words(parameter).name, static_cast<int>(parameter));
    combo.setCurrentIndex(combo.findData(static_cast<int>(chosen)));
}

MachineParameter chosen_in(const QComboBox& combo) {
    return static_cast<MachineParameter>(combo.currentData().toInt());
}

} // namespace

WinnerView::WinnerView(QWidget* parent)
    : QWidget(parent)
    , mapping_(this)
    , x_(new QComboBox(this))
    , y_(new QComboBox(this))
    , map_(new RegionMap(this)) {
    for (const MachinePreset& preset : machine_presets()) // "A" and "B" are machines of the paper
        machines_.insert(QString::fromStdString(preset.machine.name));
    map_->setObjectName(QStringLiteral("what-if-map"));
    fill_parameters(*x_, MachineParameter::Cores);
    fill_parameters(*y_, MachineParameter::L3Bytes);
    x_->setObjectName(QStringLiteral("what-if-x"));
    y_->setObjectName(QStringLiteral("what-if-y"));
    x_->setAccessibleName(tr("Horizontal axis"));
    y_->setAccessibleName(tr("Vertical axis"));
    auto* const who = new QLabel(tr("Who wins over"), this);
    keep_font(*who, title_font);
    auto* const conjunction = new QLabel(tr("and"), this);
    auto* const heading = new FlowLayout;
    for (QWidget* const part : std::initializer_list<QWidget*>{who, x_, conjunction, y_}) {
        part->setMinimumHeight(x_->sizeHint().height());
        heading->addWidget(part);
    }
    auto* const lines = new QVBoxLayout(this);
    lines->setContentsMargins(0, grid_step / 2, 0, 0);
    lines->setSpacing(grid_step / 2);
    lines->addLayout(heading);
    lines->addWidget(map_, 1);

    for (QComboBox* const combo : {x_, y_})
        connect(combo, &QComboBox::currentIndexChanged, this, &WinnerView::axes_chosen);
    connect(&mapping_, &WinnerMapping::changed, this, &WinnerView::show_map);
}

MachineParameter WinnerView::x() const {
    return chosen_in(*x_);
}

MachineParameter WinnerView::y() const {
    return chosen_in(*y_);
}

void WinnerView::ask(const std::shared_ptr<const Study>& study, const EditedMachine& machine,
                     WhatIfFormula formula, const PaperBasis& basis) {
    if (!study || x() == y()) {
        map_->set_empty_text(x() == y() ? tr("Choose two different parameters.") : QString());
        mapping_.clear();
        return;
    }
    machines_.insert(QString::fromStdString(machine.now().name));
    map_->set_stale(true);
    mapping_.ask({study, machine.without({x(), y()}), x(), y(), formula, basis});
}

void WinnerView::show_map() {
    if (!mapping_.map()) {
        map_->set_picture({});
        return;
    }
    mark_winners(*mapping_.map(), *mapping_.study(), machines_, marks_);
    map_->set_picture(map_picture(*mapping_.study(), *mapping_.map(), marks_));
    Q_EMIT mapped();
}

void WinnerView::show_here(const EditedMachine& machine) {
    const MachineParameters now = resolve_parameters(machine.now()).values;
    map_->set_here(QPointF(now[x()], now[y()]));
}

} // namespace sparsight
