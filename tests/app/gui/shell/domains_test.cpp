// The window on workspaces of several domains: the switch, the general pages, and a domain that only the
// tests have.
#include "app/gui/shell/domains_fixture.h"
#include "gui/configurations/configurations_page.h"
#include "gui/configurations/measure_bar.h"
#include "gui/domains/records/import_records_dialog.h"
#include "gui/jobs/views/import_report.h"
#include "gui/machines/machine_comparison_view.h"
#include "gui/machines/machine_facts.h"
#include "gui/page/domain_words.h"
#include "gui/workloads/workloads_page.h"
#include "machine/machine_presets.h"
#include "store/machines.h"
#include "widgets/chart/chart.h"
#include "widgets/chart/chart_view.h"
#include "widgets/chart/plots/heat_map.h"
#include "widgets/chart/plots/waterfall_chart.h"
#include "widgets/look/number_text.h"
#include "widgets/table/table_view.h"
#include "workflow/chosen_setting.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QRegularExpression>
#include <QTabWidget>
#include <fstream>
#include <map>

namespace sparsight::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST_F(WindowTest, TheSwitchSaysWhyThereIsNothingToChoose) {
    const auto* const domain = find<QToolButton>("domain");
    EXPECT_EQ(domain->text().toStdString(), "Sparse kernels");
    EXPECT_FALSE(domain->isEnabled());
    EXPECT_EQ(domain->toolTip().toStdString(), "This program has one domain only.");
}

TEST_F(DomainsTest, TheSwitchNeedsAWorkspace) {
    const auto* const domain = find<QToolButton>("domain");
    EXPECT_FALSE(domain->isEnabled());
    EXPECT_EQ(domain->toolTip().toStdString(), "No workspace is open.");
    open(make_locks());
    EXPECT_TRUE(domain->isEnabled());
}

TEST_F(DomainsTest, TheSwitchChangesPagesAndTheirTitles) {
    open(make_locks());
    EXPECT_TRUE(window().page_ids().startsWith(QStringLiteral("matrices")));
    EXPECT_EQ(find<QToolButton>("navigate-matrices")->text().toStdString(), "Matrices");
    choose("locks");
    EXPECT_EQ(find<QToolButton>("domain")->text().toStdString(), "Locks");
    EXPECT_THAT(window().page_ids(), ::testing::Contains(QStringLiteral("workloads")));
    EXPECT_EQ(window().page(QStringLiteral("matrices")), nullptr)
        << "a page that means nothing in a domain is absent";
    EXPECT_EQ(find<QToolButton>("navigate-workloads")->text().toStdString(), "Locks");
    EXPECT_EQ(find<QToolButton>("navigate-configurations")->text().toStdString(), "Combinations");
    EXPECT_EQ(window().current_page()->id(), QStringLiteral("workloads")) << "the same kind of page";
    choose("sparse");
    EXPECT_EQ(window().current_page()->id(), QStringLiteral("matrices"));
    EXPECT_EQ(program_->selection().current().workload.toStdString(), "banded");
}

TEST_F(DomainsTest, GeneralPagesAreMadeInTheWordsOfTheDomainAndGoWithIt) {
    open(make_locks());
    EXPECT_EQ(window().findChild<WorkloadsPage*>(), nullptr) << "no domain that was looked at needs it";
    choose("locks");
    EXPECT_NE(window().findChild<WorkloadsPage*>(), nullptr);
    show("train");
    EXPECT_EQ(window().current_page()->findChild<QPushButton*>(QStringLiteral("go-measuring"))->text(),
              QStringLiteral("&Measure combinations"));
    EXPECT_EQ(window().current_page()->findChild<QComboBox*>(QStringLiteral("architecture"))->count(), 3)
        << "the networks that every domain has, and boosted trees";
    show("finetune");
    EXPECT_THAT(
        window().current_page()->findChild<QLabel*>(QStringLiteral("shot-difference"))->text().toStdString(),
        HasSubstr("that number of locks"));
    choose("sparse");
    EXPECT_EQ(window().findChild<WorkloadsPage*>(), nullptr);
    show("train");
    EXPECT_EQ(window().current_page()->findChild<QComboBox*>(QStringLiteral("architecture"))->count(), 4);
}

