#include "gui/machines/machine_facts.h"

#include "gui/page/domain_words.h"
#include "machine/machine_parameters.h"
#include "store/machines.h"
#include "widgets/look/number_text.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLocale>
#include <QStringList>
#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <memory>
#include <ranges>

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
    switch (machine_kind(record.fingerprint, machine ? machine->source : MachineSource::Recorded)) {
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

/// A number of the description, a count where there is no unit; nothing where the description lacks it.
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

namespace {

using SheetFacts = std::map<std::string, QJsonObject>; // by fingerprint

QString words_of(std::string_view text) {
    return QString::fromUtf8(text.data(), std::ssize(text));
}

const QString cores_key = QStringLiteral("cores");

/// What a description and a sheet have in common.
QVariant described_value(const MachineRecord& record, const QString& key) {
    const auto machine = key == cores_key ? description_of(record) : std::nullopt;
    return machine && machine->cores ? QVariant(double(*machine->cores)) : QVariant();
}

RecordColumn<MachineRecord> sheet_column(const QString& key, std::shared_ptr<const SheetFacts> sheets) {
    const DataSheetField* const field = find_data_sheet_field(key.toStdString());
    RecordColumn<MachineRecord> column;
    column.title = key;
    column.export_title = key;
    column.tooltip = MachineColumns::tr("Read from the imported sheet of machines.");
    if (field != nullptr) {
        // Bytes have their unit in the cell, for it depends on their number.
        const bool has_unit = !field->unit.empty() && field->quantity != SheetQuantity::Bytes;
        column.title = words_of(field->title);
        if (has_unit)
            column.title += QStringLiteral(" (%1)").arg(words_of(field->unit));
        column.tooltip = words_of(field->meaning);
    }
    column.raw = [key, sheets](const MachineRecord& record) {
        const auto sheet = sheets->find(record.fingerprint);
        const QVariant value = sheet == sheets->end() ? QVariant() : fact_value(sheet->second.value(key));
        return value.isValid() ? value : described_value(record, key);
    };
    column.text = [raw = column.raw, field](const MachineRecord& record) {
        const QVariant value = raw(record);
        return field != nullptr && value.typeId() == QMetaType::Double
                   ? sheet_number_text(*field, value.toDouble(), field->quantity == SheetQuantity::Bytes)
                   : fact_text(value);
    };
    column.hint = column.text;
    return column;
}

/// Numbers before texts, and what the sheets say of most machines first.
std::vector<RecordColumn<MachineRecord>> sheet_columns(const std::map<std::string, std::string>& json) {
    const auto sheets = std::make_shared<SheetFacts>();
    std::map<QString, std::pair<int, int>> known; // of how many machines, as a number and at all
    for (const auto& [machine, text] : json) {
        const QJsonObject sheet = QJsonDocument::fromJson(QByteArray::fromStdString(text)).object();
        for (auto fact = sheet.begin(); fact != sheet.end(); ++fact) {
            auto& [numbers, all] = known[fact.key()];
            numbers += fact_value(*fact).typeId() == QMetaType::Double ? 1 : 0;
            all += fact_text(fact_value(*fact)).isEmpty() ? 0 : 1;
        }
        sheets->emplace(machine, sheet);
    }
    std::vector<std::pair<QString, std::pair<int, int>>> names(known.begin(), known.end());
    std::ranges::stable_sort(names, std::ranges::greater{}, &std::pair<QString, std::pair<int, int>>::second);
    std::vector<RecordColumn<MachineRecord>> columns;
    for (const auto& [name, count] : names)
        if (count.second > 0)
            columns.push_back(sheet_column(name, sheets));
    return columns;
}

/// What is read from a description: by a simulator, and by people.
std::vector<RecordColumn<MachineRecord>> description_columns() {
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
            return unknown_text(); // can't happen
        // A calibration renews the record's own date, too.
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
    return {cores, bandwidth, date, simulation};
}

} // namespace

std::vector<RecordColumn<MachineRecord>> machine_columns(bool has_simulator,
                                                         const std::vector<MachineRecord>& machines,
                                                         const std::map<std::string, std::string>& sheets) {
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
    std::vector<RecordColumn<MachineRecord>> columns{name, kind};
    auto described = description_columns();
    if (!has_simulator) { // nobody reads descriptions, and most machines have none
        described.pop_back();
        if (std::ranges::none_of(machines,
                                 [](const MachineRecord& each) { return description_of(each).has_value(); }))
            described.clear();
        auto of_sheets = sheet_columns(sheets);
        if (!described.empty() &&
            std::ranges::find(of_sheets, cores_key, &RecordColumn<MachineRecord>::export_title) !=
                of_sheets.end())
            described.erase(described.begin()); // the column of the sheets has those cores, too
        std::ranges::move(of_sheets, std::back_inserter(columns));
    }
    std::ranges::move(described, std::back_inserter(columns));
    return columns;
}

namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

class FactList {
    Q_DECLARE_TR_FUNCTIONS(sparsight::MachineFacts)

public:
    explicit FactList(const MachineDescription& machine) {
        add_processor(machine);
        add_caches(machine);
        add_memory(machine);
    }

    std::vector<MachineFact> facts;

private:
    void add(const QString& name, const QString& value, double raw, const QString& meaning) {
        facts.push_back({group_, name, value, raw, meaning});
    }
    void add_text(const QString& name, const std::optional<std::string>& text, const QString& meaning) {
        add(name, text ? QString::fromStdString(*text) : unknown_text(), unknown, meaning);
    }
    void add_count(const QString& name, std::optional<int> count, const QString& meaning) {
        add(name, count ? count_text(*count) : unknown_text(), count ? *count : unknown, meaning);
    }
    template <typename Unit>
    void add_rate(const QString& name, const std::optional<Quantity<Unit>>& rate, double scale,
                  const QString& unit, const QString& meaning) {
        add(name, rate ? si_text(rate->value * scale, unit) : unknown_text(), rate ? rate->value : unknown,
            meaning);
    }

    void add_processor(const MachineDescription& machine) {
        group_ = tr("Processor");
        add_text(tr("Model"), machine.cpu_model, tr("The operating system’s name for it."));
        add_count(tr("Cores"), machine.cores,
                  tr("Physical cores. A kernel that computes all the time gains up to this factor from "
                     "threads."));
        add_count(tr("Threads"), machine.threads,
                  tr("Hardware threads: more than cores where each core runs two. They hide waiting for "
                     "memory, but share the core's arithmetic units."));
        add_rate(tr("Clock"), machine.clock, 1e9, QStringLiteral("Hz"),
                 tr("The highest that a core is said to run at; many threads at work run slower."));
        add_count(
            tr("SIMD width (floats)"), machine.float_lanes,
            tr("How many float32 numbers one instruction handles. A loop shorter than this leaves lanes "
               "empty."));
        QStringList sets;
        for (const std::string& set : machine.instruction_sets)
            sets << QString::fromStdString(set);
        add(tr("Instruction sets"), sets.isEmpty() ? unknown_text() : sets.join(QStringLiteral(", ")),
            unknown, tr("What compiled kernels may use. They are compiled for exactly this computer."));
        add_rate(
            tr("Peak multiply-adds, one thread"), machine.peak_fma.one_thread, 1e9, QStringLiteral("flop/s"),
            tr("Measured: fused multiply-adds on registers, two operations each. No kernel can be faster "
               "than its operations divided by this."));
        add_rate(tr("Peak multiply-adds, all threads"), machine.peak_fma.all_threads, 1e9,
                 QStringLiteral("flop/s"), tr("Measured, with every hardware thread at work."));
    }

    void add_caches(const MachineDescription& machine) {
        group_ = tr("Caches");
        for (const CacheLevel& cache : machine.caches) {
            QString value = bytes_text(static_cast<double>(cache.bytes));
            if (cache.instances)
                value = tr("%1 × %2").arg(count_text(*cache.instances), value);
            if (cache.shared_by_threads)
                value += *cache.shared_by_threads == 1
                             ? tr(", each for one thread")
                             : tr(", each shared by %1 threads").arg(*cache.shared_by_threads);
            add(tr("Level %1").arg(cache.level), value, static_cast<double>(cache.bytes),
                cache.level == 1
                    ? tr("The nearest: a few cycles away.")
                    : tr("What is used again should fit here, or it comes from farther away each "
                         "time."));
        }
    }

    void add_memory(const MachineDescription& machine) {
        group_ = tr("Memory");
        const auto bytes = machine.memory_bytes;
        add(tr("Size"), bytes ? bytes_text(static_cast<double>(*bytes)) : unknown_text(),
            bytes ? static_cast<double>(*bytes) : unknown, tr("What this program may use."));
        add_count(tr("NUMA nodes"), machine.numa_nodes,
                  tr("Memories that are near to some cores and farther from the others."));
        add_rate(tr("Copy bandwidth, one thread"), machine.copy_bandwidth.one_thread, 1e9,
                 QStringLiteral("B/s"),
                 tr("Measured: bytes read plus bytes written by a copy (as STREAM counts). Work with little "
                    "reuse can't be faster than its bytes divided by this."));
        add_rate(
            tr("Copy bandwidth, all threads"), machine.copy_bandwidth.all_threads, 1e9, QStringLiteral("B/s"),
            tr("Measured. Where it is hardly more than with one thread, more threads do not help kernels "
               "that are bound by memory."));
        const auto latency = machine.memory_latency;
        add(tr("Latency"), latency ? duration_text(latency->count() * 1e-6) : unknown_text(),
            latency ? latency->count() : unknown,
            tr("Measured: one load from a random place in memory, each waiting for the last. Accesses "
               "that jump pay this unless other loads hide it."));
    }

    QString group_;
};

} // namespace

