// The page of a single block: what is typed is decoded, bounded and explained.
#include "block_window_fixture.h"
#include "gui/domains/blocks/analysis/code_source.h"
#include "gui/domains/blocks/analysis/errors_view.h"
#include "gui/domains/blocks/analysis/example_blocks.h"
#include "gui/domains/blocks/analysis/explanation_view.h"
#include "widgets/chart/chart.h"
#include "widgets/code/assembly_edit.h"
#include "widgets/graph/graph_view.h"
#include "widgets/table/data_table.h"

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QProcess>
#include <QTabWidget>
#include <fstream>
#include <set>

namespace sparsight::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class BlocksPageTest : public BlockWindowTest {
protected:
    void type(const char* code) {
        page().edit().selectAll();
        QTest::keyClick(&page().edit(), Qt::Key_Delete);
        for (const char key : std::string_view(code))
            if (key == '\n')
                QTest::keyClick(&page().edit(), Qt::Key_Return);
            else
                QTest::keyClick(&page().edit(), key);
        ASSERT_TRUE(wait_until([&] { return page().is_settled(); }));
    }
    [[nodiscard]] QString code() { return page().edit().toPlainText(); }
};

TEST_F(BlocksPageTest, IsNoDeadEndWithoutABlock) {
    auto workspace = Workspace::create(path("e.sparsight").toStdString(), "test");
    open(path("e.sparsight"));
    choose_blocks();
    window().show_page(QStringLiteral("block-analysis"));
    ASSERT_TRUE(wait_until([&] { return page().is_settled() && page().reading() != nullptr; }));
    EXPECT_THAT(find<QComboBox>("block-code")->currentText().toStdString(), StartsWith("Example: "));
    EXPECT_EQ(headline(), "Latency: the chain of 1 instruction takes 5 cycles an iteration.");
}

TEST_F(BlocksPageTest, EveryExampleIsUnderstoodAndSaysWhereItIsFrom) {
    open_page();
    BlockReader reader;
    for (const ExampleBlock& example : example_blocks()) {
        EXPECT_FALSE(example.title.isEmpty());
        EXPECT_THAT(example.origin.toStdString(), StartsWith("GCC "));
        const auto reading = reader.read({example.code.toStdString(), CodeForm::Intel}, {"hsw"}, {});
        ASSERT_TRUE(reading.has_value()) << reading.error().message;
        EXPECT_EQ(reading->lines.size(), reading->block.instructions.size()) << example.title.toStdString();
        EXPECT_TRUE(reading->machines.front().analysis.bounds.unknown.empty());
    }
}

TEST_F(BlocksPageTest, ShowsTheSelectedBlockWithItsMeasuredCycles) {
    open_page();
    program_->selection().select_workload(QStringLiteral("chain"));
    ASSERT_TRUE(wait_until([&] { return page().is_settled(); }));
    EXPECT_EQ(code(), QStringLiteral("imul rax, rbx\nadd rax, rcx\n"));
    EXPECT_EQ(headline(), "Latency: the chain of 2 instructions takes 4 cycles an iteration.");
    const QString csv = page().bars().csv();
    EXPECT_THAT(csv.toStdString(), HasSubstr("Measured"));
    EXPECT_THAT(csv.toStdString(), HasSubstr("4.05")) << "405 cycles of 100 iterations";
    program_->selection().select_workload(QStringLiteral("wide"));
    ASSERT_TRUE(wait_until([&] { return page().is_settled(); }));
    EXPECT_EQ(page().reading()->block.instructions.size(), 3);
}

TEST_F(BlocksPageTest, AnEditedLineChangesAllAndIsNoBlockOfTheWorkspaceAnyMore) {
    open_page();
    program_->selection().select_workload(QStringLiteral("chain"));
    ASSERT_TRUE(wait_until([&] { return page().is_settled(); }));
    type("imul rax, rbx, 3\nimul rcx, rbx, 3\nimul rdx, rbx, 3");
    EXPECT_EQ(headline(), "Throughput: port 1 is busy in all 3 cycles of an iteration.");
    EXPECT_EQ(page().table().model()->rowCount(), 3);
    EXPECT_THAT(page().bars().csv().toStdString(), ::testing::Not(HasSubstr("Measured")));
    EXPECT_EQ(find<QComboBox>("block-code")->currentText(), QStringLiteral("Your own code"));
    EXPECT_EQ(page().edit().marks().at(0).note, QStringLiteral("port 1"));
}