/// Pages of the domain that is left are removed with what they read.
TEST_F(DomainsTest, EveryPageCanBeLeftWhileItReads) {
    open(make_locks());
    choose("locks");
    for (const QString& id : window().page_ids()) {
        window().show_page(id);
        choose("sparse");
        ASSERT_NE(window().current_page(), nullptr) << id.toStdString();
        EXPECT_TRUE(window().page_ids().startsWith(QStringLiteral("matrices"))) << id.toStdString();
        choose("locks");
    }
}

TEST_F(DomainsTest, TheProgramCanEndWhileItReads) {
    open(make_locks());
    choose("locks");
    for (const char* const id : {"results", "failures", "what-if"})
        window().show_page(QLatin1String(id));
    program_->session().refresh();
    program_.reset();
}

TEST_F(DomainsTest, APageIsFoundByTheNameOfItsPlace) {
    open(make_locks());
    window().show_page(QStringLiteral("configurations"));
    EXPECT_EQ(window().current_page()->id(), QStringLiteral("schedules"));
    EXPECT_EQ(program_->selection().current().page, QStringLiteral("schedules"));
}

TEST_F(DomainsTest, FilesAreImportedAsTheDomainDoesIt) {
    open(make_locks());
    choose("records");
    window().open_files({path("tables.csv")});
    auto* const dialog = window().findChild<ImportRecordsDialog*>();
    ASSERT_NE(dialog, nullptr);
    EXPECT_TRUE(dialog->isVisible());
    dialog->reject();
}

TEST_F(DomainsTest, TablesOfTuningRecordsAreKnownByTheirNamesWhateverIsLookedAt) {
    const auto tables_asked_for = [this] {
        auto* const dialog = window().findChild<ImportRecordsDialog*>();
        const QStringList tables = dialog == nullptr ? QStringList() : dialog->request().tables;
        if (dialog != nullptr) {
            dialog->reject();
            QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        }
        return tables;
    };
    for (const char* const name : {"conv.csv", "conv.csv.xz", "conv.txt"})
        std::ofstream(folder_ / name) << "workload,machine,tile,time_ms\nsmall,K20,8,3.5\n";
    open(make_locks());
    ASSERT_EQ(program_->session().domain().name(), "sparse");
    window().open_files({path("conv.csv")});
    EXPECT_EQ(tables_asked_for(), QStringList{path("conv.csv")});
    window().open_files({path("conv.csv.xz")});
    EXPECT_EQ(tables_asked_for(), QStringList{path("conv.csv.xz")});
    window().open_files({path("conv.txt")}, "records");
    EXPECT_EQ(tables_asked_for(), QStringList{path("conv.txt")}) << "as the domain is named";
}

TEST_F(DomainsTest, MachinesWithoutASimulatorAreListedWithTheFactsOfTheirSheet) {
    const QString file = make_locks();
    {
        auto workspace = Workspace::open(file.toStdString());
        const auto bench = recorded_machine(*workspace, "bench");
        ASSERT_TRUE(bench.has_value());
        ASSERT_TRUE(set_machine_facts(*workspace, *bench,
                                      R"({"arch":"brass","clock_ghz":1.695,"launch_year":2013,"lanes":65536,
                                          "mem_gb":16,"pins":"5"})")
                        .has_value());
    }
    open(file);
    choose("locks");
    show("machines");
    const auto* const list = window().current_page()->findChild<DataTable*>();
    EXPECT_THAT(column(*list, QStringLiteral("Memory (GB)")), ElementsAre("16"));
    EXPECT_THAT(column(*list, QStringLiteral("Launch year")), ElementsAre("2013"));
    EXPECT_THAT(column(*list, QStringLiteral("clock_ghz")), ElementsAre("1.695")) << "not rounded";
    EXPECT_THAT(column(*list, QStringLiteral("lanes")), ElementsAre(count_text(65536).toStdString()));
    EXPECT_THAT(column(*list, QStringLiteral("pins")), ElementsAre("5"));
    EXPECT_THAT(column(*list, QStringLiteral("Generation")), ElementsAre("brass"));
    const auto* const rows = list->model();
    EXPECT_EQ(rows->headerData(rows->columnCount() - 1, Qt::Horizontal).toString(),
              QStringLiteral("Generation"))
        << "numbers come before texts";
    EXPECT_THAT(column(*list, QStringLiteral("Bandwidth")), ElementsAre()) << "of processors alone";
    EXPECT_THAT(column(*list, QStringLiteral("Simulation")), ElementsAre());
    const auto* const facts = window().current_page()->findChild<ExplainedTable*>()->table().view();
    EXPECT_TRUE(facts->isColumnHidden(0)) << "all are of the data sheet";
    choose("sparse");
    show("machines");
    EXPECT_EQ(column(*window().current_page()->findChild<DataTable*>(), QStringLiteral("Bandwidth")).size(),
              1);
}

