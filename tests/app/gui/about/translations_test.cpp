#include "gui/program/translations.h"

#include <QApplication>
#include <QLocale>
#include <gmock/gmock.h>

namespace sparsight {
namespace {

TEST(Translations, LeaveTheProgramInEnglishWhereThereAreNone) {
    int count = 1;
    char program[] = "translations";
    char* arguments[] = {program, nullptr};
    const QLocale before;
    QLocale::setDefault(QLocale(QLocale::Welsh));
    QApplication application(count, arguments);
    install_translations(application);
    EXPECT_EQ(QCoreApplication::translate("sparsight::HelpPage", "Help"), QStringLiteral("Help"));
    QLocale::setDefault(before);
}

} // namespace
} // namespace sparsight