std::vector<MachineFact> machine_facts(const MachineDescription& machine) {
    return FactList(machine).facts;
}

namespace {

/// A fact of data sheets with its unit and meaning, and one of a table of machines as it is.
MachineFact sheet_fact(const QString& key, const QVariant& value) {
    const bool is_number = value.typeId() == QMetaType::Double;
    MachineFact fact{MachineColumns::tr("Data sheet"), key, fact_text(value),
                     is_number ? value.toDouble() : unknown,
                     MachineColumns::tr("Read from the imported sheet of machines.")};
    const DataSheetField* const field = find_data_sheet_field(key.toStdString());
    if (field == nullptr)
        return fact;
    fact.name = words_of(field->title);
    fact.meaning = words_of(field->meaning);
    if (is_number)
        fact.value = sheet_number_text(*field, fact.raw, true);
    return fact;
}

} // namespace

QString sheet_number_text(const DataSheetField& field, double value, bool has_unit) {
    if (has_unit && field.quantity == SheetQuantity::Bytes)
        return bytes_text(value);
    const bool is_year = field.key == "launch_year"; // its digits have no groups
    const QString number = is_year || value != std::floor(value) || std::abs(value) > 1e15
                               ? fact_text(value)
                               : count_text(static_cast<qint64>(value));
    return has_unit && !field.unit.empty() ? with_unit(number, words_of(field.unit)) : number;
}

std::vector<MachineFact> sheet_facts(const QByteArray& json) {
    const QJsonObject sheet = QJsonDocument::fromJson(json).object();
    std::vector<MachineFact> facts;
    if (sheet.isEmpty())
        return facts;
    for (const DataSheetField& field : data_sheet_fields()) { // what is unknown, too
        const QString key = QString::fromUtf8(field.key.data(), std::ssize(field.key));
        if (sheet.contains(key) || field.is_hardware_parameter)
            facts.push_back(sheet_fact(key, fact_value(sheet.value(key))));
    }
    for (auto fact = sheet.begin(); fact != sheet.end(); ++fact)
        if (find_data_sheet_field(fact.key().toStdString()) == nullptr)
            facts.push_back(sheet_fact(fact.key(), fact_value(*fact)));
    return facts;
}

} // namespace sparsight
