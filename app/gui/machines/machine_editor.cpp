#include "gui/machines/machine_editor.h"

#include "gui/page/machine_words.h"
#include "machine/machine_parameters.h"
#include "widgets/look/labels.h"
#include "widgets/look/number_input.h"
#include "widgets/look/number_text.h"
#include "widgets/look/theme.h"

#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QSlider>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <cmath>

namespace sparsight {

namespace {

enum Column { NameColumn, SliderColumn, FieldColumn, MarkColumn };

constexpr std::array groups{ParameterGroup::Hardware, ParameterGroup::Memory, ParameterGroup::Threads,
                            ParameterGroup::Code};

QString key_of(const ParameterInfo& info) {
    return QString::fromUtf8(info.key.data(), static_cast<qsizetype>(info.key.size()));
}

/// What was calibrated or drawn has more digits than anyone reads; the machine keeps them.
double rounded(double value) {
    constexpr int digits = 4;
    return value == std::round(value) ? value : QString::number(value, 'g', digits).toDouble();
}

} // namespace

MachineEditor::MachineEditor(QWidget* parent)
    : QWidget(parent)
    , name_(new QLineEdit(this))
    , reason_(new QLabel(this))
    , scroll_(new QScrollArea(this))
    , rows_(machine_parameter_count) {
    name_->setObjectName(QStringLiteral("machine-name"));
    name_->setAccessibleName(tr("Name of the machine"));
    connect(name_, &QLineEdit::editingFinished, this,
            [this] { Q_EMIT name_edited(name_->text().trimmed()); });
    reason_->setWordWrap(true);
    reason_->setForegroundRole(QPalette::PlaceholderText);
    auto* const form = new QWidget;
    auto* const grid = new QGridLayout(form);
    grid->setContentsMargins(0, grid_step, grid_step, grid_step);
    grid->setHorizontalSpacing(2 * grid_step);
    grid->setVerticalSpacing(grid_step / 2);
    grid->setColumnStretch(SliderColumn, 1);
    auto* const caption = new QLabel(tr("N&ame"), form);
    caption->setBuddy(name_);
    grid->addWidget(caption, 0, NameColumn);
    grid->addWidget(name_, 0, SliderColumn, 1, FieldColumn);
    for (const ParameterGroup group : groups)
        add_group(*grid, group);
    grid->setRowStretch(grid->rowCount(), 1);
    scroll_->setWidget(form);
    scroll_->setWidgetResizable(true);
    scroll_->setFrameShape(QFrame::NoFrame);
    scroll_->setFocusPolicy(Qt::NoFocus);
    form->setAutoFillBackground(false);
    scroll_->viewport()->setAutoFillBackground(false);
    auto* const column = new QVBoxLayout(this);
    column->setContentsMargins(0, grid_step, 0, 0);
    column->addWidget(reason_);
    column->addWidget(scroll_, 1);
}

void MachineEditor::go_to(MachineParameter parameter) {
    NumberField* const wanted = field(parameter);
    wanted->setFocus(Qt::ShortcutFocusReason);
    scroll_->ensureWidgetVisible(wanted);
}

void MachineEditor::add_group(QGridLayout& grid, ParameterGroup group) {
    auto* const title = new QLabel(parameter_group_title(group));
    keep_font(*title, title_font);
    title->setContentsMargins(0, grid_step, 0, 0);
    grid.addWidget(title, grid.rowCount(), NameColumn, 1, MarkColumn + 1);
    for (const ParameterInfo& info : all_parameters())
        if (info.group == group)
            add_row(grid, info);
}

void MachineEditor::add_row(QGridLayout& grid, const ParameterInfo& info) {
    const ParameterWords words = parameter_words(info.parameter);
    Row& made = rows_[static_cast<std::size_t>(info.parameter)];
    made.factor = words.factor;
    made.name = new QLabel(words.name);
    made.slider = new QSlider(Qt::Horizontal);
    made.field = new NumberField(is_count(info) ? NumberField::Kind::Whole : NumberField::Kind::Real);
    made.mark = new QLabel;
    const int last_stop = ParameterScale(info, words.factor).last_stop();
    made.slider->setRange(0, last_stop);
    made.slider->setPageStep(std::max(1, last_stop / 20));
    made.slider->setObjectName(key_of(info) + QStringLiteral("-slider"));
    made.slider->setAccessibleName(words.name);
    made.slider->setMinimumWidth(10 * grid_step);
    made.slider->setFocusPolicy(Qt::StrongFocus);
    made.slider->installEventFilter(this);
    made.field->setObjectName(key_of(info));
    made.field->setAccessibleName(words.name);
    made.field->setRange(info.lowest / words.factor, info.highest / words.factor);
    made.field->setKeyboardTracking(false); // a number is an edit once it is typed
    if (!words.unit.isEmpty())
        made.field->setSuffix(QLatin1Char(' ') + words.unit);
    made.field->setMinimumWidth(18 * grid_step);
    made.name->setBuddy(made.field);
    keep_font(*made.mark, caption_font);
    made.mark->setForegroundRole(QPalette::PlaceholderText);
    made.mark->setMinimumWidth(made.mark->fontMetrics().horizontalAdvance(tr("measured")));
    const QString tip = explained_tooltip(words.name, words.meaning);
    for (QWidget* const widget : std::initializer_list<QWidget*>{made.name, made.slider, made.field})
        widget->setToolTip(tip);
    const int place = grid.rowCount();
    grid.addWidget(made.name, place, NameColumn);
    grid.addWidget(made.slider, place, SliderColumn);
    grid.addWidget(made.field, place, FieldColumn);
    grid.addWidget(made.mark, place, MarkColumn);
    connect_row(info);
}

/// The form is scrolled more often than a number is wanted: only a slider that has the focus turns.
bool MachineEditor::eventFilter(QObject* watched, QEvent* event) {
    const auto* const slider = qobject_cast<QSlider*>(watched);
    if (event->type() != QEvent::Wheel || slider == nullptr || slider->hasFocus())
        return QWidget::eventFilter(watched, event);
    event->ignore();
    return true;
}

void MachineEditor::connect_row(const ParameterInfo& info) {
    const Row& made = row(info.parameter);
    const auto end_gesture = [this] { ++gesture_; };
    connect(made.slider, &QSlider::sliderPressed, this, end_gesture);
    connect(made.slider, &QSlider::sliderReleased, this, end_gesture);
    connect(made.slider, &QSlider::valueChanged, this, [this, &info](int stop) {
        Q_EMIT parameter_edited(info.parameter,
                                ParameterScale(info, row(info.parameter).factor).value_at(stop), gesture_);
    });
    connect(made.field, &QDoubleSpinBox::editingFinished, this, end_gesture);
    connect(made.field, &QDoubleSpinBox::valueChanged, this, [this, &info](double shown) {
        Q_EMIT parameter_edited(info.parameter, shown * row(info.parameter).factor, gesture_);
    });
}

void MachineEditor::show_machine(const MachineDescription& machine, const QString& reason_against) {
    const MachineParameters values = resolve_parameters(machine).values;
    const bool can_edit = reason_against.isEmpty();
    reason_->setText(reason_against);
    reason_->setVisible(!can_edit);
    if (const QString name = QString::fromStdString(machine.name); name_->text() != name)
        name_->setText(name);
    name_->setReadOnly(!can_edit);
    for (const ParameterInfo& info : all_parameters()) {
        show_value(info, values[info.parameter]);
        show_origin(info, machine);
        row(info.parameter).slider->setEnabled(can_edit);
        row(info.parameter).field->setReadOnly(!can_edit);
        row(info.parameter)
            .field->setButtonSymbols(can_edit ? QAbstractSpinBox::UpDownArrows : QAbstractSpinBox::NoButtons);
    }
}

void MachineEditor::show_value(const ParameterInfo& info, double value) {
    const Row& shown = row(info.parameter);
    const ParameterScale scale(info, shown.factor);
    const QSignalBlocker quiet_slider(shown.slider);
    const QSignalBlocker quiet_field(shown.field);
    shown.slider->setValue(scale.stop_of(value));
    if (const double readable = rounded(value / shown.factor); shown.field->value() != readable)
        shown.field->setValue(readable);
}

void MachineEditor::show_origin(const ParameterInfo& info, const MachineDescription& machine) {
    QLabel& mark = *row(info.parameter).mark;
    const auto say = [&mark](const QString& text, const QString& meaning) {
        mark.setText(text);
        mark.setToolTip(meaning);
    };
    switch (origin_of(machine, info.parameter)) {
    case ParameterOrigin::Stated:
        return say({}, {});
    case ParameterOrigin::Measured:
        return say(tr("measured"), tr("Probing this computer found it."));
    case ParameterOrigin::Typical:
        return say(tr("typical"), tr("Nothing says this of the machine: a typical value is taken."));
    case ParameterOrigin::Fitted:
        break;
    }
    const double before = resolve_parameters(without_calibration(machine)).values[info.parameter];
    const QString meaning =
        tr("Fitted by a calibration to what was measured on this machine; it was %1 before.")
            .arg(parameter_text(info.parameter, before));
    const auto left = doubt_left(machine, info.parameter);
    if (!left)
        return say(tr("fitted"), meaning);
    const QString doubt = tr("The measurements leave %1 of the doubt that there was.").arg(share_text(*left));
    say(is_determined(*left) ? tr("fitted") : tr("hardly fitted"), meaning + u' ' + doubt);
}

} // namespace sparsight
