#include "widgets/table/cell_values.h"
#include "widgets/table/record_model.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QStandardItemModel>
#include <cmath>
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

TEST(RecordModel, ShowsOtherColumnsOfTheSameRows) {
    ItemModel model;
    const Tester tester(&model, Tester::FailureReportingMode::Fatal);
    model.set_rows(items("ab"));
    model.set_columns({{.title = QStringLiteral("length"),
                        .text = [](const Item& item) { return QString::number(item.name.size()); }}});
    EXPECT_EQ(printed(model), QStringLiteral("1/1"));
    EXPECT_EQ(model.headerData(0, Qt::Horizontal, Qt::DisplayRole).toString(), QStringLiteral("length"));
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

using Tester = QAbstractItemModelTester;

class Filtered {
public:
    Filtered() {
        filter.setSourceModel(&model);
        add("row10", 10.0, "10 ms");
        add("row9", 9.0, "9 ms");
        add("none", QVariant(), "–");
        add("row2", -2.5, "−2.5 ms");
        add("nan", std::nan(""), "–");
        add("big", QVariant(qlonglong{9'007'199'254'740'993}), "9.0×10¹⁵");
        add("bigger", QVariant(qlonglong{9'007'199'254'740'994}), "9.0×10¹⁵");
    }

    void add(const char* name, const QVariant& raw, const char* text) {
        auto* const value = new QStandardItem(QString::fromUtf8(text));
        value->setData(raw, raw_value_role);
        model.appendRow({new QStandardItem(QString::fromUtf8(name)), value});
    }

    [[nodiscard]] QString names() const {
        QStringList result;
        for (int row = 0; row < filter.rowCount(); ++row)
            result << filter.index(row, 0).data().toString();
        return result.join(u' ');
    }

    QStandardItemModel model{0, 2};
    TableFilter filter;
    Tester model_tester{&model, Tester::FailureReportingMode::Fatal};
    Tester filter_tester{&filter, Tester::FailureReportingMode::Fatal};
};

TEST(TableFilter, FindsATextThatIsShownShortenedAsItStands) {
    Filtered table;
    table.add("short", QStringLiteral("the whole text"), "the w…");
    table.filter.set_filter_text(QStringLiteral("whole"));
    EXPECT_EQ(table.names(), QStringLiteral("short"));
}

TEST(TableFilter, SortsNumbersAsNumbersWithMissingOnesLast) {
    Filtered table;
    table.filter.sort(1, Qt::AscendingOrder);
    EXPECT_EQ(table.names(), QStringLiteral("row2 row9 row10 big bigger none nan"));
}

TEST(TableFilter, PutsMissingOnesLastAlsoWhenDescending) {
    Filtered table;
    table.filter.sort(1, Qt::DescendingOrder);
    EXPECT_EQ(table.names(), QStringLiteral("bigger big row10 row9 row2 none nan"));
}

TEST(TableFilter, SortsTextsInNaturalOrder) {
    Filtered table;
    table.filter.sort(0, Qt::AscendingOrder);
    EXPECT_EQ(table.names(), QStringLiteral("big bigger nan none row2 row9 row10"));
}

TEST(TableFilter, MatchesAnyColumnAsARegularExpressionWithoutCase) {
    Filtered table;
    table.filter.set_filter_text(QStringLiteral("^ROW\\d$|×10"));
    EXPECT_EQ(table.names(), QStringLiteral("row9 row2 big bigger"));
    EXPECT_FALSE(table.filter.filter_is_plain_text());
    table.filter.set_filter_text({});
    EXPECT_EQ(table.filter.rowCount(), 7);
}

TEST(TableFilter, TakesAnInvalidExpressionAsPlainText) {
    Filtered table;
    table.add("mesh(2", 1, "1 ms");
    table.filter.set_filter_text(QStringLiteral("h(2"));
    EXPECT_EQ(table.names(), QStringLiteral("mesh(2"));
    EXPECT_TRUE(table.filter.filter_is_plain_text());
}

TEST(TableFilter, FindsANumberByThePlainSpacesThatOneTypes) {
    Filtered table;
    table.add("mesh", 1234, "1\u202F234\u00A0ms");
    table.filter.set_filter_text(QStringLiteral("1 234 ms"));
    EXPECT_EQ(table.names(), QStringLiteral("mesh"));
    table.filter.set_filter_text(QStringLiteral("1\u202F234\u00A0ms")); // pasted
    EXPECT_EQ(table.names(), QStringLiteral("mesh"));
}

TEST(TableFilter, FollowsChangesOfTheSource) {
    Filtered table;
    table.filter.sort(1, Qt::AscendingOrder);
    table.filter.set_filter_text(QStringLiteral("row"));
    table.add("row1", 9.5, "9.5 ms");
    EXPECT_EQ(table.names(), QStringLiteral("row2 row9 row1 row10"));
    table.model.item(0, 1)->setData(-7.0, raw_value_role);
    EXPECT_EQ(table.names(), QStringLiteral("row10 row2 row9 row1"));
    table.model.removeRow(1);
    EXPECT_EQ(table.names(), QStringLiteral("row10 row2 row1"));
}

struct FieldCase {
    const char* text;
    const char* field;
};

TEST(CsvField, IsQuotedAsRfc4180AsksFor) {
    for (const auto& [text, field] : {FieldCase{"plain", "plain"},
                                      {"", ""},
                                      {"a,b", "\"a,b\""},
                                      {"say \"x\"", "\"say \"\"x\"\"\""},
                                      {"two\nlines", "\"two\nlines\""},
                                      {"cr\r", "\"cr\r\""},
                                      {" space ", " space "},
                                      {"semi;colon", "semi;colon"}})
        EXPECT_EQ(csv_field(QString::fromUtf8(text)).toStdString(), field);
}

TEST(CsvText, EndsEachLineInCrLf) {
    EXPECT_EQ(csv_text({{QStringLiteral("a"), QStringLiteral("b,c")}, {QStringLiteral("1"), {}}}),
              QStringLiteral("a,\"b,c\"\r\n1,\r\n"));
    EXPECT_EQ(csv_text({}), QString());
}

TEST(TsvText, HasNoTabsWithinFields) {
    EXPECT_EQ(tsv_text({{QStringLiteral("a\tb"), QStringLiteral("c\nd")}}), QStringLiteral("a b\tc d\n"));
}

TEST(ExportedText, HasNumbersInFullAndNothingForMissingOnes) {
    Filtered table;
    EXPECT_EQ(exported_text(table.model.index(3, 1)), QStringLiteral("-2.5"));
    EXPECT_EQ(exported_text(table.model.index(5, 1)), QStringLiteral("9007199254740993"));
    EXPECT_EQ(exported_text(table.model.index(4, 1)), QString());
    EXPECT_EQ(exported_text(table.model.index(0, 0)), QStringLiteral("row10"));
    EXPECT_EQ(exported_number(0.1), QStringLiteral("0.1"));
    EXPECT_EQ(exported_number(1.0 / 3).toDouble(), 1.0 / 3);
}

} // namespace
} // namespace sparsight