TEST(MachineColumns, HaveReadableNamesWithUnitsAndEachFactOnce) {
    const auto described = find_machine_preset("epyc-7543");
    ASSERT_TRUE(described.has_value());
    const MachineRecord here{
        .name = "here", .fingerprint = "a", .description = machine_to_text(described->machine), .probed = {}};
    const MachineRecord card{
        .id = {}, .name = "card", .fingerprint = "recorded:card", .description = "{}", .probed = {}};
    const auto columns = machine_columns(
        false, {here, card},
        {{"recorded:card",
          R"({"cores":84,"boost_clock_mhz":1800,"fp32_lanes":6144,"launch_year":2021,"cache_line_bytes":128})"}});
    std::map<std::string, std::pair<std::string, std::string>> cells; // of both machines, by title
    for (const auto& column : columns)
        EXPECT_TRUE(cells
                        .try_emplace(column.title.toStdString(), column.text(here).toStdString(),
                                     column.text(card).toStdString())
                        .second)
            << column.title.toStdString();
    using Cells = std::pair<std::string, std::string>;
    EXPECT_EQ(cells["Cores"], Cells("64", "84")) << "of the description or of the sheet";
    EXPECT_EQ(cells["Boost clock (MHz)"], Cells("–", count_text(1800).toStdString()));
    EXPECT_EQ(cells["float32 lanes"], Cells("–", count_text(6144).toStdString())) << "grouped as 10 752 is";
    EXPECT_EQ(cells["Launch year"], Cells("–", "2021"));
    EXPECT_EQ(cells["Cache line"], Cells("–", bytes_text(128).toStdString()));
}

/// On "bench" 3100 is the fastest, on the second machine it is the slowest.
TEST_F(DomainsTest, MachinesAreComparedByTheTimesOfTheSelectedWorkload) {
    const QString file = make_locks();
    {
        auto workspace = Workspace::open(file.toStdString());
        const auto locks = toy::make_lock_domain();
        const auto setting = locks->setting_of({});
        const auto bench = recorded_machine(*workspace, "bench").value();
        const auto vice = recorded_machine(*workspace, "vice").value();
        const auto lock = find_workload(*workspace, "locks", "front").value().value().id;
        double time = 1;
        for (const char* combination : {"0000", "3000", "3100"}) {
            Measurement measurement;
            measurement.status = MeasurementStatus::Measured;
            measurement.median = Milliseconds(time);
            time *= 3;
            ASSERT_TRUE(record_measurement(*workspace, {lock, vice, *setting, "recorded", ""},
                                           *locks->written(*setting, combination), measurement)
                            .has_value());
        }
        ASSERT_TRUE(
            set_machine_facts(*workspace, bench, R"({"cores":4,"mem_gb":16,"note":"old"})").has_value());
        ASSERT_TRUE(set_machine_facts(*workspace, vice, R"({"cores":8,"mem_gb":16})").has_value());
    }
    open(file);
    choose("locks");
    program_->selection().select_workload(QStringLiteral("front"));
    show("machines");
    shown<QTabWidget>("machine-tabs")->setCurrentIndex(1);
    auto* const view = shown<MachineComparisonView>("machine-comparison");
    ASSERT_TRUE(wait_until([&] { return view->is_settled() && view->comparison().has_value(); }));
    EXPECT_THAT(shown<QLabel>("comparison-sentence")->text().toStdString(),
                HasSubstr("At worst it takes 9.00×"));
    auto* const map = shown<HeatMap>("machine-map");
    ASSERT_EQ(map->picture().rows.size(), 2);
    EXPECT_EQ(map->picture().rows[0].name, QStringLiteral("bench"));
    QTest::mouseClick(map, Qt::LeftButton, {}, map->place_of({0, 1}).toPoint());
    EXPECT_EQ(program_->selection().current().machine, QStringLiteral("recorded:vice"))
        << "the machine of the row is selected on all pages";
    EXPECT_THAT(shown<QLabel>("pair-title")->text().toStdString(),
                HasSubstr("The best of bench takes 9.00× as long on vice"));
    const auto* const differences = shown<DataTable>("sheet-differences");
    EXPECT_THAT(column(*differences, QStringLiteral("Fact")), ElementsAre("Cores"))
        << "no fact that both have, and no note";
    EXPECT_THAT(column(*differences, QStringLiteral("vice")), ElementsAre("8"));
    EXPECT_EQ(shown<DataTable>("machine-pairs")->model()->rowCount(), 2) << "the same as a table";
    program_->selection().select_workload(QStringLiteral("back"));
    ASSERT_TRUE(wait_until([&] { return view->is_settled() && !view->comparison().has_value(); }))
        << "of this one only one machine has times";
}

