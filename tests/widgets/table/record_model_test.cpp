#include "widgets/table/record_model.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <gmock/gmock.h>
#include <random>

namespace sparsight {
namespace {

using Tester = QAbstractItemModelTester;

struct Item {
    QString name;
    double value = 0;
    bool operator==(const Item&) const = default;
};

class ItemModel : public RecordModel<Item> {
public:
    ItemModel()
        : RecordModel<Item>(
              {{.title = QStringLiteral("name"),
                .tooltip = QStringLiteral("what it is called"),
                .text = [](const Item& item) { return item.name; }},
               {.title = QStringLiteral("value"),
                .text = [](const Item& item) { return QStringLiteral("%1 ms").arg(item.value); },
                .raw = [](const Item& item) { return QVariant(item.value); },
                .export_title = QStringLiteral("value [ms]")}},
              [](const Item& item) { return item.name; }) {}
};

QString printed(const QAbstractItemModel& model) {
    QStringList rows;
    for (int row = 0; row < model.rowCount(); ++row) {
        QStringList cells;
        for (int column = 0; column < model.columnCount(); ++column)
            cells << model.index(row, column).data().toString();
        rows << cells.join(u'|');
    }
    return rows.join(u'/');
}

std::vector<Item> items(const char* names) {
    std::vector<Item> result;
    for (const char* name = names; *name != 0; ++name)
        result.push_back({QString(QLatin1Char(*name)), static_cast<double>(*name - 'a')});
    return result;
}

TEST(RecordModel, ShowsTextsAndKeepsRawValues) {
    ItemModel model;
    const Tester tester(&model, Tester::FailureReportingMode::Fatal);
    model.set_rows(items("ab"));
    EXPECT_EQ(printed(model), QStringLiteral("a|0 ms/b|1 ms"));
    EXPECT_EQ(model.index(1, 1).data(raw_value_role).toDouble(), 1);
    EXPECT_EQ(model.headerData(1, Qt::Horizontal, export_title_role).toString(),
              QStringLiteral("value [ms]"));
    EXPECT_EQ(model.headerData(0, Qt::Horizontal, export_title_role).toString(), QStringLiteral("name"));
    EXPECT_EQ(model.headerData(0, Qt::Horizontal, Qt::ToolTipRole).toString(),
              QStringLiteral("what it is called"));
}

TEST(RecordModel, NewRowsAreInsertedWithoutStartingOver) {
    ItemModel model;
    const Tester tester(&model, Tester::FailureReportingMode::Fatal);
    model.set_rows(items("bd"));
    const QPersistentModelIndex d = model.index(1, 0);
    QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
    QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
    QSignalSpy inserted(&model, &QAbstractItemModel::rowsInserted);
    model.set_rows(items("abcdef"));
    EXPECT_EQ(printed(model), QStringLiteral("a|0 ms/b|1 ms/c|2 ms/d|3 ms/e|4 ms/f|5 ms"));
    EXPECT_EQ(d.row(), 3);
    EXPECT_EQ(reset.count(), 0);
    EXPECT_EQ(changed.count(), 0);
    EXPECT_EQ(inserted.count(), 3) << "neighbours are inserted together";
}

TEST(RecordModel, OnlyChangedRowsSaySo) {
    ItemModel model;
    const Tester tester(&model, Tester::FailureReportingMode::Fatal);
    model.set_rows(items("abc"));
    QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
    auto rows = items("abc");
    rows[1].value = 17;
    model.set_rows(rows);
    ASSERT_EQ(changed.count(), 1);
    EXPECT_EQ(changed.at(0).at(0).toModelIndex().row(), 1);
    EXPECT_EQ(changed.at(0).at(1).toModelIndex().column(), 1);
}

TEST(RecordModel, UpdatesKnownRowsAndAppendsOthers) {
    ItemModel model;
    const Tester tester(&model, Tester::FailureReportingMode::Fatal);
    model.set_rows(items("ab"));
    model.update_rows({{QStringLiteral("c"), 1}, {QStringLiteral("a"), 9}, {QStringLiteral("c"), 2}});
    EXPECT_EQ(printed(model), QStringLiteral("a|9 ms/b|1 ms/c|2 ms"));
    EXPECT_EQ(model.row_of(QStringLiteral("c")), 2);
    EXPECT_TRUE(model.remove_row(QStringLiteral("a")));
    EXPECT_FALSE(model.remove_row(QStringLiteral("a")));
    EXPECT_EQ(model.row_of(QStringLiteral("c")), 1);
}

TEST(RecordModel, OfRowsWithTheSameKeyTheFirstCounts) {
    ItemModel model;
    const Tester tester(&model, Tester::FailureReportingMode::Fatal);
    model.set_rows({{QStringLiteral("a"), 1}, {QStringLiteral("a"), 2}});
    EXPECT_EQ(printed(model), QStringLiteral("a|1 ms"));
}

TEST(RecordModel, AnyChangeOfRowsKeepsEachPersistentIndexOnItsKey) {
    ItemModel model;
    const Tester tester(&model, Tester::FailureReportingMode::Fatal);
    std::mt19937 random(7);
    std::vector<std::pair<QString, QPersistentModelIndex>> kept;
    for (int round = 0; round < 200; ++round) {
        std::string names = "abcdefghijkl";
        std::shuffle(names.begin(), names.end(), random);
        names.resize(random() % (names.size() + 1));
        auto rows = items(names.c_str());
        for (Item& row : rows)
            row.value = static_cast<double>(random() % 3);
        kept.clear();
        for (int row = 0; row < model.rowCount(); ++row)
            kept.emplace_back(model.key(row), model.index(row, 1));
        model.set_rows(rows);
        ASSERT_EQ(model.rows(), rows) << names;
        for (const auto& [key, index] : kept) {
            const auto place = model.row_of(key);
            ASSERT_EQ(index.isValid(), place.has_value()) << names;
            ASSERT_EQ(index.row(), place.value_or(-1)) << names;
        }
    }
}

} // namespace
} // namespace sparsight
