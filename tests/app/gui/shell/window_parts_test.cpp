#include "gui/domains/sparse/matrices/import_dialog.h"
#include "gui/domains/sparse/matrices/loaded_matrix.h"
#include "gui/domains/sparse/matrices/matrices_page.h"
#include "gui/domains/sparse/matrices/simulate_dialog.h"
#include "gui/domains/sparse/matrices/statistics_view.h"
#include "gui/domains/sparse/matrices/thumbnails.h"
#include "gui/domains/sparse/schedules/measure_fields.h"
#include "gui/domains/sparse/schedules/results_model.h"
#include "gui/domains/sparse/sparse_settings.h"
#include "gui/machines/machine_facts.h"
#include "gui/search/search_everything.h"
#include "gui/selection/selection.h"
#include "gui/selection/selection_panel.h"
#include "gui/settings/settings_dialog.h"
#include "machine/probe/probe.h"
#include "widgets/look/number_input.h"
#include "widgets/table/data_table.h"
#include "widgets/table/table_view.h"
#include "window_fixture.h"

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QSignalSpy>
#include <algorithm>

namespace sparsight::testing {

// The window's parts without the window.
namespace {

/// Any other value of the same type.
QVariant another(const QVariant& value) {
    switch (value.typeId()) {
    case QMetaType::Bool:
        return !value.toBool();
    case QMetaType::Int:
        return value.toInt() + 1;
    case QMetaType::QString:
        return value.toString() + QStringLiteral("ä; x");
    case QMetaType::QStringList:
        return QStringList{QStringLiteral("a, b"), QStringLiteral("ü")};
    case QMetaType::QByteArray:
        return QByteArray("\0\xff;=x", 5);
    default:
        return {};
    }
}

/// The settings of all domains, and those that a domain brings.
struct EverySetting {
    explicit EverySetting(const QString& file)
        : settings(file)
        , sparse(settings)
        , all(settings.all()) {
        all.insert(all.end(), {&sparse.dense_extent, &sparse.schedules, &sparse.tuning});
    }

