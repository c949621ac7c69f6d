#include "gui/train/learning_choices.h"

#include "gui/jobs/job_texts.h"
#include "gui/page/domain_words.h"
#include "widgets/look/form_layout.h"
#include "widgets/look/number_text.h"
#include "widgets/look/theme.h"

#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QListWidget>
#include <QStyledItemDelegate>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

namespace sparsight {

namespace {

/// Entries with room around their lines.
class EntryDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option,
                                 const QModelIndex& index) const override {
        return QStyledItemDelegate::sizeHint(option, index) + QSize(0, grid_step);
    }
};

} // namespace

ChoiceList::ChoiceList(const QString& id, const QString& name, const QString& tip, QWidget* parent)
    : QListWidget(parent) {
    setObjectName(id);
    setAccessibleName(name);
    setToolTip(tip);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setWordWrap(true);
    setResizeMode(QListView::Adjust);
    setItemDelegate(new EntryDelegate(this));
    setMinimumHeight(84);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Ignored); // such lists share the available height
}

QListWidgetItem* ChoiceList::add(const QString& text, const QString& value) {
    auto* item = new QListWidgetItem(text, this);
    item->setData(Qt::UserRole, value);
    return item;
}

void ChoiceList::add_tickable(const QString& text, const QString& value, bool is_ticked) {
    QListWidgetItem* item = add(text, value);
    item->setFlags(Qt::ItemIsUserCheckable | Qt::ItemIsEnabled);
    item->setCheckState(is_ticked ? Qt::Checked : Qt::Unchecked);
}

QString ChoiceList::value() const {
    return currentItem() == nullptr ? QString() : currentItem()->data(Qt::UserRole).toString();
}

bool ChoiceList::has(const QString& value) const {
    for (int row = 0; row < count(); ++row)
        if (item(row)->data(Qt::UserRole).toString() == value)
            return true;
    return false;
}

void ChoiceList::choose(const QString& value) {
    int chosen = count() > 0 ? 0 : -1;
    for (int row = 0; row < count(); ++row)
        if (item(row)->data(Qt::UserRole).toString() == value)
            chosen = row;
    setCurrentRow(chosen);
}

QStringList ChoiceList::ticked() const {
    QStringList values;
    for (int row = 0; row < count(); ++row)
        if (item(row)->checkState() == Qt::Checked)
            values << item(row)->data(Qt::UserRole).toString();
    return values;
}

namespace {

constexpr int is_imagined_role = Qt::UserRole + 1; ///< of a machine
constexpr int most_lines = 6;
constexpr int line_spacing = 1; ///< above and below: check boxes are as high as their lines

/// What is drawn stands beside the names of stored splits.
const QString drawn_by = QStringLiteral("*by ");
const QString by_workload = QStringLiteral("workload");

QString key_of(const LearningSource& source) {
    return QString::fromStdString(source.setting.text);
}

/// The number of machines that the words name.
int simulated_machines(const QString& words) {
    int count = 0;
    for (const QString& word : words.split(QLatin1Char(','), Qt::SkipEmptyParts)) {
        const bool is_drawn =
            word.startsWith(QStringLiteral("family:")) || word.startsWith(QStringLiteral("deviating:"));
        count += is_drawn ? word.section(u':', 1).toInt() : 1;
    }
    return count;
}

} // namespace

