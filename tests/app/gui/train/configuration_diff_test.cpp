#include "gui/train/configuration_diff.h"

#include <QAbstractItemModelTester>
#include <QJsonDocument>
#include <gmock/gmock.h>

namespace sparsight::testing {
namespace {

ConfiguredRun run(const char* name, const char* json) {
    return {QString::fromUtf8(name), QJsonDocument::fromJson(json).object()};
}

std::string printed(const std::vector<ConfigurationRow>& rows) {
    std::string text;
    for (const ConfigurationRow& row : rows)
        text += (row.differs ? "* " : "  ") + row.setting.toStdString() + ": " +
                row.values.join(QStringLiteral(" | ")).toStdString() + "\n";
    return text;
}

TEST(ConfigurationDiff, HasWhatDiffersFirst) {
    EXPECT_EQ(
        printed(compare_configurations(
            {run("a", R"({"name":"a","epochs":80,"method":"maml","machines":["x","y"],"features":true})"),
             run("b", R"({"name":"b","epochs":80,"method":"report","machines":["x"],"rate":0.0001})")})),
        "* features: yes | –\n"
        "* machines: x, y | x\n"
        "* method: maml | report\n"
        "* rate: – | 0.0001\n"
        "  epochs: 80 | 80\n");
}

TEST(ConfigurationDiff, LooksIntoObjects) {
    EXPECT_EQ(printed(compare_configurations({run("a", R"({"inner":{"steps":1,"rate":0.01}})"),
                                              run("b", R"({"inner":{"steps":3,"rate":0.01}})")})),
              "* inner.steps: 1 | 3\n"
              "  inner.rate: 0.01 | 0.01\n");
}

TEST(ConfigurationModel, IsASoundModelWhateverIsChosen) {
    ConfigurationModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    model.set_runs({run("a", R"({"epochs":80})"), run("b", R"({"epochs":40})")});
    EXPECT_EQ(model.columnCount(), 3);
    EXPECT_EQ(model.headerData(2, Qt::Horizontal, Qt::DisplayRole).toString(), QStringLiteral("b"));
    EXPECT_EQ(model.index(0, 2).data().toString(), QStringLiteral("40"));
    model.set_runs({run("a", R"({"epochs":80,"rate":1})")});
    EXPECT_EQ(model.rowCount(), 2);
    model.set_runs({});
    EXPECT_EQ(model.rowCount(), 0);
}

} // namespace
} // namespace sparsight::testing
