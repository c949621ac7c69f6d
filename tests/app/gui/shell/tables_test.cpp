// Every table of every page can be copied and saved.
#include "window_fixture.h"

#include "widgets/table/data_table.h"
#include "widgets/table/table_view.h"

#include <QClipboard>
#include <QFile>

namespace sparsight::testing {
namespace {

TEST_F(WindowTest, EveryTableOfEveryPageIsCopiedAndSavedWithItsTitles) {
    open_workspace_on(QStringLiteral("matrices"));
    int tables = 0;
    int filled = 0;
    for (const QString& id : window().page_ids()) {
        window().show_page(id);
        ASSERT_TRUE(wait_until([&] { return page_is_settled(); })) << id.toStdString();
        for (DataTable* table : window().current_page()->findChildren<DataTable*>()) {
            const std::string which =
                (id + u' ' + table->accessibleName()).toStdString() + " " + std::to_string(++tables);
            const QString file = path("table.csv");
            const auto written = table->write_csv(file);
            ASSERT_TRUE(written.has_value()) << which << ": " << written.error().toStdString();
            QFile csv(file);
            ASSERT_TRUE(csv.open(QIODevice::ReadOnly));
            const QList<QByteArray> lines = csv.readAll().trimmed().split('\n');
            EXPECT_EQ(lines.size(), 1 + static_cast<int>(table->displayed_source_rows().size())) << which;
            EXPECT_FALSE(lines.front().trimmed().isEmpty()) << which << ": titles";
            if (table->displayed_source_rows().empty())
                continue;
            ++filled;
            QGuiApplication::clipboard()->clear();
            table->select_source_row(table->displayed_source_rows().front());
            QTest::keyClick(table->view(), Qt::Key_C, Qt::ControlModifier);
            EXPECT_EQ(QGuiApplication::clipboard()->text().trimmed().count(u'\n'), 1)
                << which << ": titles and a row";
        }
    }
    EXPECT_GE(tables, 6);
    EXPECT_GE(filled, 2);
}

} // namespace
} // namespace sparsight::testing