SourceChoice::SourceChoice(const DomainWords& words, const TrainingOffer& offer, QWidget* parent)
    : QWidget(parent)
    , workload_(words.workload)
    , has_simulator_(!offer.simulated.empty())
    , generated_(offer.generated_workloads)
    , setting_(new QComboBox(this))
    , machines_(new QListWidget(this))
    , simulated_(new QComboBox(this))
    , split_(new QComboBox(this))
    , summary_(new QLabel(this)) {
    setting_->setObjectName(QStringLiteral("setting"));
    setting_->setAccessibleName(tr("Setting"));
    setting_->setToolTip(tr("What was computed when it was measured. A model is made for one setting."));
    setting_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    machines_->setObjectName(QStringLiteral("machines"));
    machines_->setAccessibleName(tr("Machines to learn from"));
    machines_->setToolTip(
        tr("Each machine is a task of its own: meta-learning compares them, supervised training "
           "puts them together.") +
        (offer.simulated.empty() ? QString()
                                 : u' ' + tr("Tick none to learn from the simulated ones alone. Fine-tuning "
                                             "then adapts the model to a machine that is new to it.")));
    machines_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    machines_->setTextElideMode(Qt::ElideMiddle);
    machines_->setSpacing(line_spacing);
    simulated_->setObjectName(QStringLiteral("simulated"));
    simulated_->setAccessibleName(tr("Simulated machines to learn from besides"));
    simulated_->setToolTip(offer.simulated_tip);
    simulated_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    simulated_->addItem(tr("Add no simulated machines"), QString());
    for (const auto& [machines, text] : offer.simulated)
        simulated_->addItem(text, machines);
    split_->setObjectName(QStringLiteral("split"));
    split_->setAccessibleName(tr("Split"));
    split_->setToolTip(
        tr("What is learned from, what chooses the best epoch, and what is kept for the test"));
    for (const TrainingChoice& split : training_splits(words)) {
        split_->addItem(split.text, drawn_by + split.value);
        split_->setItemData(split_->count() - 1, split.explanation, Qt::ToolTipRole);
    }
    split_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    summary_->setObjectName(QStringLiteral("source-summary"));
    keep_font(*summary_, caption_font);
    summary_->setForegroundRole(QPalette::PlaceholderText);
    summary_->setWordWrap(true);

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(grid_step / 2);
    column->addWidget(setting_);
    column->addWidget(machines_);
    column->addWidget(simulated_);
    auto* form = new QFormLayout;
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    form->addRow(tr("Split"), split_);
    align_forms({form});
    column->addLayout(form);
    column->addWidget(summary_);

    connect(setting_, &QComboBox::currentIndexChanged, this, [this] {
        if (is_filling_)
            return;
        show_machines();
        show_summary();
        Q_EMIT changed();
    });
    connect(machines_, &QListWidget::itemChanged, this, [this](const QListWidgetItem* item) {
        if (is_filling_)
            return;
        const QString machine = item->data(Qt::UserRole).toString();
        const bool is_ticked = item->checkState() == Qt::Checked;
        put_aside_.reset();
        unchosen_.removeAll(machine);
        imagined_.removeAll(machine);
        if (item->data(is_imagined_role).toBool()) {
            if (is_ticked)
                imagined_ << machine;
        } else if (!is_ticked) {
            unchosen_ << machine;
        }
        show_summary();
        Q_EMIT changed();
    });
    connect(simulated_, &QComboBox::currentIndexChanged, this, [this] {
        show_summary();
        Q_EMIT changed();
    });
    connect(split_, &QComboBox::currentIndexChanged, this, [this] {
        if (is_filling_)
            return;
        split_is_ours_ = false;
        Q_EMIT changed();
    });
    fill();
}

void SourceChoice::set_learning(const StoredLearning& learning, const QString& this_machine) {
    StoredLearning shown = learning;
    shown.runs.clear();
    shown.models.clear();
    if (!has_simulator_)
        shown.imagined.clear();
    if (shown == learning_ && this_machine == this_machine_)
        return;
    learning_ = std::move(shown);
    this_machine_ = this_machine;
    if (put_aside_)
        untick_measured();
    fill();
    Q_EMIT changed();
}

