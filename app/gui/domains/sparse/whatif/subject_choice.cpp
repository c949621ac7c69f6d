#include "gui/domains/sparse/whatif/subject_choice.h"

#include "gui/page/machine_words.h"
#include "gui/selection/selection.h"
#include "gui/workspace/workspace_session.h"
#include "machine/machine_presets.h"
#include "store/machines.h"

#include <QAbstractItemView>
#include <QSignalBlocker>
#include <algorithm>

namespace sparsight {

MatrixBox::MatrixBox(const Services& services, QWidget* parent)
    : QComboBox(parent)
    , services_(services) {
    setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    constexpr int letters_of_a_matrix = 18;
    setMinimumContentsLength(letters_of_a_matrix);
    setPlaceholderText(tr("none"));
    connect(this, &QComboBox::currentIndexChanged, this, [this](int place) {
        if (place >= 0)
            services_.selection.select_workload(itemText(place));
    });
    connect(&services_.selection, &Selection::changed, this, &MatrixBox::show_matrices);
    for (const auto signal : {&WorkspaceSession::contents_changed, &WorkspaceSession::closed})
        connect(&services_.session, signal, this, &MatrixBox::show_matrices);
    show_matrices();
}

/// Lists the matrices with known entries and shows the selected one, whoever selected it.
void MatrixBox::show_matrices() {
    QStringList names;
    for (const WorkloadRecord& record : services_.session.contents().workloads)
        if (record.payload != PayloadPlace::Unknown)
            names << QString::fromStdString(record.name);
    const QSignalBlocker quiet(this);
    QStringList shown;
    for (int place = 0; place < count(); ++place)
        shown << itemText(place);
    if (shown != names) {
        clear();
        addItems(names);
    }
    const QString selected = services_.selection.current().workload;
    setCurrentIndex(static_cast<int>(names.indexOf(selected)));
    setEnabled(!names.isEmpty());
    setToolTip(names.isEmpty() ? tr("This workspace has no matrix whose entries are known.")
               : currentIndex() < 0
                   ? tr("The matrix whose schedules are ranked: the selected one, everywhere")
                   : tr("%1: the selected matrix, everywhere").arg(selected));
}

namespace {

QString from_view(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

} // namespace

MachineChoice::MachineChoice(WorkspaceSession& session, const QString& nothing, QWidget* parent)
    : ElidingComboBox(parent)
    , session_(session)
    , nothing_(nothing) {
    constexpr int letters_of_a_machine = 32;
    setMinimumContentsLength(letters_of_a_machine);
    fill();
    connect(this, &QComboBox::currentIndexChanged, this, &MachineChoice::chosen_changed);
    for (const auto signal : {&WorkspaceSession::contents_changed, &WorkspaceSession::closed})
        connect(&session_, signal, this, &MachineChoice::fill);
}

QString MachineChoice::workspace_id(const QString& fingerprint) {
    return QStringLiteral("workspace:") + fingerprint;
}

QString MachineChoice::preset_id(const QString& key) {
    return QStringLiteral("preset:") + key;
}

void MachineChoice::set_this_computer(const MachineDescription& machine) {
    this_computer_ = machine;
    fill();
}

void MachineChoice::fill() {
    const auto before = chosen();
    machines_.clear();
    const QString here = session_.this_machine();
    for (const MachineRecord& record : session_.contents().machines)
        if (auto machine = description_of(record)) {
            const QString fingerprint = QString::fromStdString(record.fingerprint);
            const QString name = QString::fromStdString(record.name);
            machines_.push_back({workspace_id(fingerprint),
                                 fingerprint == here ? tr("%1 (this computer)").arg(name) : name, fingerprint,
                                 std::move(*machine)});
        }
    if (this_computer_ && session_.machine(here) == nullptr)
        machines_.push_back({QStringLiteral("here"), tr("This computer, not measured"), {}, *this_computer_});
    const auto is_taken = [this](const QString& title) {
        return std::ranges::find(machines_, title, &ChosenMachine::title) != machines_.end();
    };
    for (MachinePreset& preset : machine_presets()) {
        const QString title = preset_title(preset);
        machines_.push_back({preset_id(from_view(preset.key)),
                             is_taken(title) ? tr("%1 (preset)").arg(title) : title,
                             {},
                             std::move(preset.machine)});
    }
    {
        const QSignalBlocker quiet(this);
        clear();
        if (!nothing_.isEmpty())
            addItem(nothing_);
        for (const ChosenMachine& each : machines_)
            addItem(each.title, each.id);
        const int place = before ? findData(before->id) : 0;
        setCurrentIndex(std::max(0, place));
        constexpr int around_a_name = 40; // for the mark of the chosen entry and a scroll bar
        view()->setMinimumWidth(view()->sizeHintForColumn(0) + around_a_name);
    }
    show_tooltip();
    const auto after = chosen();
    if (before.has_value() != after.has_value() ||
        (after && (after->id != before->id || after->machine != before->machine)))
        Q_EMIT chosen_changed();
}

std::optional<ChosenMachine> MachineChoice::chosen() const {
    const auto found = std::ranges::find(machines_, currentData().toString(), &ChosenMachine::id);
    return found == machines_.end() ? std::nullopt : std::optional(*found);
}

bool MachineChoice::choose(const QString& id) {
    const int place = findData(id);
    if (place >= 0)
        setCurrentIndex(place);
    return place >= 0;
}

} // namespace sparsight