TEST_F(DomainsTest, TheSelectionSaysHowManyFactsOfTheMachineItLeavesOut) {
    const QString file = make_locks();
    {
        auto workspace = Workspace::open(file.toStdString());
        ASSERT_TRUE(set_machine_facts(*workspace, recorded_machine(*workspace, "bench").value(),
                                      R"({"a":1,"b":2,"c":3,"d":4,"a_number_of_pins_of_a_cylinder":5,
                                          "f":6,"vendor":"brass"})")
                        .has_value());
    }
    open(file);
    choose("locks");
    program_->selection().select_machine(QStringLiteral("recorded:bench"));
    const std::string facts = find<QLabel>("machine-facts")->text().toStdString();
    EXPECT_THAT(facts, HasSubstr("cylinder")) << "however long its name is";
    EXPECT_THAT(facts, HasSubstr("<a href='machines'>2 more facts</a>"));
}

TEST_F(DomainsTest, AWorkspaceOpensWithItsDomain) {
    const QString file = make_locks();
    open(file);
    choose("locks");
    program_->session().close();
    EXPECT_EQ(program_->session().domain().name(), "sparse") << "that of a new workspace";
    open(file);
    EXPECT_EQ(program_->session().domain().name(), "locks");
    EXPECT_EQ(window().current_page()->id(), QStringLiteral("workloads"));
}

TEST_F(DomainsTest, ADomainOfTheTestsHasItsWorkloadsListed) {
    open(make_locks());
    choose("locks");
    show("workloads");
    auto* const list = find<DataTable>("workload-list");
    EXPECT_THAT(column(*list, QStringLiteral("Lock")), ElementsAre("front", "back"));
    EXPECT_THAT(column(*list, QStringLiteral("weight")), ElementsAre("1.50", "1.50"));
    EXPECT_EQ(program_->selection().current().workload.toStdString(), "front");
    auto* const best = find<DataTable>("best-per-machine");
    ASSERT_TRUE(wait_until([&] { return best->model()->rowCount() == 1; }));
    EXPECT_THAT(column(*best, QStringLiteral("Fastest")), ElementsAre("3100"));
}

TEST_F(DomainsTest, AWorkloadIsShownWithItsTimesAndTheDecisionsOfItsConfigurations) {
    open(make_locks());
    choose("locks");
    show("workloads");
    auto* const best = find<DataTable>("best-per-machine");
    ASSERT_TRUE(wait_until([&] { return best->model()->rowCount() == 1; }));
    EXPECT_EQ(find<QLabel>("workload-headline")->text().toStdString(),
              "front takes 1.00\u00A0ms with the fastest combination, on bench.");
    EXPECT_THAT(find<QLabel>("workload-counts")->text().toStdString(),
                HasSubstr("3 combinations  ·  1 machine  ·  3 times"));
    EXPECT_THAT(column(*best, QStringLiteral("Times")), ElementsAre("3"));
    EXPECT_THAT(column(*best, QStringLiteral("Longest time")), ElementsAre("4.00\u00A0ms"));
    const auto& curves = find<Chart>("workload-times")->view()->content().series;
    ASSERT_EQ(curves.size(), 1U);
    EXPECT_THAT(std::get<LineSeries>(curves.front()).x, ElementsAre(1, 2, 4));
    EXPECT_THAT(std::get<LineSeries>(curves.front()).y.back(), 1);
    EXPECT_TRUE(find<QLabel>("workload-times-left-out")->isHidden()) << "all machines are drawn";
    EXPECT_THAT(find<QLabel>("workload-decisions")->text().toStdString(), HasSubstr("0, 3"));
    best->select_source_row(0);
    EXPECT_EQ(program_->session().machine(program_->selection().current().machine)->name, "bench");
    program_->selection().select_workload(QStringLiteral("back"));
    ASSERT_TRUE(wait_until(
        [&] { return find<QLabel>("workload-headline")->text().startsWith(QStringLiteral("back")); }));
}