void SourceChoice::fill() {
    is_filling_ = true;
    const QString before = setting_->currentData().toString();
    setting_->clear();
    const auto add = [this](const LearningSource& source) {
        if (setting_->findData(key_of(source)) < 0)
            setting_->addItem(source.setting_text, key_of(source));
    };
    std::ranges::for_each(learning_.sources, add);
    std::ranges::for_each(learning_.imagined, add);
    if (setting_->count() == 0 && can_simulate())
        add(learning_.usual);
    setting_->setCurrentIndex(std::max(0, setting_->findData(before)));
    setting_->setEnabled(setting_->count() > 0);
    if (setting_->count() == 0)
        setting_->setPlaceholderText(tr("nothing measured yet"));
    const QString split = split_->currentData().toString();
    for (int row = split_->count() - 1; !split_->itemData(row).toString().startsWith(drawn_by); --row)
        split_->removeItem(row);
    for (const QString& name : learning_.splits)
        split_->addItem(name, name);
    split_is_ours_ = split_is_ours_ || split_->findData(split) < 0;
    split_->setCurrentIndex(split_->findData(split));
    is_filling_ = false;
    show_machines();
    show_summary();
}

std::vector<LearningSource> SourceChoice::of_setting() const {
    std::vector<LearningSource> found;
    for (LearningSource& source : learning_.learnable(has_simulator_))
        if (key_of(source) == setting_->currentData().toString())
            found.push_back(std::move(source));
    return found;
}

bool SourceChoice::is_chosen(const LearningSource& source) const {
    return source.is_imagined ? imagined_.contains(source.job_name())
                              : !unchosen_.contains(source.job_name());
}

std::vector<LearningSource> SourceChoice::chosen_sources() const {
    auto chosen = of_setting();
    std::erase_if(chosen, [this](const LearningSource& source) { return !is_chosen(source); });
    return chosen;
}

/// Simulated machines need workloads to run.
bool SourceChoice::can_simulate() const {
    return has_simulator_ && (learning_.with_data > 0 || generated_ > 0);
}

void SourceChoice::show_machines() {
    is_filling_ = true;
    machines_->clear();
    for (const LearningSource& source : of_setting()) {
        const QString name = source.is_imagined                ? tr("%1  ·  simulated").arg(source.title())
                             : source.machine == this_machine_ ? tr("%1 (this computer)").arg(source.title())
                                                               : source.title();
        auto* item = new QListWidgetItem(name, machines_);
        item->setData(Qt::UserRole, source.job_name());
        item->setFlags(Qt::ItemIsUserCheckable | Qt::ItemIsEnabled);
        item->setData(is_imagined_role, source.is_imagined);
        item->setCheckState(is_chosen(source) ? Qt::Checked : Qt::Unchecked);
        item->setToolTip(source.is_imagined
                             ? tr("%1\nIt has no runtimes yet: they are simulated when the run begins.")
                                   .arg(source.title())
                             : tr("%1\n%2, %3, protocol %4")
                                   .arg(name, measurements_text(source.measurements),
                                        counted(source.workloads, workload_), source.protocol));
    }
    is_filling_ = false;
    const int lines = std::clamp(machines_->count(), 1, most_lines);
    const int line = machines_->count() > 0 ? machines_->sizeHintForRow(0) : fontMetrics().height() + 4;
    machines_->setFixedHeight(lines * (line + 2 * line_spacing) + 2 * machines_->frameWidth() + 4);
    machines_->setVisible(machines_->count() > 0);
    simulated_->setVisible((machines_->count() > 0 || can_simulate()) && simulated_->count() > 1);
}

void SourceChoice::show_summary() {
    std::int64_t measurements = 0;
    for (const LearningSource& source : chosen_sources())
        measurements += source.measurements;
    summary_->setText(
        learning_.sources.empty() && !learns_from_simulated_alone()
            ? QString()
            : extent_text() + QStringLiteral(" · ") +
                  (learns_from_simulated_alone() ? tr("only simulated") : measurements_text(measurements)));
    show_split();
}

/// "2 machines × 8 matrices", "3 machines with 8 to 32 matrices each": Fine-tune counts those of one machine.
QString SourceChoice::extent_text() const {
    const std::int64_t most = workload_count();
    std::int64_t least = most;
    for (const LearningSource& source : chosen_sources())
        if (!source.is_imagined)
            least = std::min(least, source.workloads);
    const QString machines = machines_text(task_count());
    const QString workloads = counted(most, workload_);
    return least == most ? QStringLiteral("%1 × %2").arg(machines, workloads)
                         : tr("%1 with %2 to %3 each").arg(machines, count_text(least), workloads);
}

