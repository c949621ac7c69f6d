// What if in a domain whose times are known and not simulated: on combination locks and on tuning records.
#include "app/gui/shell/domains_fixture.h"
#include "gui/what_if/what_if_page.h"
#include "widgets/chart/chart.h"
#include "widgets/chart/chart_view.h"
#include "widgets/table/table_view.h"
#include "workflow/evaluation/stored_results.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QLabel>
#include <QProcess>
#include <cmath>
#include <fstream>

namespace sparsight::testing {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

ResultRecord timed(const char* combination, double milliseconds) {
    ResultRecord result;
    result.setting = *toy::make_lock_domain()->setting_of({});
    result.configuration = combination;
    result.status = MeasurementStatus::Measured;
    result.median_ms = milliseconds;
    return result;
}

/// "2000" takes 4 ms, "3000" 2 ms, "3100" 1 ms; "3010" was abandoned. Digits change by one step.
ChangeStudy study_of_locks(const Domain& locks) {
    ResultRecord abandoned = timed("3010", 9);
    abandoned.status = MeasurementStatus::GaveUp;
    auto times = comparable_results({timed("2000", 4), timed("3000", 2), timed("3100", 1), abandoned});
    auto study = ChangeStudy::make(locks, abandoned.setting, std::move(times.front()), {}, {});
    EXPECT_TRUE(study.has_value());
    return *std::move(study);
}

TEST(ConfigurationChanges, AreAllThatDifferInOneDecisionWithTheirTimes) {
    const auto locks = toy::make_lock_domain();
    const auto changes = study_of_locks(*locks).changes_of("3000");
    ASSERT_TRUE(changes.has_value());
    const auto& all = changes->configurations;
    ASSERT_EQ(all.size(), 6U) << "2000, 4000, 3100, 3010, 3001, and the studied one";
    EXPECT_TRUE(all[0].is_studied());
    EXPECT_EQ(all[0].text, "3000");
    EXPECT_EQ(all[0].ratio, 1);
    EXPECT_EQ(all[1].text, "3100") << "the fastest change comes first";
    EXPECT_EQ(all[1].decision, "digit 1");
    EXPECT_EQ(all[1].before, "0");
    EXPECT_EQ(all[1].after, "1");
    EXPECT_EQ(all[1].ratio, 0.5);
    EXPECT_EQ(all[2].text, "2000");
    EXPECT_EQ(all[2].ratio, 2);
    EXPECT_EQ(all[3].status, MeasurementStatus::GaveUp);
    EXPECT_EQ(all[3].ratio, std::nullopt) << "what was abandoned has no time of its own";
    EXPECT_EQ(all[5].status, std::nullopt) << "without a time";
    EXPECT_EQ(all[5].ratio, std::nullopt);
    EXPECT_EQ(changes->gain(), &all[1]);
}

TEST(ConfigurationChanges, ADecisionHasAllOfItsValuesInOrder) {
    const auto locks = toy::make_lock_domain();
    const auto changes = study_of_locks(*locks).changes_of("3000");
    ASSERT_EQ(changes->decisions.size(), 4U);
    const auto first = std::ranges::find(changes->decisions, "digit 0", &DecisionAlternatives::name);
    ASSERT_NE(first, changes->decisions.end());
    std::vector<std::string> values;
    for (const DecisionAlternatives::Value& value : first->values)
        values.push_back(value.value);
    EXPECT_THAT(values, ElementsAre("2", "3", "4"));
    EXPECT_EQ(first->values[1].configuration, 0U) << "the studied one is among them";
    EXPECT_EQ(changes->configurations[first->values[0].configuration].text, "2000");
}

TEST(ConfigurationChanges, OfWhatIsNotInTheSpaceThereAreNone) {
    const auto locks = toy::make_lock_domain();
    const ChangeStudy study = study_of_locks(*locks);
    EXPECT_FALSE(study.changes_of("9999").has_value());
    EXPECT_FALSE(study.changes_of("").has_value());
}

TEST(ConfigurationChanges, ADifferenceWithinTheSpreadIsMarked) {
    const auto locks = toy::make_lock_domain();
    ResultRecord here = timed("3000", 2);
    here.spread_ms = 0.2;
    ResultRecord near = timed("3100", 1.9);
    near.spread_ms = 0.1;
    auto times = comparable_results({here, near, timed("2000", 4)});
    const auto study = ChangeStudy::make(*locks, here.setting, std::move(times.front()), {}, {});
    ASSERT_TRUE(study.has_value());
    const auto changes = study->changes_of("3000");
    EXPECT_TRUE(changes->configurations[1].is_in_noise);
    EXPECT_FALSE(changes->configurations[2].is_in_noise);
    ConfigurationChangesModel model;
    model.set_rows(changes->configurations);
    EXPECT_EQ(model.index(1, ConfigurationChangesModel::Ratio).data().toString().toStdString(), "~0.950×");
}

TEST(ConfigurationChanges, WithoutATimeOfItsOwnNothingIsCompared) {
    const auto locks = toy::make_lock_domain();
    const auto changes = study_of_locks(*locks).changes_of("3110");
    EXPECT_EQ(changes->configurations[0].ratio, std::nullopt);
    EXPECT_TRUE(changes->configurations[1].has_time());
    EXPECT_EQ(changes->configurations[1].ratio, std::nullopt);
    EXPECT_EQ(changes->gain(), nullptr);
}

TEST(ConfigurationChanges, TheirTableIsAModel) {
    const auto locks = toy::make_lock_domain();
    const ChangeStudy study = study_of_locks(*locks);
    ConfigurationChangesModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    model.set_rows(study.changes_of("3000")->configurations);
    model.set_rows(study.changes_of("3100")->configurations);
    model.set_noun(QStringLiteral("Combination"));
    EXPECT_EQ(model.headerData(ConfigurationChangesModel::Text, Qt::Horizontal, Qt::DisplayRole).toString(),
              QStringLiteral("Combination"));
    const auto cell = [&](int row, int column) { return model.index(row, column).data().toString(); };
    EXPECT_EQ(cell(0, ConfigurationChangesModel::Text), QStringLiteral("3100"));
    EXPECT_EQ(cell(1, ConfigurationChangesModel::Change), QStringLiteral("1 → 0"));
    EXPECT_EQ(cell(1, ConfigurationChangesModel::Ratio), QStringLiteral("2.00×"));
    EXPECT_EQ(cell(6, ConfigurationChangesModel::Status), QStringLiteral("no recorded time"));
    EXPECT_EQ(cell(6, ConfigurationChangesModel::Time), unknown_text());
}

class DomainWhatIfTest : public DomainsTest {
protected:
    ConfigurationWhatIfPage& open_page() {
        show("whatif");
        auto& page = *qobject_cast<ConfigurationWhatIfPage*>(window().current_page());
        EXPECT_TRUE(wait_until([&] { return page.is_settled() && page.table().model()->rowCount() > 0; }));
        return page;
    }
    /// A workspace with the times of a table.
    QString import_records(const char* table) {
        const QString file = make_workspace();
        std::ofstream(folder_ / "conv.csv") << table;
        QProcess import;
        import.start(QStringLiteral(SPARSIGHT_CLI), {QStringLiteral("import-records"),
                                                     QStringLiteral("--workspace"), file, path("conv.csv")});
        EXPECT_TRUE(import.waitForFinished(60'000));
        EXPECT_EQ(import.exitCode(), 0) << import.readAllStandardError().toStdString();
        return file;
    }
    [[nodiscard]] std::string headline() { return shown<QLabel>("what-if-headline")->text().toStdString(); }
    [[nodiscard]] std::string selected() {
        return program_->selection().current().configuration.toStdString();
    }
    static void click_row(DataTable& table, const QString& text) {
        QAbstractItemModel& rows = *table.view()->model();
        for (int row = 0; row < rows.rowCount(); ++row)
            if (rows.index(row, ConfigurationChangesModel::Change).data().toString() == text) {
                const QModelIndex cell = rows.index(row, ConfigurationChangesModel::Change);
                table.view()->scrollTo(cell);
                QTest::mouseClick(table.view()->viewport(), Qt::LeftButton, {},
                                  table.view()->visualRect(cell).center());
                return;
            }
        ADD_FAILURE() << "no row " << text.toStdString();
    }
};

TEST_F(DomainWhatIfTest, TheFastestIsStudiedWhereNothingIsSelected) {
    open(make_locks());
    choose("locks");
    const auto& page = open_page();
    EXPECT_EQ(selected(), "3100");
    EXPECT_EQ(page.charts().size(), 4U) << "one for each digit";
    EXPECT_EQ(headline(),
              "No change of one decision makes front faster on bench (changes with a recorded time: 1).");
    EXPECT_EQ(shown<QLabel>("what-if-studied")->text().toStdString(),
              "Selected combination: 3100, 1.00\u00A0ms");
}

TEST_F(DomainWhatIfTest, AClickOnARowSelectsTheChangedConfiguration) {
    open(make_locks());
    choose("locks");
    auto& page = open_page();
    click_row(page.table(), QStringLiteral("1 → 0"));
    ASSERT_TRUE(wait_until([&] { return selected() == "3000"; }));
    EXPECT_EQ(headline(), "Changing digit 1 from 0 to 1 makes front 2.00× as fast on bench.");
    EXPECT_EQ(page.table().current_source_row(), 0) << "the selected one is marked";
    click_row(page.table(), QStringLiteral("3 → 4"));
    ASSERT_TRUE(wait_until([&] { return selected() != "3000"; }));
    EXPECT_THAT(headline(), HasSubstr("The selected combination has no recorded time on bench"));
    program_->selection().go_back();
    EXPECT_EQ(selected(), "3000");
    EXPECT_THAT(headline(), HasSubstr("2.00×"));
}

TEST_F(DomainWhatIfTest, AClickOnABarSelectsTheChangedConfiguration) {
    open(make_locks());
    choose("locks");
    program_->selection().select_configuration({}, QStringLiteral("3000"));
    auto& page = open_page();
    const auto bars_of = [](const Chart& chart) {
        return std::get<BarSeries>(chart.view()->content().series.front()).bars;
    };
    const auto digit = std::ranges::find_if(page.charts(), [&](const Chart* chart) {
        const auto bars = bars_of(*chart);
        return std::ranges::any_of(bars, [](const Bar& bar) { return bar.key == QStringLiteral("3100"); });
    });
    ASSERT_NE(digit, page.charts().end());
    EXPECT_EQ((*digit)->selected().toString(), QStringLiteral("3000"));
    ASSERT_EQ(bars_of(**digit).size(), 2U);
    EXPECT_EQ(bars_of(**digit)[1].value, 1);
    const auto other = std::ranges::find_if(page.charts(), [&](const Chart* chart) {
        return bars_of(*chart).size() == 3; // digit 0: 2, 3 and 4
    });
    ASSERT_NE(other, page.charts().end());
    EXPECT_TRUE(std::isnan(bars_of(**other)[2].value)) << "the place of a value without a time is empty";
    EXPECT_FALSE(bars_of(**other)[2].absence.isEmpty()) << "and says why";
    EXPECT_TRUE(bars_of(**digit)[1].absence.isEmpty());
    ChartView& view = *(*digit)->view();
    ASSERT_TRUE(wait_until([&] { return view.isVisible() && view.height() > 100; }));
    const ChartTransform& place = view.chart_layout().transform;
    QTest::mouseClick(view.viewport(), Qt::LeftButton, {},
                      QPointF(place.pixel_x(1.5), place.pixel_y(0.5)).toPoint());
    EXPECT_EQ(selected(), "3100");
}

TEST_F(DomainWhatIfTest, AnotherWorkloadKeepsTheSelectedConfiguration) {
    open(make_locks());
    choose("locks");
    program_->selection().select_configuration({}, QStringLiteral("0000"));
    open_page();
    program_->selection().select_workload(QStringLiteral("back"));
    ASSERT_TRUE(wait_until([&] { return page_is_settled(); }));
    EXPECT_EQ(selected(), "0000");
    EXPECT_EQ(headline(), "No change of one decision has a recorded time on bench.");
    EXPECT_EQ(shown<QLabel>("what-if-studied")->text().toStdString(),
              "Selected combination: 0000, 4.00\u00A0ms");
}

TEST_F(DomainWhatIfTest, TheTableIsExportedAsItIsShown) {
    open(make_locks());
    choose("locks");
    auto& page = open_page();
    page.table().set_column_shown(ConfigurationChangesModel::Text, true);
    page.table().set_filter_text(QStringLiteral("1 → 0"));
    const std::string csv = page.table().displayed_as_csv().toStdString();
    EXPECT_THAT(csv, HasSubstr("ratio_to_selected"));
    EXPECT_THAT(csv, HasSubstr("Combination"));
    EXPECT_THAT(csv, HasSubstr("3000"));
}

TEST_F(DomainWhatIfTest, SparseMatricesHaveAPageOfTheirOwn) {
    open(make_locks());
    show("whatif");
    EXPECT_EQ(qobject_cast<ConfigurationWhatIfPage*>(window().current_page()), nullptr);
}

TEST_F(DomainWhatIfTest, WhatWasRecordedOnAnotherMachineAloneHasNoTimeHere) {
    const QString file = import_records("workload,machine,tile_x,tile_y,time_ms\n"
                                        "small,K20,8,1,3\nsmall,K20,16,1,2\nsmall,K20,8,2,6\n"
                                        "small,Titan,32,1,1\n");
    open(file);
    choose("records");
    const auto* const machine = program_->session().contents().machines.data();
    ASSERT_EQ(machine->name, "K20");
    program_->selection().select_machine(QString::fromStdString(machine->fingerprint));
    program_->selection().select_configuration({}, QStringLiteral("tile_x=8 tile_y=1"));
    auto& page = open_page();
    EXPECT_EQ(headline(), "Changing tile_x from 8 to 16 makes small 1.50× as fast on K20.");
    EXPECT_THAT(column(page.table(), QStringLiteral("Change")), ElementsAre("", "8 → 16", "1 → 2", "8 → 32"));
    EXPECT_THAT(column(page.table(), QStringLiteral("Status")), Contains("no recorded time"));
    EXPECT_EQ(page.charts().size(), 2U);
}

TEST_F(DomainWhatIfTest, TimesOfAnotherRunAreChosenAbove) {
    open(import_records("workload,machine,run,tile_x,time_ms\n"
                        "small,K20,first,8,3\nsmall,K20,first,16,2\nsmall,K20,first,32,4\n"
                        "small,K20,second,8,1\nsmall,K20,second,16,4\n"));
    choose("records");
    program_->selection().select_configuration({}, QStringLiteral("tile_x=8"));
    open_page();
    EXPECT_EQ(headline(), "Changing tile_x from 8 to 16 makes small 1.50× as fast on K20.");
    auto* const set = shown<QComboBox>("setting");
    ASSERT_EQ(set->count(), 2);
    QTest::keyClick(set, Qt::Key_Down);
    ASSERT_TRUE(wait_until([&] { return page_is_settled(); }));
    EXPECT_EQ(headline(),
              "No change of one decision makes small faster on K20 (changes with a recorded time: 1).");
}

} // namespace
} // namespace sparsight::testing