TEST_F(DomainsTest, TheWorkloadsPageScrollsWhereTheWindowIsLow) {
    open(make_locks());
    choose("locks");
    show("workloads");
    window().resize(940, 500);
    auto* const best = find<DataTable>("best-per-machine");
    ASSERT_TRUE(wait_until([&] { return best->model()->rowCount() == 1; }));
    EXPECT_GE(find<Chart>("workload-times")->height(), 150) << "its curves can be told apart";
    EXPECT_GE(best->height(), 100);
}

TEST_F(DomainsTest, ADomainOfTheTestsHasItsConfigurationsRanked) {
    open(make_locks());
    choose("locks");
    show("configurations");
    auto* const list = find<DataTable>("configuration-list");
    ASSERT_TRUE(wait_until([&] { return list->model()->rowCount() == 3; }));
    EXPECT_THAT(column(*list, QStringLiteral("Combination")), ElementsAre("3100", "3000", "0000"));
    EXPECT_THAT(column(*list, QStringLiteral("Ratio to best")), ElementsAre("1.00×", "2.00×", "4.00×"));
    EXPECT_THAT(column(*list, QStringLiteral("Speedup")), ElementsAre("4.00×", "2.00×", "1.00×"))
        << "over all zeros";
    EXPECT_EQ(window().current_page()->findChild<QLabel*>(QStringLiteral("headline"))->text().toStdString(),
              "The fastest combination runs front in 1.00\u00A0ms on bench: 3100");
}

TEST_F(DomainsTest, APageWithoutTimesOffersTheMachinesThatHaveSome) {
    const QString file = make_locks();
    {
        auto workspace = Workspace::open(file.toStdString());
        ASSERT_TRUE(recorded_machine(*workspace, "another").has_value());
    }
    open(file);
    choose("locks");
    const auto& machines = program_->session().contents().machines;
    const auto another = std::ranges::find(machines, std::string("another"), &MachineRecord::name);
    ASSERT_NE(another, machines.end());
    for (const char* const page : {"configurations", "whatif"}) {
        SCOPED_TRACE(page);
        program_->selection().select_workload(QStringLiteral("front"));
        program_->selection().select_machine(QString::fromStdString(another->fingerprint));
        show(page);
        QLabel* offers = nullptr;
        ASSERT_TRUE(wait_until([&] {
            for (auto* const label : window().current_page()->findChildren<QLabel*>())
                if (label->isVisible() && label->text().contains(QLatin1String("bench</a>: 3 times")))
                    offers = label;
            return offers != nullptr;
        })) << all_that_is_shown();
        const QString to =
            QRegularExpression(QStringLiteral("href='([^']*)'")).match(offers->text()).captured(1);
        Q_EMIT offers->linkActivated(to);
        ASSERT_TRUE(wait_until([&] {
            return program_->session().machine(program_->selection().current().machine)->name == "bench";
        }));
        EXPECT_TRUE(wait_until([&] { return !offers->isVisible(); })) << "its times are shown";
    }
}

TEST_F(DomainsTest, AConfigurationIsSelectedOnAllPages) {
    open(make_locks());
    choose("locks");
    show("configurations");
    auto* const list = find<DataTable>("configuration-list");
    ASSERT_TRUE(wait_until([&] { return list->model()->rowCount() == 3; }));
    list->select_source_row(1);
    EXPECT_EQ(program_->selection().current().configuration.toStdString(), "3000");
    auto* const chart = window().current_page()->findChild<Chart*>(QStringLiteral("configuration-times"));
    ASSERT_NE(chart, nullptr);
    EXPECT_EQ(chart->selected().toString().toStdString(), "3000");
    show("workloads");
    show("configurations");
    EXPECT_EQ(list->current_source_row(), 1);
}

