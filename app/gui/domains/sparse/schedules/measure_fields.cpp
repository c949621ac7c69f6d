#include "gui/domains/sparse/schedules/measure_fields.h"

#include "base/parallel.h"
#include "domains/sparse/schedule/sampler.h"
#include "gui/domains/sparse/schedules/schedule_words.h"
#include "gui/jobs/worker_process.h"
#include "gui/settings/settings.h"
#include "widgets/look/form_layout.h"
#include "widgets/look/theme.h"

#include <QActionGroup>
#include <QCheckBox>
#include <QComboBox>
#include <QDataStream>
#include <QEvent>
#include <QIODevice>
#include <QLabel>
#include <QListWidget>
#include <QMenu>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>
#include <QWidgetAction>
#include <algorithm>
#include <array>
#include <optional>

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

namespace {

/// Before version numbers, a state began with the operator: 0, 1 or 2.
constexpr int state_version = 3;

} // namespace

MeasureFields::MeasureFields(UserSettings& settings, QWidget* what, QWidget* button, QWidget* parent)
    : QWidget(parent)
    , settings_(settings)
    , sparse_(settings)
    , operator_(new QComboBox(this))
    , dense_(new QSpinBox(this))
    , schedules_(new QSpinBox(this))
    , threads_(new QSpinBox(this))
    , chosen_threads_(settings.thread_count())
    , more_(new QToolButton(this))
    , advanced_(new QWidget(this))
    , sampler_(new QComboBox(this))
    , protocol_(new QComboBox(this))
    , seed_(new QSpinBox(this))
    , minutes_(new QSpinBox(this))
    , again_(new QCheckBox(tr("Re-m&easure existing results"), this))
    , in_line_{what,   operator_, dense_,    schedules_, threads_, more_,
               button, sampler_,  protocol_, seed_,      minutes_, again_} {
    build(what, button);
    build_advanced();
    level();
    connect_changes();
}

void MeasureFields::build(QWidget* what, QWidget* button) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    operator_->addItem(QStringLiteral("SpMM"), static_cast<int>(Operator::SpMM));
    operator_->addItem(QStringLiteral("SpMV"), static_cast<int>(Operator::SpMV));
    operator_->addItem(QStringLiteral("SDDMM"), static_cast<int>(Operator::SDDMM));
    dense_->setRange(1, 1 << 16);
    dense_->setValue(sparse_.dense_extent.get());
    schedules_->setObjectName(QStringLiteral("schedule-count"));
    schedules_->setRange(0, 100'000);
    schedules_->setValue(sparse_.schedules.get());
    threads_->setRange(1, 1024);
    threads_->setValue(settings_.thread_count());
    FieldRow row(*column);
    row.add(tr("Mat&rices"), what, {});
    row.add(tr("&Operator"), operator_,
            tr("SpMM: C = A·B with a dense B. SpMV: y = A·x. SDDMM: C = A ∘ (B·D)."));
    dense_label_ = row.add(tr("Columns of the &dense matrix"), dense_, dense_columns_tip());
    row.add(tr("S&chedules"), schedules_,
            tr("How many are drawn for each matrix; fixed CSR is always measured besides"));
    row.add(tr("Thre&ads"), threads_,
            tr("That kernels run on. This computer has %1.").arg(available_threads()));
    row.begin_end();
    more_->setText(tr("More"));
    more_->setCheckable(true);
    more_->setToolTip(tr("Sampler, protocol, seed, budget"));
    connect(more_, &QToolButton::toggled, advanced_, &QWidget::setVisible);
    row.add(more_);
    row.add(button);
    column->addWidget(advanced_);
}