TEST_F(BlocksPageTest, AWrongLineIsMarkedAndTheLastCodeStays) {
    open_page();
    type("nop\nfly away");
    EXPECT_EQ(page().edit().error_line(), 1);
    bool is_told = false;
    for (const QLabel* const label : page().findChildren<QLabel*>())
        is_told = is_told || (label->isVisible() && label->text().contains(QStringLiteral("fly away")));
    EXPECT_TRUE(is_told);
    type("nop\nnop");
    EXPECT_EQ(page().edit().error_line(), std::nullopt);
    EXPECT_EQ(page().reading()->block.instructions.size(), 2);
}

TEST_F(BlocksPageTest, BytesAreTakenAsTheyArePasted) {
    open_page();
    QGuiApplication::clipboard()->setText(QStringLiteral("480fafc3 4801c8"));
    page().edit().selectAll();
    page().edit().paste();
    ASSERT_TRUE(wait_until([&] { return page().is_settled(); }));
    EXPECT_EQ(headline(), "Latency: the chain of 2 instructions takes 4 cycles an iteration.");
}

TEST_F(BlocksPageTest, TheSameCodeIsShownInEachSyntax) {
    open_page();
    program_->selection().select_workload(QStringLiteral("chain"));
    ASSERT_TRUE(wait_until([&] { return page().is_settled(); }));
    choose_entry("block-form", QStringLiteral("AT&T"));
    EXPECT_EQ(code(), QStringLiteral("imulq %rbx, %rax\naddq %rcx, %rax\n"));
    choose_entry("block-form", QStringLiteral("Bytes"));
    EXPECT_EQ(code(), QStringLiteral("480fafc3\n4801c8\n"));
    EXPECT_EQ(page().edit().marks().size(), 2) << "a line for each instruction";
    choose_entry("block-form", QStringLiteral("Intel"));
    EXPECT_EQ(code(), QStringLiteral("imul rax, rbx\nadd rax, rcx\n"));
    EXPECT_EQ(page().source().workload(), QStringLiteral("chain")) << "it is still the same block";
}

TEST_F(BlocksPageTest, AFunctionOfAnObjectFileCanBeChosen) {
    open_page();
    std::ofstream(path("two.c").toStdString())
        << "long sum(long a, long b) { return a + b; }\nlong product(long a, long b) { return a * b; }\n";
    ASSERT_EQ(QProcess::execute(QStringLiteral("cc"), {QStringLiteral("-O1"), QStringLiteral("-c"),
                                                       path("two.c"), QStringLiteral("-o"), path("two.o")}),
              0);
    page().source().open_file(path("two.o"));
    ASSERT_TRUE(wait_until([&] { return code().contains(QStringLiteral("lea")) && page().is_settled(); }));
    choose_entry("block-function", QStringLiteral("product"));
    EXPECT_THAT(code().toStdString(), HasSubstr("imul"));
    page().source().open_file(path("blocks.csv.none"));
    ASSERT_TRUE(wait_until([&] {
        return window().notices().texts().join(QString()).contains(QStringLiteral("blocks.csv.none"));
    }));
}

TEST_F(BlocksPageTest, TheTableFollowsTheMachineAndTheCursor) {
    open_page();
    const QAbstractItemModelTester tester(page().table().model(),
                                          QAbstractItemModelTester::FailureReportingMode::Fatal);
    type("imul rax, rbx\nadd rax, rcx\nadd rdx, 1");
    const auto* const model = page().table().model();
    const int ports_of_haswell = model->columnCount();
    page().edit().go_to_line(1);
    EXPECT_EQ(page().table().current_source_row(), 1);
    choose_entry("block-machine", QStringLiteral("Ivy Bridge"));
    EXPECT_EQ(model->columnCount(), ports_of_haswell - 2) << "it has six ports";
    Q_EMIT page().bars().picked(QStringLiteral("skl"));
    EXPECT_EQ(find<QComboBox>("block-machine")->currentText(), QStringLiteral("Skylake"));
    type("");
    EXPECT_EQ(model->rowCount(), 0);
}