TEST_F(DomainsTest, TheSelectedConfigurationIsExplainedByKnownTimes) {
    window().resize(1500, 800);
    open(make_locks());
    choose("locks");
    show("configurations");
    auto* const list = find<DataTable>("configuration-list");
    ASSERT_TRUE(wait_until([&] { return list->model()->rowCount() == 3; }));
    const auto sentence = [&] { return shown<QLabel>("why-sentence")->text().toStdString(); };
    EXPECT_THAT(sentence(), StartsWith("Select a combination in the table"));
    EXPECT_FALSE(shown<QComboBox>("why-against")->isVisible());
    list->select_source_row(0); // 3100, and of what lies between it and 0000 only 3000 has a time
    auto* const steps = shown<WaterfallChart>("known-steps");
    ASSERT_TRUE(wait_until([&] { return page_is_settled() && steps->isVisible(); }));
    EXPECT_EQ(shown<QComboBox>("why-against")->currentText(), QStringLiteral("all zeros, rank 3"));
    EXPECT_THAT(sentence(), StartsWith("The largest saving: "));
    EXPECT_THAT(sentence(), HasSubstr("as 3 instead of 0 saves 2.00\u00A0ms"));
    EXPECT_THAT(sentence(), HasSubstr("of the gain of 3.00\u00A0ms"));
    EXPECT_THAT(shown<QLabel>("why-method")->text().toStdString(), HasSubstr("3 of 4 have one"));
    EXPECT_THAT(shown<QLabel>("why-method")->text().toStdString(), HasSubstr("50.0\u00A0% of the ways"));
    const WaterfallPicture& picture = steps->picture();
    EXPECT_EQ(picture.from.value, 4);
    EXPECT_EQ(picture.to.value, 1);
    ASSERT_EQ(picture.steps.size(), 2U);
    EXPECT_EQ(picture.steps[0].amount + picture.steps[1].amount, -3);

    auto* const against = shown<QComboBox>("why-against");
    against->setFocus();
    QTest::keyClick(against, Qt::Key_Down); // the middle one, 3000
    ASSERT_TRUE(wait_until([&] { return page_is_settled() && steps->picture().steps.size() == 1; }));
    EXPECT_THAT(sentence(), StartsWith("One decision alone: "));
    list->select_source_row(2); // the baseline itself: compared with the middle one, too
    EXPECT_TRUE(wait_until([&] { return sentence().ends_with("costs 2.00\u00A0ms."); }));
    EXPECT_EQ(against->itemText(0), QStringLiteral("the fastest, rank 1"));
}

TEST_F(DomainsTest, WhereNoMixtureIsKnownNoDecisionIsBlamed) {
    window().resize(1500, 800);
    const QString file = make_locks();
    {
        auto workspace = Workspace::open(file.toStdString());
        const auto locks = toy::make_lock_domain();
        const auto setting = locks->setting_of({});
        const auto lock = find_workload(*workspace, "locks", "front");
        Measurement measurement;
        measurement.status = MeasurementStatus::Measured;
        measurement.median = Milliseconds(8);
        ASSERT_TRUE(record_measurement(*workspace,
                                       {(*lock)->id, recorded_machine(*workspace, "bench").value(), *setting,
                                        "recorded", ""},
                                       *locks->written(*setting, "0044"), measurement)
                        .has_value());
    }
    open(file);
    choose("locks");
    show("configurations");
    auto* const list = find<DataTable>("configuration-list");
    ASSERT_TRUE(wait_until([&] { return list->model()->rowCount() == 4; }));
    list->select_source_row(3); // two digits from all zeros
    EXPECT_TRUE(wait_until([&] {
        return shown<QLabel>("why-sentence")
            ->text()
            .startsWith(QStringLiteral("No decision can be blamed: none of the 2 mixtures"));
    }));
    EXPECT_FALSE(shown<WaterfallChart>("known-steps")->isVisible());
}

TEST_F(DomainsTest, ANarrowPageHidesTheReasonsUntilTheUserWantsThem) {
    open(make_locks());
    choose("locks");
    show("configurations");
    auto* const why = shown<QWidget>("configuration-why");
    window().resize(1500, 800);
    ASSERT_TRUE(wait_until([&] { return why->isVisible(); }));
    window().resize(940, 500);
    ASSERT_TRUE(wait_until([&] { return !why->isVisible(); }));
    for (auto* const button : window().current_page()->findChildren<QToolButton*>())
        if (button->defaultAction() == find<QAction>("show-why"))
            click(button);
    EXPECT_TRUE(why->isVisible());
    window().resize(930, 500);
    QCoreApplication::processEvents();
    EXPECT_TRUE(why->isVisible()) << "as the user chose";
}

