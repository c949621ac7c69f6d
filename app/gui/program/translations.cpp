#include "gui/program/translations.h"

#include <QCoreApplication>
#include <QLibraryInfo>
#include <QLocale>
#include <QTranslator>

#include <memory>

namespace sparsight {

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
