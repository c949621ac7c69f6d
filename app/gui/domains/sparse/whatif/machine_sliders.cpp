#include "gui/domains/sparse/whatif/machine_sliders.h"

#include "gui/domains/sparse/whatif/what_if_drawing.h"
#include "gui/page/machine_words.h"
#include "machine/machine_edit.h"
#include "machine/machine_family.h"
#include "widgets/look/number_input.h"
#include "widgets/look/theme.h"

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

namespace sparsight {

void EditedMachine::set(MachineParameter parameter, double value) {
    if (resolve_parameters(given_).values[parameter] == value)
        changes_.erase(parameter);
    else
        changes_[parameter] = value;
}

MachineDescription EditedMachine::without(std::initializer_list<MachineParameter> parameters) const {
    MachineDescription machine = given_;
    for (const auto& [parameter, value] : changes_)
        if (std::ranges::find(parameters, parameter) == parameters.end())
            machine = with_parameter(machine, parameter, value);
    return machine;
}

std::vector<MachineParameter> EditedMachine::leaders_of(MachineParameter parameter) const {
    std::vector<MachineParameter> leaders;
    if (changes_.contains(parameter))
        return leaders;
    const double value = resolve_parameters(now()).values[parameter];
    if (value == resolve_parameters(given_).values[parameter])
        return leaders;
    for (const auto& [changed, _] : changes_)
        if (resolve_parameters(without({changed})).values[parameter] != value)
            leaders.push_back(changed);
    if (leaders.empty()) // each alone would do
        for (const auto& [changed, _] : changes_)
            leaders.push_back(changed);
    return leaders;
}

namespace {

constexpr int stops = 160;

/// As resolve_parameters() and with_parameter() have it.
QString follow_reason(MachineParameter parameter, bool is_assumed) {
    using P = MachineParameter;
    switch (parameter) {
    case P::Sockets:
    case P::Cores:
    case P::Threads:
        return MachineSliders::tr("Each socket needs a core, and each core a thread.");
    case P::L3Bytes:
    case P::L3Caches:
        return MachineSliders::tr("Each L3 cache belongs to some cores and comes or goes with them.");
    case P::ChunkCost:
        return MachineSliders::tr("More threads wait longer for the counter of the chunks.");
    case P::SocketBandwidth:
        if (is_assumed)
            return MachineSliders::tr(
                "It is not known of this machine, and estimated from what its cores reach.");
        break;
    default:
        break;
    }
    return MachineSliders::tr("It is computed from other numbers of the machine.");
}

} // namespace

MachineSliders::MachineSliders(QWidget* parent)
    : QWidget(parent)
    , title_(new QLabel(this))
    , origins_(new QLabel(this))
    , reset_(new QPushButton(tr("&Reset all"), this)) {
    auto* const column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 2 * grid_step, 0); // leaves space for a scroll bar
    column->setSpacing(grid_step / 2);
    keep_font(*title_, title_font);
    title_->setWordWrap(true);
    title_->setObjectName(QStringLiteral("what-if-sliders-title"));
    column->addWidget(title_);
    for (const MachineParameter parameter : slider_parameters()) {
        const ParameterWords words = parameter_words(parameter);
        auto* const slider = new ValueSlider(words.name, this);
        const std::string_view key = parameter_info(parameter).key;
        slider->setObjectName(QStringLiteral("what-if-") +
                              QString::fromUtf8(key.data(), static_cast<qsizetype>(key.size())));
        slider->set_format([parameter](double value) { return parameter_text(parameter, value); });
        slider->set_explanation(words.meaning);
        connect(slider, &ValueSlider::moved, this,
                [this, parameter](double value) { Q_EMIT moved(parameter, value); });
        sliders_[parameter] = slider;
        column->addWidget(slider);
    }
    keep_font(*origins_, caption_font);
    origins_->setWordWrap(true);
    origins_->setForegroundRole(QPalette::PlaceholderText);
    column->addWidget(origins_);
    reset_->setToolTip(tr("The machine as it is"));
    reset_->setObjectName(QStringLiteral("what-if-reset"));
    connect(reset_, &QPushButton::clicked, this, &MachineSliders::reset);
    column->addWidget(reset_);
    column->addStretch(1);
}

void MachineSliders::show_machine(const QString& title, const EditedMachine& machine) {
    title_->setText(title);
    const ResolvedParameters given = resolve_parameters(machine.given());
    const MachineParameters now = resolve_parameters(machine.now()).values;
    QStringList assumed;
    QStringList fitted;
    for (const auto& [parameter, slider] : sliders_) {
        const double own = given.values[parameter];
        slider->set_stops(steps_over(parameter, usual_range(parameter, own), stops));
        slider->set_origin(own);
        QStringList leaders;
        for (const MachineParameter leader : machine.leaders_of(parameter))
            leaders << parameter_words(leader).name;
        const bool is_assumed = std::ranges::find(given.assumed, parameter) != given.assumed.end();
        slider->set_followed(leaders.join(QStringLiteral(", ")),
                             leaders.isEmpty() ? QString() : follow_reason(parameter, is_assumed));
        slider->set_value(now[parameter]);
        if (is_assumed)
            assumed << parameter_words(parameter).name;
        else if (origin_of(machine.given(), parameter) == ParameterOrigin::Fitted)
            fitted << parameter_words(parameter).name;
    }
    QStringList origins;
    if (!assumed.isEmpty())
        origins << tr("Not known of this machine, typical: %1.").arg(assumed.join(QStringLiteral(", ")));
    if (!fitted.isEmpty())
        origins << tr("Fitted to measurements (Calibrate), so not as stated under Machines: %1.")
                       .arg(fitted.join(QStringLiteral(", ")));
    origins_->setVisible(!origins.isEmpty());
    origins_->setText(origins.join(QLatin1Char('\n')));
    reset_->setEnabled(machine.is_changed());
}

ValueSlider* MachineSliders::slider(MachineParameter parameter) const {
    const auto found = sliders_.find(parameter);
    return found == sliders_.end() ? nullptr : found->second;
}

} // namespace sparsight