TEST_F(BlocksPageTest, AnExplanationMarksItsLines) {
    open_page();
    type("imul rax, rbx\nadd rax, rcx\nadd rdx, 1");
    find<QTabWidget>("block-tabs")->setCurrentWidget(&page().explanation());
    click(find<QPushButton>("explain"));
    ASSERT_TRUE(wait_until([&] { return !page().explanation().is_busy(); }));
    EXPECT_THAT(find<QLabel>("explanation-sentence")->text().toStdString(), StartsWith("Bound says 4"));
    EXPECT_TRUE(page().edit().marks().at(0).is_explained);
    EXPECT_FALSE(page().edit().marks().at(2).is_explained);
    type("nop");
    EXPECT_FALSE(page().edit().marks().at(0).is_explained) << "other code has no explanation yet";
}

TEST_F(BlocksPageTest, AnExplanationCanBeCancelled) {
    open_page();
    QString many;
    for (int at = 0; at < 12; ++at)
        many += QStringLiteral("imul r%1, r%2\nadd r%2, rax\n").arg(8 + at % 8).arg(8 + (at + 3) % 8);
    page().edit().replace_text(many);
    ASSERT_TRUE(wait_until([&] { return page().is_settled(); }));
    find<QTabWidget>("block-tabs")->setCurrentWidget(&page().explanation());
    find<QComboBox>("explained-model")->setCurrentIndex(2);
    click(find<QPushButton>("explain"));
    ASSERT_TRUE(page().explanation().is_busy());
    click(find<QPushButton>("cancel-explaining"));
    EXPECT_FALSE(page().explanation().is_busy());
    EXPECT_TRUE(page().explanation().instructions().empty());
}

TEST_F(BlocksPageTest, TheGraphShowsWhatWaitsForWhat) {
    open_page();
    type("imul rax, rbx\nadd rax, rcx\nadd rdx, 1");
    const Graph& graph = page().graph().graph();
    ASSERT_EQ(graph.nodes.size(), 3);
    EXPECT_TRUE(graph.nodes[0].marked && graph.nodes[1].marked);
    EXPECT_FALSE(graph.nodes[2].marked);
    EXPECT_THAT(graph.nodes[0].detail.toStdString(), HasSubstr("p1"));
    EXPECT_EQ(std::ranges::count_if(graph.edges, [](const GraphEdge& edge) { return edge.back; }), 2)
        << "the product and the counter go on to the next iteration";
    find<QTabWidget>("block-tabs")->setCurrentWidget(&page().graph());
    page().graph().choose(2);
    EXPECT_EQ(page().table().current_source_row(), 2);
    EXPECT_EQ(page().edit().textCursor().blockNumber(), 2);
}

TEST_F(BlocksPageTest, ErrorsOfAModelAreListedByClassAndApplication) {
    open_page();
    find<QTabWidget>("block-tabs")->setCurrentWidget(&page().errors());
    click(find<QPushButton>("compute-errors"));
    ASSERT_TRUE(wait_until([&] { return !page().errors().is_busy(); }));
    EXPECT_THAT(find<QLabel>("errors-sentence")->text().toStdString(),
                StartsWith("Bound on Haswell: mean error "));
    auto* const table = find<DataTable>("error-groups");
    const QAbstractItemModelTester tester(table->model(),
                                          QAbstractItemModelTester::FailureReportingMode::Fatal);
    std::set<std::string> groups;
    for (int row = 0; row < table->model()->rowCount(); ++row)
        groups.insert(table->model()->index(row, 0).data().toString().toStdString());
    EXPECT_THAT(groups, ::testing::IsSupersetOf({"gzip", "ffmpeg", "integer multiplication"}));
    choose_entry("block-machine", QStringLiteral("Skylake"));
    EXPECT_EQ(table->model()->rowCount(), 0) << "another machine has other errors";
}

TEST_F(BlocksPageTest, HasRoomAtTwiceTheSize) {
    open_page();
    window().resize(640, 400); // 1280 × 800 at 200 %
    QTest::qWait(50);
    EXPECT_LE(page().minimumSizeHint().width(), 640);
    EXPECT_TRUE(page().edit().isVisible());
    EXPECT_GT(page().edit().height(), 2 * page().edit().fontMetrics().height());
}

} // namespace
} // namespace sparsight::testing