TEST_F(DomainsTest, ADomainIsMeasuredOnItsPageOfConfigurationsWhereTheWorkerCan) {
    open(make_locks());
    choose("locks");
    show("configurations");
    const auto* const bar = window().current_page()->findChild<MeasureBar*>();
    ASSERT_NE(bar, nullptr);
    EXPECT_EQ(bar->refusal().toStdString(), "");
    EXPECT_EQ(bar->request().workloads, QStringList{QStringLiteral("front")});
    shown<QComboBox>("measured-workloads")->setCurrentIndex(1);
    EXPECT_EQ(bar->request().workloads, (QStringList{QStringLiteral("front"), QStringLiteral("back")}));
    const JobDescription job = describe(bar->request());
    EXPECT_EQ(job.title, QStringLiteral("Measure 2 locks"));
    for (const char* word : {"collect", "--domain=locks", "--workload=back", "--configurations=100"})
        EXPECT_TRUE(job.arguments.contains(QLatin1String(word))) << word;
    choose("records");
    show("configurations");
    EXPECT_EQ(window().current_page()->findChild<MeasureBar*>(), nullptr);
    show("train");
    EXPECT_TRUE(shown<QPushButton>("go-measuring")->isHidden());
}

TEST_F(DomainsTest, TimesOfSeveralConditionsAreSetsOfTheirOwn) {
    const auto locks = toy::make_lock_domain();
    ResultRecord result;
    result.setting = *locks->setting_of({});
    result.configuration = "0000";
    result.status = MeasurementStatus::Measured;
    result.median_ms = 2;
    ResultRecord slower = result;
    slower.configuration = "1000";
    slower.median_ms = 5;
    ResultRecord failed = result;
    failed.configuration = "2000";
    failed.status = MeasurementStatus::Failed;
    failed.median_ms.reset();
    ResultRecord elsewhere = result;
    elsewhere.condition = "run=2";
    const auto sets = time_sets(*locks, {failed, elsewhere, slower, result});
    ASSERT_EQ(sets.size(), 2U);
    EXPECT_EQ(sets[0].times.size(), 3U) << "the set with the most times is first";
    EXPECT_EQ(sets[0].best()->result.configuration, "0000");
    EXPECT_EQ(sets[0].times[1].ratio, 2.5);
    EXPECT_EQ(sets[0].times[2].rank, 0) << "it has no time";
    EXPECT_EQ(sets[0].decisions.size(), 4U);
    EXPECT_EQ(sets[0].times[1].values.front(), QStringLiteral("1"));
}

TEST_F(DomainsTest, AllRatiosOfASetGoByTheMeasureOfItsRanking) {
    const auto locks = toy::make_lock_domain();
    ResultRecord best;
    best.setting = *locks->setting_of({});
    best.configuration = "0000";
    best.status = MeasurementStatus::Measured;
    best.median_ms = 2;
    best.speedup = 2;
    ResultRecord slower = best;
    slower.configuration = "1000";
    slower.median_ms = 5;
    slower.speedup = 1;
    auto sets = time_sets(*locks, {slower, best});
    EXPECT_EQ(sets[0].times[1].ratio, 2) << "the computer was slower then";
    ResultRecord slowest = slower;
    slowest.configuration = "2000";
    slowest.median_ms = 6;
    slowest.speedup.reset();
    sets = time_sets(*locks, {slowest, slower, best});
    EXPECT_EQ(sets[0].times[1].ratio, 2.5) << "ranked by their medians, as one has no speedup";
    EXPECT_EQ(sets[0].times[2].ratio, 3);
}

