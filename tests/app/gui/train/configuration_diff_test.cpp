#include "gui/train/configuration_diff.h"

#include <QAbstractItemModelTester>
#include <QJsonDocument>
#include <gmock/gmock.h>

namespace sparsight::testing {
namespace {

ConfiguredRun run(const char* name, const char* json) {
    const auto machine_name = [](const QString& fingerprint) { return fingerprint.toUpper(); };
    return {QString::fromUtf8(name), settings_in_words(QJsonDocument::fromJson(json).object(), machine_name)};
}

std::string printed(const std::vector<ConfigurationRow>& rows) {
    std::string text;
    for (const ConfigurationRow& row : rows)
        text += (row.differs ? "* " : "  ") + row.setting.toStdString() + ": " +
                row.values.join(QStringLiteral(" | ")).toStdString() + "\n";
    return text;
}

TEST(ConfigurationDiff, HasWhatDiffersFirstInTheWordsOfTheForm) {
    EXPECT_EQ(
        printed(compare_configurations(
            {run("a", R"({"name":"a","epochs":80,"method":"maml","machines":["x","y"],"baseline":true})"),
             run("b", R"({"name":"b","epochs":80,"method":"report","machines":["x"],"rate":0.0001})")})),
        "* Machines: X, Y | X\n"
        "* Method: MAML | The report’s loop\n"
        "* Boosted trees beside it: yes | –\n"
        "* Rate: – | 0.0001\n"
        "  Epochs: 80 | 80\n");
}

TEST(ConfigurationDiff, LooksIntoObjectsThatItDoesNotKnow) {
    EXPECT_EQ(printed(compare_configurations({run("a", R"({"future":{"steps":1,"rate":0.01}})"),
                                              run("b", R"({"future":{"steps":3,"rate":0.01}})")})),
              "* future.steps: 1 | 3\n"
              "  future.rate: 0.01 | 0.01\n");
}

TEST(ConfigurationDiff, SaysWhetherTheMeasurementsAreTheSameAndNeverADigest) {
    const char* first = R"({"data":{"laptop":{"runtimes":864,"digest":"31ab"}}})";
    EXPECT_EQ(printed(compare_configurations({run("a", first), run("b", first)})),
              "  Measurements of laptop: 864 | 864\n");
    EXPECT_EQ(printed(compare_configurations(
                  {run("a", first), run("b", R"({"data":{"laptop":{"runtimes":864,"digest":"77cd"}}})"),
                   run("c", R"({"data":{"laptop":{"runtimes":900,"digest":"88ef"}}})")})),
              "* Measurements of laptop: 864 | 864, other ones | 900\n");
}

TEST(ConfigurationDiff, LeavesOutWhatAMethodDoesNotRead) {
    EXPECT_EQ(printed(compare_configurations({run("a", R"({"method":"supervised","inner_steps":1})"),
                                              run("b", R"({"method":"fomaml","inner_steps":3})"),
                                              run("c", R"({"architecture":"trees","epochs":80})")})),
              "* Method: Supervised | FOMAML | –\n"
              "* Inner steps: – | 3 | –\n"
              "* Model: – | – | Boosted trees\n");
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