void MeasureFields::build_advanced() {
    auto* column = new QVBoxLayout(advanced_);
    column->setContentsMargins(0, 0, 0, 0);
    FieldRow row(*column);
    sampler_->addItem(tr("Random, as in the WACO paper"), static_cast<int>(Sampler::Waco));
    sampler_->addItem(tr("Uniform"), static_cast<int>(Sampler::Uniform));
    protocol_->addItem(tr("Adaptive"), static_cast<int>(Protocol::Adaptive));
    protocol_->addItem(tr("WACO’s"), static_cast<int>(Protocol::FixedRuns));
    seed_->setRange(0, 1'000'000'000);
    seed_->setValue(1);
    minutes_->setRange(0, 24 * 60);
    minutes_->setSpecialValueText(tr("none"));
    minutes_->setSuffix(tr(" min"));
    row.add(tr("Sampler"), sampler_, tr("How schedules are drawn from the space"));
    row.add(tr("Protocol"), protocol_,
            tr("Adaptive: more runs where times are noisy. WACO’s: 5 warm-ups and 30 runs."));
    row.add(tr("Seed"), seed_, tr("The same seed draws the same schedules"));
    row.add(tr("Time budget"), minutes_, tr("Stop after this time; measuring again continues from there"));
    row.add(again_);
    advanced_->setVisible(false);
}

void MeasureFields::connect_changes() {
    connect(operator_, &QComboBox::currentIndexChanged, this, &MeasureFields::show_dense);
    for (QComboBox* box : {operator_, protocol_})
        connect(box, &QComboBox::currentIndexChanged, this, &MeasureFields::setting_changed);
    for (QSpinBox* box : {dense_, threads_})
        connect(box, &QSpinBox::valueChanged, this, &MeasureFields::setting_changed);
    for (QComboBox* box : {operator_, protocol_, sampler_})
        connect(box, &QComboBox::currentIndexChanged, this, &MeasureFields::changed);
    for (QSpinBox* box : {dense_, threads_, schedules_, seed_, minutes_})
        connect(box, &QSpinBox::valueChanged, this, &MeasureFields::changed);
    connect(threads_, &QSpinBox::valueChanged, this, [this](int threads) { chosen_threads_ = threads; });
    connect(again_, &QCheckBox::toggled, this, &MeasureFields::changed);
    connect(&settings_, &UserSettings::changed, this, &MeasureFields::follow_settings);
}

void MeasureFields::follow_settings(const QString& key) {
    if (key == settings_.threads.key()) {
        threads_->setValue(settings_.thread_count());
        chosen_threads_ = threads_->value(); // a schedule may have set the same number
    } else if (key == sparse_.dense_extent.key())
        dense_->setValue(sparse_.dense_extent.get());
    else if (key == sparse_.schedules.key())
        schedules_->setValue(sparse_.schedules.get());
}

void MeasureFields::show_dense() {
    const bool has_dense = op() != Operator::SpMV;
    dense_->setEnabled(has_dense);
    dense_label_->setEnabled(has_dense);
    dense_->setToolTip(has_dense ? dense_label_->toolTip() : tr("SpMV has no dense matrix."));
}

/// Gives all fields the height of the tallest kind, so that they stand in one line.
void MeasureFields::level() {
    int height = 0;
    for (const QWidget* field : in_line_)
        if (field != again_)
            height = std::max(height, field->sizeHint().height());
    for (QWidget* field : in_line_)
        field->setMinimumHeight(height);
}

void MeasureFields::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        level();
}

Operator MeasureFields::op() const {
    return static_cast<Operator>(operator_->currentData().toInt());
}

std::int64_t MeasureFields::dense() const {
    return op() == Operator::SpMV ? 1 : dense_->value();
}

void MeasureFields::set_operator(Operator op) {
    operator_->setCurrentIndex(operator_->findData(static_cast<int>(op)));
}

void MeasureFields::set_dense(std::int64_t columns) {
    dense_->setValue(static_cast<int>(columns));
}

void MeasureFields::set_threads(int threads) {
    const int chosen = chosen_threads_;
    threads_->setValue(threads);
    chosen_threads_ = chosen;
}

CollectSchedulesJob MeasureFields::request() const {
    CollectSchedulesJob job;
    job.op = op();
    job.dense = dense();
    job.configurations = schedules_->value();
    job.sampler = text(name(static_cast<Sampler>(sampler_->currentData().toInt())));
    job.seed = static_cast<std::uint64_t>(seed_->value());
    job.threads = threads_->value();
    job.protocol = static_cast<Protocol>(protocol_->currentData().toInt());
    if (minutes_->value() > 0)
        job.budget = std::chrono::minutes(minutes_->value());
    job.again = again_->isChecked();
    return job;
}

QByteArray MeasureFields::state() const {
    const auto unless_set = [](int chosen, int setting) {
        return chosen == setting ? std::nullopt : std::optional(chosen);
    };
    QByteArray state;
    QDataStream out(&state, QIODevice::WriteOnly);
    out << state_version;
    for (const QComboBox* box : {operator_, sampler_, protocol_})
        out << box->currentData().toInt();
    out << seed_->value() << minutes_->value() << more_->isChecked();
    for (const std::optional<int>& choice : {unless_set(dense_->value(), sparse_.dense_extent.get()),
                                             unless_set(schedules_->value(), sparse_.schedules.get()),
                                             unless_set(chosen_threads_, settings_.thread_count())})
        out << choice.has_value() << choice.value_or(0);
    return state;
}

void MeasureFields::restore_state(const QByteArray& state) {
    struct Choice {
        bool is_made = false;
        int value = 0;
    };
    QDataStream in(state);
    int version = 0;
    std::array<int, 3> chosen{};
    int seed = 0;
    int minutes = 0;
    bool shows_more = false;
    std::array<Choice, 3> choices{};
    in >> version;
    for (int& one : chosen)
        in >> one;
    in >> seed >> minutes >> shows_more;
    for (Choice& choice : choices)
        in >> choice.is_made >> choice.value;
    if (in.status() != QDataStream::Ok || version != state_version)
        return;
    const std::array boxes{operator_, sampler_, protocol_};
    for (std::size_t i = 0; i < boxes.size(); ++i)
        if (const int at = boxes[i]->findData(chosen[i]); at >= 0)
            boxes[i]->setCurrentIndex(at);
    seed_->setValue(seed);
    minutes_->setValue(minutes);
    more_->setChecked(shows_more);
    const std::array fields{dense_, schedules_, threads_};
    const std::array set{sparse_.dense_extent.get(), sparse_.schedules.get(), settings_.thread_count()};
    for (std::size_t i = 0; i < fields.size(); ++i)
        fields[i]->setValue(choices[i].is_made ? choices[i].value : set[i]);
    chosen_threads_ = threads_->value();
}

} // namespace sparsight
