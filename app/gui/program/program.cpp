#include "gui/program/program.h"

#include <QCoreApplication>
#include <QLibraryInfo>
#include <QLocale>
#include <QTranslator>
#include <memory>

namespace sparsight {

QString application_name() {
    return QStringLiteral("Sparsight");
}

QString application_version() {
    return QStringLiteral(SPARSIGHT_VERSION);
}

QString application_summary() {
    return QCoreApplication::translate("main",
                                       "Finds the fastest way to run a computation on your machine, and "
                                       "shows why it is the fastest.");
}

void install_translations(QCoreApplication& application) {
    const auto install = [&](const QString& name, const QString& folder) {
        auto translator = std::make_unique<QTranslator>(&application);
        if (translator->load(QLocale(), name, QStringLiteral("_"), folder))
            QCoreApplication::installTranslator(translator.release()); // the application owns it
    };
    install(QStringLiteral("qtbase"), QLibraryInfo::path(QLibraryInfo::TranslationsPath));
    install(QStringLiteral("sparsight"), QStringLiteral(":/i18n"));
}

} // namespace sparsight