/// Of few workloads, of which no more is known than their times, the configurations are parted.
QString SourceChoice::usual_split() const {
    const std::int64_t workloads = workload_count(); // 0: no machine is chosen
    return learning_.has_data || workloads == 0 || workloads >= fewest_sides ? by_workload
                                                                             : QStringLiteral("row");
}

void SourceChoice::show_split() {
    if (!split_is_ours_)
        return;
    const bool was_filling = std::exchange(is_filling_, true);
    split_->setCurrentIndex(split_->findData(drawn_by + usual_split()));
    is_filling_ = was_filling;
}

Setting SourceChoice::setting() const {
    const auto sources = of_setting();
    if (!sources.empty())
        return sources.front().setting;
    return setting_->count() > 0 ? learning_.usual.setting : Setting();
}

QStringList SourceChoice::machines() const {
    QStringList machines;
    for (const LearningSource& source : chosen_sources())
        machines << source.job_name();
    if (machines.isEmpty() && learns_from_simulated_alone())
        machines << QStringLiteral("none");
    return machines;
}

bool SourceChoice::learns_from_simulated_alone() const {
    const auto chosen = chosen_sources();
    return setting_->count() > 0 && (!chosen.empty() || !simulated().isEmpty()) &&
           std::ranges::all_of(chosen, &LearningSource::is_imagined);
}

bool SourceChoice::generates_workloads() const {
    return learns_from_simulated_alone() && generated_ > 0 &&
           (learning_.with_data == 0 || (is_split_by_workload() && learning_.with_data < fewest_sides));
}

QString SourceChoice::simulated() const {
    return simulated_->currentData().toString();
}

void SourceChoice::set_simulated(const QString& words) {
    if (simulated_->findData(words) < 0)
        simulated_->addItem(tr("and %1").arg(words), words); // from a run that was started elsewhere
    simulated_->setCurrentIndex(simulated_->findData(words));
}

void SourceChoice::learn_from_machines(bool is_wanted) {
    if (is_wanted != put_aside_.has_value())
        return;
    if (is_wanted) {
        unchosen_ = std::move(put_aside_->unchosen);
        imagined_ = std::move(put_aside_->imagined);
        put_aside_.reset();
    } else {
        put_aside_ = Ticks{std::move(unchosen_), std::exchange(imagined_, {})};
        untick_measured();
    }
    show_machines();
    show_summary();
    Q_EMIT changed();
}

void SourceChoice::untick_measured() {
    unchosen_.clear();
    for (const LearningSource& source : learning_.sources)
        unchosen_ << source.job_name();
}

QString SourceChoice::split() const {
    const QString chosen = split_->currentData().toString();
    return chosen.startsWith(drawn_by) ? QString() : chosen;
}

QString SourceChoice::split_by() const {
    const QString chosen = split_->currentData().toString();
    return split_is_ours_ || !chosen.startsWith(drawn_by) ? QString() : chosen.sliced(drawn_by.size());
}

void SourceChoice::set_split_by(const QString& split_by) {
    const int row = split_->findData(drawn_by + split_by);
    split_is_ours_ = row < 0;
    if (row >= 0)
        split_->setCurrentIndex(row);
    show_split();
}

bool SourceChoice::is_split_by_workload() const {
    return split_->currentData().toString() == drawn_by + by_workload;
}

int SourceChoice::task_count() const {
    const auto chosen = static_cast<int>(chosen_sources().size());
    return chosen > 0 || learns_from_simulated_alone() ? chosen + simulated_machines(simulated()) : 0;
}

std::int64_t SourceChoice::workload_count() const {
    if (generates_workloads())
        return generated_;
    if (learns_from_simulated_alone())
        return learning_.simulated_workloads(setting());
    std::int64_t most = 0;
    for (const LearningSource& source : chosen_sources())
        if (!source.is_imagined) // it gets the workloads of the measured ones
            most = std::max(most, source.workloads);
    return most;
}

} // namespace sparsight
