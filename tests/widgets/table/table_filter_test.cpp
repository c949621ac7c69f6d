#include "widgets/table/delimited_text.h"
#include "widgets/table/raw_value.h"
#include "widgets/table/table_filter.h"

#include <QAbstractItemModelTester>
#include <QStandardItemModel>
#include <cmath>
#include <gmock/gmock.h>

namespace sparsight {
namespace {

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
