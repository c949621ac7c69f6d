#include "gui/about/about_dialog.h"
#include "gui/program/program.h"
#include "widgets/look/theme.h"
#include "widgets/table/data_table.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QLocale>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QTest>
#include <gmock/gmock.h>

namespace sparsight {
namespace {

class About : public ::testing::Test {
protected:
    About() { apply_theme(application_, ThemeChoice::Light); }
    int count_ = 1;
    char program_[6] = "about";
    char* arguments_[2] = {program_, nullptr};
    QApplication application_{count_, arguments_};
};

TEST_F(About, KnowsAVersionAndALicenceOfEveryLibrary) {
    const QRegularExpression version(QStringLiteral(R"(^\d+\.\d+(\.\d+)*)"));
    for (const LibraryVersion& library : library_versions()) {
        EXPECT_TRUE(version.match(library.version).hasMatch())
            << library.name.toStdString() << ": " << library.version.toStdString();
        EXPECT_FALSE(library.licence.isEmpty()) << library.name.toStdString();
        EXPECT_FALSE(library.purpose.isEmpty()) << library.name.toStdString();
    }
    const auto libraries = library_versions();
    EXPECT_EQ(libraries[0].version, QString::fromLatin1(qVersion()));
}

TEST_F(About, CopiesWhatABugReportNeeds) {
    AboutDialog dialog;
    dialog.show();
    auto* const copy = dialog.findChild<QPushButton*>(QStringLiteral("copy-report"));
    ASSERT_NE(copy, nullptr);
    QTest::mouseClick(copy, Qt::LeftButton);
    const QString report = QGuiApplication::clipboard()->text();
    EXPECT_TRUE(report.startsWith(application_name() + u' ' + application_version()));
    for (const char* const fact :
         {"System: ", "Processor: ", "Qt platform: offscreen", "LLVM 19", "SQLite 3."})
        EXPECT_TRUE(report.contains(QString::fromLatin1(fact))) << fact << " is not in\n"
                                                                << report.toStdString();
    EXPECT_FALSE(report.contains(qEnvironmentVariable("HOME", QStringLiteral("/home")))) << "names the user";
}

TEST_F(About, ShowsTheWholeLicenceAndTheLibrariesAsATable) {
    AboutDialog dialog;
    const auto* const licence = dialog.findChild<QPlainTextEdit*>(QStringLiteral("licence"));
    ASSERT_NE(licence, nullptr);
    EXPECT_TRUE(licence->toPlainText().contains(QStringLiteral("GNU GENERAL PUBLIC LICENSE")));
    EXPECT_TRUE(licence->toPlainText().contains(QStringLiteral("How to Apply These Terms")));

    const auto* const table = dialog.findChild<DataTable*>();
    ASSERT_NE(table, nullptr);
    const QAbstractItemModelTester tester(table->model(),
                                          QAbstractItemModelTester::FailureReportingMode::Fatal);
    EXPECT_EQ(table->model()->rowCount(), static_cast<int>(library_versions().size()));
}

TEST_F(About, SaysWhatTheProgramIsForInAnyDomain) {
    AboutDialog dialog;
    QString texts;
    for (const QLabel* label : dialog.findChildren<QLabel*>())
        texts += label->text();
    EXPECT_TRUE(texts.contains(application_summary()));
    for (const char* const word : {"sparse", "matri", "schedule", "CSR"})
        EXPECT_FALSE(texts.contains(QLatin1String(word), Qt::CaseInsensitive)) << word;
}

TEST_F(About, FollowsAChangeOfTheme) {
    AboutDialog dialog;
    dialog.show();
    apply_theme(application_, ThemeChoice::Dark);
    QApplication::sendPostedEvents();
    EXPECT_EQ(dialog.grab().toImage().pixelColor(2, 2), dark_theme().window);
}

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
