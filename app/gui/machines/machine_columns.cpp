#include "gui/machines/machine_columns.h"

#include "machine/parameter_origin.h"
#include "store/imagined_machines.h"
#include "widgets/look/number_text.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>
#include <cmath>

namespace sparsight {

namespace {

QString when(const std::string& utc) {
    const auto time = QDateTime::fromString(QString::fromStdString(utc), Qt::ISODate);
    return QLocale().toString(time.toLocalTime(), QLocale::ShortFormat);
}

struct MachineColumns {
    Q_DECLARE_TR_FUNCTIONS(sparsight::MachinesPage)
};

QString kind_of(const MachineRecord& record) {
    const auto machine = description_of(record);
    switch (machine ? machine->source : MachineSource::Recorded) {
    case MachineSource::Probed:
        return MachineColumns::tr("used here");
    case MachineSource::Simulated:
        return MachineColumns::tr("simulated");
    case MachineSource::Recorded:
        break;
    }
    return MachineColumns::tr("recorded");
}

QString simulation_of(const MachineRecord& record) {
    const auto machine = description_of(record);
    if (machine && machine->source == MachineSource::Simulated)
        return MachineColumns::tr("chosen");
    return machine && without_calibration(*machine) != *machine ? MachineColumns::tr("calibrated")
                                                                : MachineColumns::tr("typical");
}

/// What a description says: a count, where there is no unit. Nothing where it does not, or where there is
/// none.
template <typename ValueOf>
RecordColumn<MachineRecord> number_column(const QString& title, const QString& tooltip, const QString& unit,
                                          ValueOf value_of) {
    const auto value = [value_of](const MachineRecord& record) -> std::optional<double> {
        const auto machine = description_of(record);
        return machine ? value_of(*machine) : std::nullopt;
    };
    RecordColumn<MachineRecord> column;
    column.title = title;
    column.tooltip = tooltip;
    column.text = [value, unit](const MachineRecord& record) {
        const auto known = value(record);
        if (!known)
            return unknown_text();
        return unit.isEmpty() ? count_text(std::llround(*known))
                              : significant(*known) + QLatin1Char(' ') + unit;
    };
    column.raw = [value](const MachineRecord& record) {
        const auto known = value(record);
        return known ? QVariant(*known) : QVariant();
    };
    return column;
}

} // namespace

QString fingerprint_of(const MachineRecord& record) {
    return QString::fromStdString(record.fingerprint);
}

bool is_speed_known(const MachineRecord& record) {
    const auto machine = description_of(record);
    return machine && machine->copy_bandwidth.all_threads;
}

std::vector<RecordColumn<MachineRecord>> machine_columns() {
    RecordColumn<MachineRecord> name;
    name.title = MachineColumns::tr("Machine");
    name.text = [](const MachineRecord& record) { return QString::fromStdString(record.name); };
    name.hint = [](const MachineRecord& record) {
        return MachineColumns::tr("Fingerprint %1").arg(fingerprint_of(record));
    };
    RecordColumn<MachineRecord> kind;
    kind.title = MachineColumns::tr("Kind");
    kind.tooltip =
        MachineColumns::tr("Used here: a computer that this program ran on. Recorded: known by imported "
                           "runtimes. Simulated: its numbers were chosen.");
    kind.text = &kind_of;
    const auto cores = number_column(
        MachineColumns::tr("Cores"), MachineColumns::tr("Physical cores of all sockets."), {},
        [](const MachineDescription& machine) -> std::optional<double> { return machine.cores; });
    const auto bandwidth =
        number_column(MachineColumns::tr("Bandwidth"),
                      MachineColumns::tr("A copy from memory to memory, with all threads."),
                      QStringLiteral("GB/s"), [](const MachineDescription& machine) -> std::optional<double> {
                          const auto rate = machine.copy_bandwidth.all_threads;
                          return rate ? std::optional(rate->value) : std::nullopt;
                      });
    RecordColumn<MachineRecord> date;
    date.title = MachineColumns::tr("Speed measured");
    date.text = [](const MachineRecord& record) {
        const auto machine = description_of(record);
        if (!machine || machine->source != MachineSource::Probed)
            return unknown_text(); // it can't be
        // The record's own date is renewed by a calibration, too.
        return is_speed_known(record) ? when(machine->date.value_or(record.probed))
                                      : MachineColumns::tr("not yet");
    };
    date.raw = [](const MachineRecord& record) {
        const auto machine = description_of(record);
        return QVariant(
            QString::fromStdString(machine ? machine->date.value_or(record.probed) : record.probed));
    };
    RecordColumn<MachineRecord> simulation;
    simulation.title = MachineColumns::tr("Simulation");
    simulation.tooltip = MachineColumns::tr(
        "Calibrated: fitted to what was measured on this machine. Typical: its loops, caches "
        "and threads cost what they usually do. Chosen: it is a simulated machine.");
    simulation.text = &simulation_of;
    return {name, kind, cores, bandwidth, date, simulation};
}

} // namespace sparsight