    UserSettings settings;
    SparseSettings sparse;
    std::vector<SettingBase*> all;
};

TEST(UserSettings, EachComesBackAndLeavesTheOthersAlone) {
    const TemporaryFolder folder;
    const QString file = QString::fromStdString((folder / "s.ini").string());
    const std::size_t count = EverySetting(file).all.size();
    EXPECT_GE(count, 15U);
    for (std::size_t at = 0; at < count; ++at) {
        QFile::remove(file);
        QVariant wanted;
        {
            const EverySetting every(file);
            SettingBase& setting = *every.all[at];
            int told = 0;
            QObject::connect(&every.settings, &UserSettings::changed,
                             [&](const QString& key) { told += key == setting.key() ? 1 : 100; });
            wanted = another(setting.default_variant());
            ASSERT_TRUE(wanted.isValid()) << setting.key().toStdString();
            setting.set_variant(wanted);
            setting.set_variant(wanted);
            EXPECT_EQ(told, 1) << setting.key().toStdString() << " tells once that it changed";
        }
        const EverySetting again(file);
        for (std::size_t other = 0; other < count; ++other) {
            const SettingBase& setting = *again.all[other];
            EXPECT_EQ(setting.variant(), other == at ? wanted : setting.default_variant())
                << setting.key().toStdString();
        }
    }
}

TEST(UserSettings, KeysAreDistinct) {
    const TemporaryFolder folder;
    const EverySetting every(QString::fromStdString((folder / "s.ini").string()));
    QSet<QString> keys;
    for (const SettingBase* setting : every.all)
        keys.insert(setting->key());
    EXPECT_EQ(static_cast<std::size_t>(keys.size()), every.all.size());
}

TEST(UserSettings, RecentWorkspacesAreEachOnceTheNewestFirstAtMostTen) {
    const TemporaryFolder folder;
    UserSettings settings(QString::fromStdString((folder / "s.ini").string()));
    for (int number = 0; number < 12; ++number)
        settings.add_recent(QString::number(number));
    settings.add_recent(QStringLiteral("5"));
    EXPECT_EQ(settings.recent.get().size(), 10);
    EXPECT_EQ(settings.recent.get().front().toStdString(), "5");
    EXPECT_EQ(settings.recent.get().count(QStringLiteral("5")), 1);
}

TEST(SelectionHistory, WalksBackAndForwardLikeABrowser) {
    Selection selection;
    selection.select_page(QStringLiteral("matrices"));
    selection.select_workload(QStringLiteral("a"));
    selection.select_workload(QStringLiteral("b"));
    selection.go_back();
    EXPECT_EQ(selection.current().workload.toStdString(), "a");
    EXPECT_TRUE(selection.can_go_forward());
    selection.go_forward();
    EXPECT_EQ(selection.current().workload.toStdString(), "b");
    const Selected& looked_at = selection.current();
    Selected other = selection.current();
    other.workload = QStringLiteral("d");
    selection.replace(other);
    EXPECT_EQ(looked_at.workload.toStdString(), "b") << "whoever looks at it may cause another selection";
    selection.go_back();
    selection.select_workload(QStringLiteral("c"));
    EXPECT_FALSE(selection.can_go_forward()) << "another way was taken";
    selection.go_back();
    EXPECT_EQ(selection.current().workload.toStdString(), "a");
}

TEST(SelectionHistory, SelectingTheSameIsNoStep) {
    Selection selection;
    int told = 0;
    QObject::connect(&selection, &Selection::changed, [&] { ++told; });
    selection.select_workload(QStringLiteral("a"));
    selection.select_workload(QStringLiteral("a"));
    EXPECT_EQ(told, 1);
}

TEST(SelectionHistory, MayBeChangedByWhoHearsOfAChange) {
    Selection selection;
    std::vector<std::string> heard;
    QObject::connect(&selection, &Selection::changed, [&](const Selected& now) {
        if (now.workload.size() < 40)
            selection.select_workload(now.workload + QLatin1Char('x'));
    });
    QObject::connect(&selection, &Selection::changed,
                     [&](const Selected& now) { heard.push_back(now.workload.toStdString()); });
    selection.select_workload(QStringLiteral("x"));
    ASSERT_EQ(heard.size(), 40U);
    EXPECT_EQ(heard.back(), "x") << "each hears what it was told of, the innermost change first";
}

TEST(SelectionHistory, WhatTheProgramChoosesIsNoStepBack) {
    Selection selection;
    selection.select_workload(QStringLiteral("a"));
    Selected best = selection.current();
    best.configuration = QStringLiteral("best");
    selection.replace(best);
    EXPECT_EQ(selection.current().configuration.toStdString(), "best");
    selection.go_back();
    EXPECT_TRUE(selection.current().workload.isEmpty());
}

TEST(SelectionLink, RoundTripsWhateverTheNamesHold) {
    const Selected selected{QStringLiteral("schedules"),
                            QStringLiteral("a&b=c %20 ü+"),
                            QStringLiteral("f00"),
                            QStringLiteral("spmm"),
                            QStringLiteral("4 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 2 32"),
                            QStringLiteral("a model")};
    EXPECT_EQ(from_link(to_link(selected)), selected);
    EXPECT_EQ(from_link(QStringLiteral("nonsense")), Selected{});
}

TEST(SelectionLink, ACommandLineTakesANameOrKnownPartsAlone) {
    const auto named = parse_selection(QStringLiteral("cage8"));
    ASSERT_TRUE(named.has_value());
    EXPECT_EQ(named->workload.toStdString(), "cage8");
    const auto linked = parse_selection(QStringLiteral("page=train&matrix=cage8&"));
    ASSERT_TRUE(linked.has_value());
    EXPECT_EQ(linked->page.toStdString(), "train");
    EXPECT_EQ(linked->workload.toStdString(), "cage8");
    for (const char* const text : {"", " ", "matrx=cage8", "page=train&cage8", "=cage8", "page="})
        EXPECT_FALSE(parse_selection(QLatin1String(text)).has_value()) << text;
    EXPECT_EQ(link_parts().toStdString(), "page, workload, machine, family, configuration, model");
}

TEST(SelectionLink, KeepsWhatItDoesNotNameButTheConfigurationOfAnotherWorkload) {
    Selection selection;
    const Selected before{QStringLiteral("schedules"), QStringLiteral("a"),    QStringLiteral("f00"),
                          QStringLiteral("spmm"),      QStringLiteral("best"), QStringLiteral("tuned")};
    selection.select(before);
    Selected wanted = before;
    wanted.page = QStringLiteral("train");
    selection.follow_link(from_link(QStringLiteral("page=train")));
    EXPECT_EQ(selection.current(), wanted);
    wanted.workload = QStringLiteral("b");
    wanted.family = wanted.configuration = QString();
    selection.follow_link(from_link(QStringLiteral("workload=b")));
    EXPECT_EQ(selection.current(), wanted);
}

TEST(FactTable, LongWordsDoNotMakeItWide) {
    FactTable facts;
    facts.add(QStringLiteral("config_parameters"),
              QStringLiteral("use_precomputed_slopes=C=alpha*A*B+beta*C"));
    facts.add(QStringLiteral("note"), QString(60, u'x'));
    QWidget window;
    QLabel* const label = facts_label(&window);
    label->setText(facts.html());
    EXPECT_LE(label->minimumSizeHint().width(), label->fontMetrics().averageCharWidth() * 38);
}

TEST(SearchScore, PrefersTheWholeThenBeginningsThenTheRest) {
    const auto score = [](const char* query, const char* text) {
        return search_score(QLatin1String(query), QLatin1String(text));
    };
    EXPECT_GT(score("cage8", "cage8"), score("cage8", "cage88"));
    EXPECT_GT(score("cage", "cage8"), score("cage", "my cage"));
    EXPECT_GT(score("cage", "my cage"), score("cage", "recage"));
    EXPECT_GT(score("cage", "recage"), score("cage", "c-a-g-e"));
    EXPECT_GT(score("cge", "cage"), 0);
    EXPECT_EQ(score("xyz", "cage"), 0);
    EXPECT_GT(score("settings open", "Open settings"), 0) << "words in any order";
    EXPECT_EQ(score("settings shut", "Open settings"), 0) << "all of them";
}

TEST(LengthHistogram, CountsEveryRowOnceInWholeNumberedBins) {
    const LengthHistogram histogram = length_histogram({0, 1, 1, 2, 9}, 4);
    double sum = 0;
    for (const double count : histogram.counts)
        sum += count;
    EXPECT_EQ(sum, 5);
    EXPECT_EQ(histogram.edges.size(), histogram.counts.size() + 1);
    EXPECT_EQ(histogram.edges.front(), 0);
    EXPECT_GT(histogram.edges.back(), 9);
    EXPECT_TRUE(length_histogram({}).counts.empty());
    EXPECT_EQ(length_histogram({7, 7, 7}).counts, std::vector<double>{3});
}

TEST(MatrixAnalysis, HasPatternStatisticsAndBothHistograms) {
    auto pattern = generate_matrix("arrow", {{"size", 10}}, 1);
    ASSERT_TRUE(pattern.has_value());
    const auto loaded = look_at_matrix(QStringLiteral("arrow"), *pattern, 2);
    ASSERT_TRUE(loaded.has_value());
    EXPECT_EQ((*loaded)->statistics.rows, 10);
    EXPECT_EQ((*loaded)->pyramid->pattern().nnz(), (*loaded)->pattern->nnz());
    EXPECT_FALSE((*loaded)->row_lengths.counts.empty());
    EXPECT_GT((*loaded)->bytes(), 0U);
}

TEST(MatricesModel, KeepsTheRulesOfModelsWhileMatricesComeAndGo) {
    const DomainRegistry domains = only_sparse();
    WorkspaceSession session(domains);
    Thumbnails thumbnails(session);
    MatricesModel model(thumbnails);
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    std::vector<MatrixRecord> records(3);
    for (int number = 0; number < 3; ++number) {
        records[static_cast<std::size_t>(number)].name = "m" + std::to_string(number);
        records[static_cast<std::size_t>(number)].rows = 10 * number;
        records[static_cast<std::size_t>(number)].cols = 10;
        records[static_cast<std::size_t>(number)].nnz = 5;
    }
    model.show_matrices(records);
    EXPECT_EQ(model.rowCount(), 3);
    model.show_matrices({records[2], records[0]});
    EXPECT_EQ(model.rowCount(), 2);
    EXPECT_TRUE(std::isnan(model.rows()[1].density())) << "no place, no density";
    model.show_matrices({});
    EXPECT_EQ(model.rowCount(), 0);
}

TEST(StatisticsModel, HasEveryStatisticWithItsDefinition) {
    StatisticsModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    model.show_statistics({});
    EXPECT_EQ(model.rowCount(), static_cast<int>(statistics().size()));
    for (int row = 0; row < model.rowCount(); ++row)
        EXPECT_FALSE(model.index(row, 0).data(Qt::ToolTipRole).toString().isEmpty());
}

ResultRow result(const char* schedule, MeasurementStatus status, std::optional<double> median) {
    ResultRow row;
    row.schedule = schedule;
    row.status = status;
    row.median_ms = median;
    return row;
}

TEST(RankedResults, AreFastestFirstThenThoseThatGaveUpThenTheRest) {
    const auto ranked = rank_results(
        {result("failed", MeasurementStatus::Failed, {}), result("slow", MeasurementStatus::Measured, 3),
         result("gave up", MeasurementStatus::GaveUp, 1), result("fast", MeasurementStatus::Measured, 2)});
    ASSERT_EQ(ranked.size(), 4U);
    EXPECT_EQ(ranked[0].row.schedule, "fast");
    EXPECT_EQ(ranked[0].rank, 1);
    EXPECT_EQ(ranked[1].row.schedule, "slow");
    EXPECT_EQ(ranked[2].row.schedule, "gave up");
    EXPECT_EQ(ranked[2].rank, 0);
    EXPECT_EQ(ranked[3].row.schedule, "failed");
}

TEST(ResultsModel, KeepsTheRulesOfModelsWhileResultsArrive) {
    ResultsModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    model.set_rows(rank_results({result("a", MeasurementStatus::Measured, 3)}));
    model.set_rows(rank_results({result("a", MeasurementStatus::Measured, 3),
                                 result("b", MeasurementStatus::Measured, 2),
                                 result("c", MeasurementStatus::GaveUp, 9)}));
    EXPECT_EQ(model.rowCount(), 3);
    EXPECT_THAT(model.index(2, ResultsModel::Time).data().toString().toStdString(),
                ::testing::StartsWith("> "))
        << "a lower bound";
    EXPECT_EQ(model.index(2, ResultsModel::Status).data().toString().toStdString(), "abandoned");
}

TEST(MachineFacts, ExplainEveryNumberOfThisComputer) {
    ProbeOptions options;
    options.measure = false;
    const auto facts = machine_facts(*probe_this_computer(options));
    EXPECT_GE(facts.size(), 12U);
    for (const MachineFact& fact : facts) {
        EXPECT_FALSE(fact.meaning.isEmpty()) << fact.name.toStdString();
        EXPECT_FALSE(fact.value.isEmpty()) << fact.name.toStdString();
    }
}

TEST(ParameterForm, OffersEachParameterOfEachFamilyAndTellsWhatIsNotItsDefault) {
    for (const Generator& generator : generators()) {
        ParameterForm form;
        form.show_parameters(generator.parameters);
        EXPECT_TRUE(form.values().empty()) << generator.name;
        EXPECT_TRUE(generate_matrix(generator.name, form.values(), 1).has_value()) << generator.name;
    }
    ParameterForm form;
    form.show_parameters(find_generator("banded")->parameters);
    auto* size = form.findChild<NumberField*>(QStringLiteral("size"));
    ASSERT_NE(size, nullptr);
    size->setValue(77);
    EXPECT_EQ(form.values(), (ParameterValues{{"size", 77.0}}));
    form.reset();
    EXPECT_TRUE(form.values().empty());
}

TEST(MatrixChoice, IsTheSelectedOneUntilAnotherWishIsMade) {
    MatrixChoice choice;
    choice.set_matrices({QStringLiteral("a"), QStringLiteral("b")}, QStringLiteral("b"));
    EXPECT_EQ(choice.chosen(), QStringList{QStringLiteral("b")});
    choice.set_matrices({QStringLiteral("a"), QStringLiteral("b")}, QStringLiteral("a"));
    EXPECT_EQ(choice.chosen(), QStringList{QStringLiteral("a")});
    choice.set_matrices({}, {});
    EXPECT_TRUE(choice.chosen().isEmpty());
}

TEST(ImportDialog, TakesFilesOnceAndFoldersWithWhatIsInThem) {
    const TemporaryFolder folder;
    UserSettings settings(QString::fromStdString((folder / "s.ini").string()));
    std::filesystem::create_directories(folder / "deep/er");
    write_file(folder / "deep/er/a.mtx", "x");
    write_file(folder / "deep/b.mtx.gz", "x");
    write_file(folder / "deep/notes.txt", "x");
    ImportDialog dialog(settings);
    const auto* import = dialog.findChild<QPushButton*>(QStringLiteral("import"));
    dialog.add({QString::fromStdString((folder / "deep/er").string())});
    dialog.add({QString::fromStdString((folder / "deep").string())});
    EXPECT_TRUE(dialog.files().isEmpty()) << "the window does not wait for the disk";
    EXPECT_FALSE(import->isEnabled());
    ASSERT_TRUE(wait_until([&] { return !dialog.is_searching(); }));
    EXPECT_EQ(dialog.files().size(), 2);
    EXPECT_TRUE(import->isEnabled());
}

TEST(SettingsDialog, HasFieldsOfADomainOnlyWhereItBringsThem) {
    const TemporaryFolder folder;
    UserSettings settings(QString::fromStdString((folder / "s.ini").string()));
    const auto has_field = [&](const QString& title) {
        return std::ranges::any_of(SettingsDialog(settings).entries(),
                                   [&](const SettingsDialog::Entry& entry) { return entry.title == title; });
    };
    EXPECT_FALSE(has_field(QStringLiteral("Runs per digit")));
    const NumberSetting runs{QStringLiteral("digits/runs"), 3, QStringLiteral("&Runs per digit"), {}, 1, 9};
    settings.add_group({QStringLiteral("Digits"), {runs}});
    EXPECT_TRUE(has_field(QStringLiteral("Runs per digit")));
    SettingsDialog dialog(settings);
    auto* const field = dialog.findChild<NumberField*>(runs.key);
    EXPECT_EQ(field->whole_value(), 3);
    QSignalSpy changed(&settings, &UserSettings::changed);
    field->setValue(5);
    EXPECT_EQ(settings.preference(runs.key, runs.fallback).get(), 5);
    EXPECT_EQ(changed.size(), 1);
}

TEST(SettingsDialog, ACommaIsEitherForThousandsOrForDecimals) {
    const TemporaryFolder folder;
    UserSettings settings(QString::fromStdString((folder / "s.ini").string()));
    SettingsDialog dialog(settings);
    auto* thousands = dialog.findChild<QComboBox*>(settings.thousands.key());
    auto* decimal = dialog.findChild<QComboBox*>(settings.decimal_comma.key());
    const auto can_choose = [](const QComboBox& box, int value) {
        return box.model()->flags(box.model()->index(box.findData(value), 0)).testFlag(Qt::ItemIsEnabled);
    };
    const int comma = static_cast<int>(ThousandsSeparator::Comma);
    EXPECT_TRUE(can_choose(*thousands, comma));
    EXPECT_TRUE(can_choose(*decimal, 1));
    decimal->setCurrentIndex(decimal->findData(1));
    EXPECT_FALSE(can_choose(*thousands, comma));
    EXPECT_FALSE(thousands->itemData(thousands->findData(comma), Qt::ToolTipRole).toString().isEmpty());
    decimal->setCurrentIndex(decimal->findData(0));
    thousands->setCurrentIndex(thousands->findData(comma));
    EXPECT_FALSE(can_choose(*decimal, 1));
    EXPECT_TRUE(can_choose(*thousands, comma)) << "what is chosen can be seen";
}

} // namespace

// The Matrices page in the real window.
namespace {

TEST_F(WindowTest, EveryStatisticIsDefinedInFullInASmallWindow) {
    window().resize(1280, 800);
    open_workspace_on(QStringLiteral("matrices"));
    auto* view = window().findChild<StatisticsView*>();
    auto* table = view->findChild<DataTable*>();
    const auto* model = dynamic_cast<StatisticsModel*>(table->model());
    ASSERT_TRUE(wait_until([&] { return model->rowCount() > 0; }));
    const QLabel* definition = nullptr;
    for (const QLabel* label : view->findChildren<QLabel*>())
        if (label->accessibleName() == QStringLiteral("Definition of the statistic"))
            definition = label;
    ASSERT_NE(definition, nullptr);
    EXPECT_EQ(table->current_source_row(), 0) << "one is explained from the start";
    for (int row = 0; row < model->rowCount(); ++row) {
        table->select_source_row(row);
        const StatisticRow& statistic = model->row(row);
        EXPECT_THAT(definition->text().toStdString(),
                    ::testing::HasSubstr(statistic.definition.toHtmlEscaped().toStdString()));
        EXPECT_LE(definition->heightForWidth(definition->width()), definition->height())
            << statistic.name.toStdString();
    }
}

} // namespace

// Every table of every page can be copied and saved.
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