TEST_F(DomainsTest, ImportsTuningRecordsAndShowsThem) {
    open(make_workspace());
    std::ofstream(folder_ / "conv.csv") << "workload,machine,tile_x,tile_y,time_ms\n"
                                           "small,K20,8,1,3.5\nsmall,K20,16,1,2.5\nsmall,K20,16,2,oops\n"
                                           "small,Titan,8,1,1.5\nlarge,K20,8,1,30\n";
    find<QAction>("import-records")->trigger();
    ImportRecordsDialog* dialog = nullptr;
    ASSERT_TRUE(wait_until([&] {
        dialog = window().findChild<ImportRecordsDialog*>();
        return dialog != nullptr && dialog->isVisible();
    }));
    auto* const import = dialog->findChild<QPushButton*>(QStringLiteral("import"));
    EXPECT_FALSE(import->isEnabled());
    EXPECT_FALSE(import->toolTip().isEmpty()) << "a disabled button says why";
    dialog->add_tables({path("conv.csv")});
    click(import);
    ASSERT_TRUE(wait_until([&] { return program_->session().domain().name() == "records"; }, 60))
        << window().notices().texts().join(u'\n').toStdString();
    EXPECT_THAT(window().notices().texts().join(u'\n').toStdString(),
                ::testing::AllOf(HasSubstr("4 times"), HasSubstr("1 lines left out"), HasSubstr("conv.csv")))
        << "what could not be read is told with its line";
    show("workloads");
    EXPECT_THAT(column(*find<DataTable>("workload-list"), QStringLiteral("Workload")),
                ElementsAre("small · new", "large · new"));
    EXPECT_EQ(program_->selection().current().workload, QStringLiteral("small")) << "one sees what came";
    const auto* report = window().current_page()->findChild<ImportReport*>();
    ASSERT_NE(report, nullptr);
    EXPECT_TRUE(report->isVisible());
    ASSERT_EQ(report->problems().size(), 1U);
    EXPECT_EQ(report->problems()[0].line, QStringLiteral("4"));
    QPushButton* details = nullptr;
    for (auto* const each : report->findChildren<QPushButton*>())
        if (each->text() == QStringLiteral("&Details"))
            details = each;
    ASSERT_NE(details, nullptr);
    click(details);
    click(find<QPushButton>("copy-problems"));
    EXPECT_THAT(QApplication::clipboard()->text().toStdString(),
                ::testing::AllOf(HasSubstr("conv.csv\t4\t"), HasSubstr("oops")));
    find<QDialog>("import-problems")->close();
    show("configurations");
    auto* const list = find<DataTable>("configuration-list");
    auto* const machine = window().current_page()->findChild<QComboBox*>(QStringLiteral("machine"));
    EXPECT_EQ(machine->count(), 2);
    ASSERT_TRUE(wait_until([&] { return list->model()->rowCount() == 2; }));
    EXPECT_THAT(column(*list, QStringLiteral("tile_x")), ElementsAre("16", "8")) << "the fastest first";
    const auto place_of = [&](const QString& title) {
        for (int at = 0; at < list->model()->columnCount(); ++at)
            if (list->model()->headerData(at, Qt::Horizontal).toString() == title)
                return at;
        return -1;
    };
    EXPECT_LT(place_of(QStringLiteral("Status")), place_of(QStringLiteral("tile_x")))
        << "many decisions do not push it out of sight";
}

TEST_F(DomainsTest, LinksNameWhatTheDomainHas) {
    open(make_locks());
    choose("locks");
    window().open_link(from_link(QStringLiteral("page=configurations&workload=back&configuration=3000")));
    EXPECT_EQ(window().current_page()->id(), QStringLiteral("configurations"));
    EXPECT_EQ(program_->selection().current().workload.toStdString(), "back");
    window().open_link(from_link(QStringLiteral("page=workloads&workload=gone")));
    EXPECT_THAT(window().notices().texts().join(u' ').toStdString(),
                HasSubstr("There is no lock “gone” here. Locks: front, back."));
    EXPECT_EQ(window().current_page()->id(), QStringLiteral("workloads"));
    EXPECT_EQ(program_->selection().current().workload.toStdString(), "back") << "what was selected stays";
    window().open_link(from_link(QStringLiteral("page=workloads&workload=back&model=none")));
    EXPECT_THAT(window().notices().texts().join(u' ').toStdString(), HasSubstr("no model “none”"));
}

TEST(DomainWords, StandInTitlesAndSentences) {
    const Noun noun{"matrix", "matrices"};
    EXPECT_EQ(title_of_one(noun).toStdString(), "Matrix");
    EXPECT_EQ(title_of_many(noun).toStdString(), "Matrices");
    EXPECT_EQ(counted(1, noun).toStdString(), "1 matrix");
    EXPECT_EQ(counted(3, noun).toStdString(), "3 matrices");
}

} // namespace
} // namespace sparsight::testing
