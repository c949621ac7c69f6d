#include "gui/about/system_report.h"

#include "gui/about/library_versions.h"
#include "gui/program/program.h"
#include "machine/probe.h"

#include <QApplication>
#include <QLibraryInfo>
#include <QLocale>
#include <QScreen>
#include <QStyle>
#include <QSysInfo>

namespace sparsight {

namespace {

QString screens_text() {
    QStringList screens;
    for (const QScreen* const screen : QGuiApplication::screens())
        screens << QStringLiteral("%1 × %2 at %3 %")
                       .arg(screen->size().width())
                       .arg(screen->size().height())
                       .arg(qRound(screen->devicePixelRatio() * 100));
    return screens.join(QStringLiteral(", "));
}

Result<MachineDescription> read_facts() {
    ProbeOptions options;
    options.measure = false;
    return probe_this_computer(options);
}

QString processor_text(const MachineDescription& machine) {
    QString text = machine.cpu_model ? QString::fromStdString(*machine.cpu_model) : QStringLiteral("unknown");
    if (machine.cores)
        text += QStringLiteral(", %1 cores").arg(*machine.cores);
    if (machine.threads)
        text += QStringLiteral(", %1 threads").arg(*machine.threads);
    return text;
}

QString instruction_sets(const MachineDescription& machine) {
    QStringList names;
    for (const std::string& name : machine.instruction_sets)
        names << QString::fromStdString(name);
    return names.join(QLatin1Char(' '));
}

} // namespace

std::vector<std::pair<QString, QString>> system_facts() {
    std::vector<std::pair<QString, QString>> facts;
    const auto add = [&](const char* name, const QString& value) {
        if (!value.isEmpty())
            facts.emplace_back(QString::fromLatin1(name), value);
    };
    add("System", QSysInfo::prettyProductName());
    add("Kernel", QSysInfo::kernelType() + QLatin1Char(' ') + QSysInfo::kernelVersion());
    add("Architecture", QSysInfo::currentCpuArchitecture());
    if (const auto machine = read_facts()) {
        add("Processor", processor_text(*machine));
        add("Instruction sets", instruction_sets(*machine));
        if (machine->memory_bytes)
            add("Memory", QString::fromStdString(format_bytes(*machine->memory_bytes)));
    }
    add("Qt platform", QGuiApplication::platformName());
    add("Qt style", QApplication::style()->name());
    add("Qt build",
        QLibraryInfo::build() != nullptr ? QString::fromLatin1(QLibraryInfo::build()) : QString());
    add("Screens", screens_text());
    add("Locale", QLocale::system().name());
    return facts;
}

QString bug_report_text() {
    QString text = application_name() + QLatin1Char(' ') + application_version() + QLatin1Char('\n');
    for (const auto& [name, value] : system_facts())
        text += QStringLiteral("%1: %2\n").arg(name, value);
    QStringList libraries;
    for (const LibraryVersion& library : library_versions())
        libraries << library.name + QLatin1Char(' ') + library.version;
    return text + QStringLiteral("Libraries: %1\n").arg(libraries.join(QStringLiteral(", ")));
}

} // namespace sparsight
