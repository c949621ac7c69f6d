// Desktop file, metainfo, file type and icons as they are installed, and that they agree with the program.
#include "gui/program/program.h"
#include "store/workspace.h"
#include "support/test_files.h"

#include <QDir>
#include <QFile>
#include <QMimeDatabase>
#include <QMultiMap>
#include <QProcess>
#include <QRegularExpression>
#include <QXmlStreamReader>
#include <gmock/gmock.h>

namespace sparsight {
namespace {

const QString id = QString::fromLatin1(application_id);

/// Installs into a folder of its own and looks at what is there.
class DesktopIntegration : public ::testing::Test {
protected:
    void SetUp() override {
        const QStringList arguments{QStringLiteral("--install"), QStringLiteral(SPARSIGHT_LINUX_BUILD),
                                    QStringLiteral("--prefix"), prefix()};
        ASSERT_EQ(QProcess::execute(QStringLiteral(SPARSIGHT_CMAKE), arguments), 0);
    }

    [[nodiscard]] QString prefix() const { return QString::fromStdString(folder_.path().string()); }
    [[nodiscard]] QString share(const QString& path) const {
        return prefix() + QStringLiteral("/share/") + path;
    }
    [[nodiscard]] static QByteArray content(const QString& path) {
        QFile file(path);
        EXPECT_TRUE(file.open(QIODevice::ReadOnly)) << path.toStdString();
        return file.readAll();
    }

    /// "Key=value" lines of the only group.
    [[nodiscard]] QMap<QString, QString> desktop_entry() const {
        QMap<QString, QString> entry;
        const QString text =
            QString::fromUtf8(content(share(QStringLiteral("applications/%1.desktop").arg(id))));
        EXPECT_TRUE(text.startsWith(QStringLiteral("[Desktop Entry]\n")));
        for (const QString& line : text.split(u'\n'))
            if (const auto equals = line.indexOf(u'='); equals > 0)
                entry[line.left(equals)] = line.mid(equals + 1);
        return entry;
    }

    /// Texts of the elements of a well-formed XML file, and attributes as "element@attribute".
    [[nodiscard]] static QMultiMap<QString, QString> xml(const QString& path) {
        QMultiMap<QString, QString> found;
        QXmlStreamReader reader(content(path));
        QString element;
        while (!reader.atEnd()) {
            reader.readNext();
            if (reader.isStartElement()) {
                element = reader.name().toString();
                for (const QXmlStreamAttribute& attribute : reader.attributes())
                    found.insert(element + u'@' + attribute.name().toString(), attribute.value().toString());
            } else if (reader.isCharacters() && !reader.isWhitespace()) {
                found.insert(element, reader.text().toString());
            }
        }
        EXPECT_FALSE(reader.hasError()) << path.toStdString() << ": " << reader.errorString().toStdString();
        return found;
    }

    testing::TemporaryFolder folder_;
};

TEST_F(DesktopIntegration, StartsTheProgramWithFiles) {
    const auto entry = desktop_entry();
    EXPECT_EQ(entry[QStringLiteral("Type")], QStringLiteral("Application"));
    EXPECT_EQ(entry[QStringLiteral("Exec")], QStringLiteral("sparsight %F"));
    EXPECT_EQ(entry[QStringLiteral("Icon")], id);
    EXPECT_TRUE(
        entry[QStringLiteral("MimeType")].contains(QStringLiteral("application/x-sparsight-workspace;")));
    for (const char* const list : {"Categories", "Keywords", "MimeType"})
        EXPECT_TRUE(entry[QString::fromLatin1(list)].endsWith(u';')) << list;
}

TEST_F(DesktopIntegration, DescribesThisVersionInTheCatalogue) {
    const auto info = xml(share(QStringLiteral("metainfo/%1.metainfo.xml").arg(id)));
    EXPECT_EQ(info.value(QStringLiteral("id")), id);
    EXPECT_EQ(info.value(QStringLiteral("launchable")), id + QStringLiteral(".desktop"));
    EXPECT_EQ(info.value(QStringLiteral("project_license")), QStringLiteral("GPL-3.0-or-later"));
    EXPECT_EQ(info.value(QStringLiteral("mediatype")), QStringLiteral("application/x-sparsight-workspace"));
    EXPECT_TRUE(info.values(QStringLiteral("release@version")).contains(QStringLiteral(SPARSIGHT_VERSION)));
}

TEST_F(DesktopIntegration, ShowsScreenshotsThatAreInTheRepository) {
    const auto info = xml(share(QStringLiteral("metainfo/%1.metainfo.xml").arg(id)));
    const QStringList images = info.values(QStringLiteral("image"));
    EXPECT_FALSE(images.isEmpty());
    for (const QString& image : images) {
        const qsizetype inside = image.indexOf(QStringLiteral("/resources/screenshots/"));
        ASSERT_GT(inside, 0) << image.toStdString();
        EXPECT_TRUE(QFile::exists(QStringLiteral(SPARSIGHT_SOURCE_DIR) + image.mid(inside)))
            << image.toStdString();
    }
    EXPECT_EQ(info.values(QStringLiteral("caption")).size(), images.size());
}

TEST_F(DesktopIntegration, HasTheIconsThatAreNamed) {
    const auto type = xml(share(QStringLiteral("mime/packages/%1.xml").arg(id)));
    const QString icons = share(QStringLiteral("icons/hicolor/scalable/"));
    EXPECT_TRUE(QFile::exists(icons + QStringLiteral("apps/%1.svg").arg(id)));
    EXPECT_TRUE(QFile::exists(
        icons + QStringLiteral("mimetypes/%1.svg").arg(type.value(QStringLiteral("icon@name")))));
}

TEST_F(DesktopIntegration, RecognisesAWorkspaceByItsNameAndByItsContent) {
    // The desktop's own types would be asked first.
    qputenv("XDG_DATA_DIRS", share({}).toLocal8Bit());
    qputenv("XDG_DATA_HOME", (prefix() + QStringLiteral("/none")).toLocal8Bit());
    const auto path = folder_.path() / "experiment.sparsight";
    {
        const auto workspace = Workspace::create(path, "the test");
        ASSERT_TRUE(workspace) << workspace.error().text();
    }
    const auto renamed = folder_.path() / "no-suffix";
    std::filesystem::copy_file(path, renamed);
    const QString expected = QStringLiteral("application/x-sparsight-workspace");
    const QMimeDatabase types;
    ASSERT_TRUE(types.mimeTypeForName(expected).isValid());
    EXPECT_EQ(types.mimeTypeForFile(QStringLiteral("a.sparsight"), QMimeDatabase::MatchExtension).name(),
              expected);
    EXPECT_EQ(types.mimeTypeForFile(QString::fromStdString(renamed.string())).name(), expected);

    // Another program's SQLite file is none.
    QByteArray other = content(QString::fromStdString(renamed.string()));
    other[68] = 'x';
    EXPECT_NE(types.mimeTypeForData(other).name(), expected);
}

} // namespace
} // namespace sparsight
