#include "base/random.h"
#include "domains/sparse/schedule/sampler.h"
#include "domains/sparse/schedule/super_schedule.h"
#include "domains/sparse/schedule/text.h"
#include "domains/sparse/tensor/matrix_files.h"
#include "gui/domains/sparse/comparison/schedule_picture.h"
#include "gui/domains/sparse/details/schedule_draft_bridge.h"
#include "gui/domains/sparse/schedules/result_summary.h"
#include "gui/domains/sparse/schedules/results_model.h"
#include "gui/domains/sparse/schedules/schedule_words.h"
#include "support/test_files.h"
#include "widgets/look/card.h"
#include "widgets/look/screenshot.h"
#include "widgets/look/theme.h"
#include "widgets/schedule/code/code_view.h"
#include "widgets/schedule/editor/loop_chip_row.h"
#include "widgets/schedule/editor/schedule_editor.h"
#include "widgets/schedule/storage/coordinate_tree_view.h"
#include "widgets/schedule/storage/storage_bars.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sparsight {
namespace {

using ::testing::HasSubstr;

ResultRow result(const char* code, double milliseconds) {
    ResultRow row;
    row.schedule = code;
    row.status = MeasurementStatus::Measured;
    row.median_ms = milliseconds;
    const auto schedule = parse_schedule(row.op, code);
    EXPECT_TRUE(schedule.has_value()) << code;
    row.is_fixed_csr = schedule && is_fixed_csr(*schedule);
    return row;
}

std::string cell(const ResultsModel& model, int row, int column, int role = Qt::DisplayRole) {
    return model.index(row, column).data(role).toString().toStdString();
}

TEST(ResultsTable, HasTheNicknameOfEachScheduleAndItsCodeBehind) {
    ResultsModel model;
    model.set_rows(rank_results({result("1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 2 32", 3),
                                 result("4 1 1 i1 k1 i0 k0 j1 j0 1 1 0 1 i1 2 8", 2)}));
    EXPECT_EQ(cell(model, 0, ResultsModel::Schedule), "4-row blocks, chunk 8");
    EXPECT_EQ(cell(model, 0, ResultsModel::Code), "4 1 1 i1 k1 i0 k0 j1 j0 1 1 0 1 i1 2 8");
    EXPECT_EQ(cell(model, 0, ResultsModel::Schedule, raw_value_role),
              "4-row blocks, chunk 8 · 4 1 1 i1 k1 i0 k0 j1 j0 1 1 0 1 i1 2 8")
        << "copies and exports contain both";
    EXPECT_EQ(cell(model, 1, ResultsModel::Schedule), "fixed CSR");
}

TEST(ResultsTable, ImportedTimesAreRecordedNotMeasured) {
    ResultsModel model;
    auto ranked = rank_results({result("1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 2 32", 3)});
    model.set_rows(ranked);
    EXPECT_EQ(cell(model, 0, ResultsModel::Status), "measured");
    ranked.front().is_recorded = true;
    model.set_rows(ranked);
    EXPECT_EQ(cell(model, 0, ResultsModel::Status), "recorded");
}

TEST(ResultsTable, TellsSchedulesOfOneNicknameApart) {
    ResultsModel model;
    model.set_rows(rank_results({result("4 1 1 i1 k1 i0 k0 j1 j0 1 1 0 1 i1 2 8", 2),
                                 result("4 1 1 i1 k1 i0 k0 j1 j0 0 1 0 1 i1 2 8", 3)}));
    EXPECT_EQ(cell(model, 0, ResultsModel::Schedule), "4-row blocks, chunk 8");
    EXPECT_EQ(cell(model, 1, ResultsModel::Schedule), "4-row blocks, chunk 8, i1 packed");
}

TEST(ResultsTable, ExplainsTheCodeOnHover) {
    ResultsModel model;
    model.set_rows(rank_results({result("4 1 1 i1 k1 i0 k0 j1 j0 1 1 0 1 i1 2 8", 2)}));
    for (const int column : {ResultsModel::Schedule, ResultsModel::Code}) {
        const std::string tip = cell(model, 0, column, Qt::ToolTipRole);
        EXPECT_THAT(tip, HasSubstr("A is stored by row blocks of 4"));
        EXPECT_THAT(tip, HasSubstr("4 1 1 i1 k1 i0 k0 j1 j0 1 1 0 1 i1 2 8\n"));
        EXPECT_THAT(tip, HasSubstr("4 1 1: splits of i, k, j"));
    }
}

TEST(ScheduleDraftBridge, BringsSchedulesOfEveryOperatorBackAsTheyWere) {
    Random random(3);
    for (const Operator op : all_operators) {
        const Extents size = extents(op, 1000, 3000, 256);
        for (const SuperSchedule& schedule :
             sample_waco(op, size, 200, 12, random, FreeSplits::UpToDimension)) {
            const auto back = written_schedule(draft_of(schedule, size));
            ASSERT_TRUE(back) << back.error().text();
            EXPECT_EQ(*back, schedule) << to_text(schedule);
            const auto valid = valid_schedule(draft_of(schedule, size));
            ASSERT_TRUE(valid) << valid.error().text();
            EXPECT_EQ(*valid, canonical(schedule));
        }
    }
}

TEST(ScheduleDraftBridge, BringsRecordedSchedulesBack) {
    SPARSIGHT_NEEDS_SHARED("waco/original/SpMM/Trec6_16x16_9.txt");
    const auto schedules =
        read_schedules(Operator::SpMM, testing::shared_path("waco/original/SpMM/Trec6_16x16_9.txt"));
    ASSERT_TRUE(schedules) << schedules.error().text();
    const ScheduleKnowledge knowledge = schedule_knowledge();
    for (const SuperSchedule& schedule : *schedules) {
        const ScheduleDraft draft = draft_of(schedule, extents(schedule.op, 100, 100, 256));
        EXPECT_EQ(knowledge.to_text(draft).toStdString(), to_text(schedule));
        EXPECT_EQ(knowledge.reason_against(draft), QString());
        EXPECT_FALSE(knowledge.describe(draft).isEmpty());
    }
}

TEST(ScheduleDraftBridge, NamesWhatEachIndexCounts) {
    const ScheduleDraft draft = draft_of(fixed_csr(Operator::SpMM, 4), extents(Operator::SpMM, 10, 20, 30));
    ASSERT_EQ(draft.indices.size(), 3U);
    EXPECT_EQ(draft.indices[0], (DraftIndex{u'i', QStringLiteral("row"), QStringLiteral("rows"), 1, 10}));
    EXPECT_EQ(draft.indices[1].extent, 20);
    EXPECT_EQ(draft.indices[2].extent, 30);
    EXPECT_EQ(draft.formats.size(), 4U) << "the dense index has no format";
    EXPECT_FALSE(draft.formats.contains(QStringLiteral("j1")));
    EXPECT_EQ(draft.may_be_parallel, QStringList{QStringLiteral("i1")});
    EXPECT_EQ(draft_of(fixed_csr(Operator::SDDMM, 4), {}).may_be_parallel,
              (QStringList{QStringLiteral("i1"), QStringLiteral("j1")}));
}

TEST(ScheduleDraftBridge, GivesTheEnginesReasonAgainstADraft) {
    const ScheduleKnowledge knowledge = schedule_knowledge();
    ScheduleDraft draft = draft_of(fixed_csr(Operator::SpMV, 4), extents(Operator::SpMV, 10, 20, 1));
    set_split(draft, u'i', 4);
    move_loop(draft, QStringLiteral("i0"), 0);
    EXPECT_THAT(knowledge.reason_against(draft).toStdString(), HasSubstr("i0 stands before i1"));
    EXPECT_EQ(knowledge.describe(draft), QString());
    EXPECT_FALSE(valid_schedule(draft));
    EXPECT_TRUE(written_schedule(draft)) << "what is not valid can still be written";
    EXPECT_EQ(knowledge.to_text(draft), QStringLiteral("4 1 i0 i1 k1 k0 1 1 0 1 i1 4 32"));
}

TEST(ScheduleDraftBridge, RefusesADraftOfNoOperatorOrWithForeignLoops) {
    EXPECT_FALSE(written_schedule({}));
    ScheduleDraft draft = draft_of(fixed_csr(Operator::SpMV, 4), {});
    draft.order[0] = QStringLiteral("j1");
    const auto foreign = written_schedule(draft);
    ASSERT_FALSE(foreign);
    EXPECT_THAT(foreign.error().message, HasSubstr("spmv has no loop j1"));
    draft.order.removeFirst();
    EXPECT_FALSE(written_schedule(draft));
}

TEST(ScheduleDraftBridge, ReadsATextForTheSameMatrix) {
    const ScheduleKnowledge knowledge = schedule_knowledge();
    const ScheduleDraft like = draft_of(fixed_csr(Operator::SpMM, 4), extents(Operator::SpMM, 10, 20, 30));
    const auto read = knowledge.parse(like, QStringLiteral("4 2 8 i1 k1 i0 k0 j1 j0 1 1 0 1 i1 8 16"));
    ASSERT_TRUE(read) << read.error().toStdString();
    EXPECT_EQ(read->indices[1].split, 2);
    EXPECT_EQ(read->indices[1].extent, 20);
    EXPECT_EQ(read->chunk, 16);
    const auto wrong = knowledge.parse(like, QStringLiteral("4 2 8 i1"));
    ASSERT_FALSE(wrong);
    EXPECT_FALSE(wrong.error().isEmpty());
}

} // namespace

// The widgets about one schedule on real matrices and recorded schedules. With SPARSIGHT_SCREENSHOTS=FOLDER
// they leave pictures there.
namespace {

struct Case {
    const char* name;
    const char* matrix;
    Operator op;
    const char* schedule;
};

const Case cases[] = {
    {"csr", "matrices/bcsstk17.mtx.gz", Operator::SpMM, "1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 48 32"},
    {"bcsr", "matrices/bcsstk16.mtx.gz", Operator::SpMM, "4 2 64 i1 k1 i0 k0 j1 j0 1 1 0 1 i1 48 16"},
    {"columns_first", "matrices/bcsstk16.mtx.gz", Operator::SDDMM, "8 4 32 j1 i1 k1 j0 i0 k0 0 0 1 1 j1 8 2"},
    {"exploding", "matrices/cage8.mtx.gz", Operator::SpMV, "1 32 k1 i1 i0 k0 1 1 1 0 i1 4 64"},
};

class SchedulePictures : public ::testing::TestWithParam<Case> {};

TEST_P(SchedulePictures, ShowCodeTreeStorageAndEditor) {
    const Case& shown = GetParam();
    SPARSIGHT_NEEDS_SHARED(shown.matrix);
    const auto matrix = read_matrix(testing::shared_path(shown.matrix));
    const auto schedule = parse_schedule(shown.op, shown.schedule);
    ASSERT_TRUE(matrix && schedule);
    const CsrPattern& pattern = matrix->pattern;
    const SchedulePicture picture = picture_of(*schedule, pattern, 256);
    const QString name = QString::fromLatin1(shown.name);
    const auto shows = [](const QColor& colour) {
        return [colour](const QImage& image) {
            EXPECT_GT(pixels_like(image, colour.isValid() ? colour : current_theme().accent), 20);
        };
    };

    CodeView code;
    code.set_code(picture.code);
    code.resize(760, 460);
    in_both_themes(code, name + QStringLiteral("-code"), [](const QImage& image) {
        EXPECT_GT(pixels_like(image, current_theme().code.keyword, 30), 20);
    });

    CoordinateTreeView tree;
    tree.set_picture(picture.tree);
    tree.resize(980, 520);
    tree.light(TreePlace{1, 0});
    in_both_themes(tree, name + QStringLiteral("-tree"), shows({}));

    StorageBars bars;
    bars.set_bars(picture.storage);
    bars.resize(820, bars.heightForWidth(820));
    in_both_themes(bars, name + QStringLiteral("-storage"), shows({}));

    Card card(QStringLiteral("Edit the schedule"));
    auto* const editor = new ScheduleEditor(schedule_knowledge());
    card.set_content(editor);
    editor->set_schedule(draft_of(*schedule, extents(shown.op, pattern.rows, pattern.cols, 256)));
    card.resize(920, card.sizeHint().height());
    in_both_themes(card, name + QStringLiteral("-editor"), shows({}));
    card.resize(540, card.heightForWidth(540) > 0 ? card.heightForWidth(540) : 640);
    in_both_themes(card, name + QStringLiteral("-editor-narrow"), shows({}));
}

INSTANTIATE_TEST_SUITE_P(Real, SchedulePictures, ::testing::ValuesIn(cases),
                         [](const auto& each) { return std::string(each.param.name); });

TEST(ScheduleEditorPicture, ShowsADraggedChipAndAReason) {
    ScheduleEditor editor(schedule_knowledge());
    ScheduleDraft draft = draft_of(fixed_csr(Operator::SpMM, 8), extents(Operator::SpMM, 4884, 4884, 256));
    set_split(draft, u'i', 8);
    move_loop(draft, QStringLiteral("i0"), 0);
    editor.set_schedule(draft);
    editor.resize(900, editor.sizeHint().height());
    editor.show();
    LoopChip* const chip = editor.loops()->chip(QStringLiteral("k1"));
    QTest::mousePress(chip, Qt::LeftButton, Qt::NoModifier, QPoint(16, 12));
    const QPoint start = chip->mapToGlobal(QPoint(16, 12));
    for (const int x : {-20, -60, -110})
        QTest::mouseMove(chip, chip->mapFromGlobal(start + QPoint(x, 6)));
    in_both_themes(editor, QStringLiteral("editor-dragging"), [](const QImage& image) {
        EXPECT_GT(pixels_like(image, current_theme().error, 30), 20) << "the reason against it";
    });
    QTest::mouseRelease(chip, Qt::LeftButton);
}

} // namespace
} // namespace sparsight

namespace sparsight::testing {

// What the page says and draws of speedups that may be noise.
namespace {

using ::testing::Not;
using ::testing::StartsWith;

RankedResult result(double median, double spread, bool is_fixed_csr = false) {
    RankedResult result;
    result.rank = 1;
    result.row.is_fixed_csr = is_fixed_csr;
    result.row.status = MeasurementStatus::Measured;
    result.row.median_ms = median;
    result.row.spread_ms = spread;
    result.row.speedup_over_fixed_csr = 2 / median;
    return result;
}

TEST(Headline, MarksALeadThatMayBeNoiseAndOffersToMeasureBothAgain) {
    const RankedResult fixed = result(2, 0.5, true);
    RankedResult best = result(1.6, 0.2);
    EXPECT_THAT(result_summary_text({QStringLiteral("m"), &best, &fixed, 3, true}).toStdString(),
                ::testing::AllOf(HasSubstr("1.25×"), Not(HasSubstr("~")), Not(HasSubstr("again"))));
    best.is_in_noise = true;
    EXPECT_THAT(
        result_summary_text({QStringLiteral("m"), &best, &fixed, 3, true}).toStdString(),
        ::testing::AllOf(HasSubstr("~1.25×"), HasSubstr("± 539\u00A0µs"), HasSubstr("Measure both again")));
    EXPECT_THAT(result_summary_text({QStringLiteral("m"), &best, &fixed, 3, false}).toStdString(),
                Not(HasSubstr("href")));
    EXPECT_THAT(result_summary_text({QStringLiteral("a<b"), &fixed, &fixed, 3, true}).toStdString(),
                HasSubstr("Nothing measured on a&lt;b beats"));
    EXPECT_TRUE(result_summary_text({}).isEmpty());
    EXPECT_THAT(result_summary_text({QStringLiteral("m"), &fixed, &fixed, 0, true}).toStdString(),
                HasSubstr("nothing else was measured yet"))
        << "no verdict before there is a rival";
    RankedResult of_a_recording = fixed;
    of_a_recording.is_recorded = true;
    EXPECT_THAT(result_summary_text({QStringLiteral("m"), &of_a_recording, &fixed, 3, false}).toStdString(),
                HasSubstr("Nothing recorded on m beats"));
}

TEST(Headline, TellsTheTimeOfFixedCsrThatTheSpeedupIsOver) {
    const RankedResult fixed = result(2, 0.1, true);
    RankedResult best = result(1, 0.1);
    EXPECT_THAT(result_summary_text({QStringLiteral("m"), &best, &fixed, 3, true}).toStdString(),
                HasSubstr("1.00\u00A0ms instead of 2.00\u00A0ms."));
    best.row.reference_ms = 2.5; // the computer was slower then
    best.row.speedup_over_fixed_csr = 2.5;
    EXPECT_THAT(result_summary_text({QStringLiteral("m"), &best, &fixed, 3, true}).toStdString(),
                ::testing::AllOf(HasSubstr("2.50×"),
                                 HasSubstr("1.00\u00A0ms instead of 2.50\u00A0ms at that moment.")));
}

TEST(Headline, ABestThatTakesLongerThanFixedCsrLaterIsNoContradiction) {
    const RankedResult fixed = result(10, 0.1, true);
    RankedResult best = result(10.5, 0.1);
    best.row.reference_ms = 12.6;
    best.row.speedup_over_fixed_csr = 1.2;
    EXPECT_THAT(result_summary_text({QStringLiteral("m"), &best, &fixed, 3, true}).toStdString(),
                ::testing::AllOf(HasSubstr("1.20×"), Not(HasSubstr("noise")), Not(HasSubstr("spread")),
                                 HasSubstr("10.5\u00A0ms instead of 12.6\u00A0ms at that moment.")));
    RankedResult rival = result(9.9, 0.2);
    rival.row.reference_ms = 9.8;
    rival.is_in_noise = true;
    EXPECT_THAT(
        result_summary_text({QStringLiteral("m"), &fixed, &fixed, 1, true, &rival}).toStdString(),
        ::testing::AllOf(HasSubstr("clearly beats fixed CSR (10.0\u00A0ms). The fastest other schedule, "),
                         HasSubstr("takes 9.90\u00A0ms against 9.80\u00A0ms at that moment (")))
        << "the stored time of fixed CSR is longer";
}

TEST(Headline, ClaimsNoBestWhereNoiseAllowsNone) {
    const RankedResult fixed = result(10, 3, true);
    RankedResult first = result(10.5, 4);
    first.nickname = "tall blocks";
    first.row.reference_ms = 13.86;
    first.row.speedup_over_fixed_csr = 1.32;
    first.is_in_noise = true;
    ResultSummary facts{QStringLiteral("m"), &first, &fixed, 2, true, &first};
    EXPECT_THAT(result_summary_text(facts).toStdString(),
                ::testing::AllOf(StartsWith("Nothing measured on m clearly beats fixed CSR (10.0\u00A0ms)."),
                                 HasSubstr("tall blocks"), HasSubstr("~1.32×"), Not(HasSubstr("best"))))
        << "fixed CSR is faster by the stored times, the other one by its speedup";
    RankedResult second = result(8, 0.1);
    second.nickname = "chunk 8";
    second.row.speedup_over_fixed_csr = 1.25;
    facts.winner = &second;
    EXPECT_THAT(result_summary_text(facts).toStdString(),
                ::testing::AllOf(StartsWith("<b>chunk 8</b> is the fastest on m that clearly beats"),
                                 HasSubstr("<b>tall blocks</b> may be faster ("), HasSubstr("~1.32×")));
}

TEST(Headline, SaysThatFixedCsrItselfWasAsFastInTheCollection) {
    const RankedResult fixed = result(3.53, 0.1, true);
    RankedResult best = result(6.28, 0.1);
    best.row.reference_ms = 12.3;
    best.row.speedup_over_fixed_csr = 1.95;
    best.row.fixed_csr_range = BaselineRange{3.53, 12.3};
    const auto ranked = [](ResultRow of, ResultRow reference) {
        return rank_results({std::move(of), std::move(reference)}).front();
    };
    best = ranked(best.row, fixed.row);
    EXPECT_TRUE(best.is_in_noise);
    const ResultSummary facts{QStringLiteral("m"), &best, &fixed, 2, true, &best};
    EXPECT_THAT(result_summary_text(facts).toStdString(),
                ::testing::AllOf(HasSubstr("Nothing measured on m clearly beats"), HasSubstr("~1.95×"),
                                 HasSubstr("Fixed CSR itself took 3.53\u00A0ms to 12.3\u00A0ms in this "
                                           "collection."),
                                 Not(HasSubstr("spread")), HasSubstr("Measure both again")));
    best.row.median_ms = 3;
    best.row.speedup_over_fixed_csr = 4.1;
    EXPECT_FALSE(ranked(best.row, fixed.row).is_in_noise) << "faster than fixed CSR ever was";
}

TEST(Headline, SaysTheVerdictAloneWhereThereIsLittleRoom) {
    const RankedResult fixed = result(2, 0.9, true);
    RankedResult best = result(1.9, 0.2);
    best.is_in_noise = true;
    ResultSummary facts{QStringLiteral("m"), &best, &fixed, 3, true, &best};
    facts.is_short = true;
    EXPECT_THAT(
        result_summary_text(facts).toStdString(),
        ::testing::AllOf(StartsWith("Nothing measured on m clearly beats fixed CSR (2.00\u00A0ms). <a"),
                         HasSubstr("Measure both again"), Not(HasSubstr("busy")),
                         Not(HasSubstr("The fastest other"))));
}

TEST(Headline, TheClearWinnerIsTheFastestThatBeatsFixedCsrBeyondNoise) {
    std::vector<RankedResult> results{result(1, 0.1), result(1.5, 0.1), result(2, 0.1, true), result(4, 0.1)};
    results[0].is_in_noise = true;
    EXPECT_EQ(clear_winner(results), &results[1]);
    results[1].is_in_noise = true;
    EXPECT_EQ(clear_winner(results), nullptr) << "a slower one wins nothing";
}

TEST(Headline, TheFigureInTurnsLeadsAndTheCollectedOneIsNamedAsSuch) {
    const RankedResult fixed = result(2, 0.01, true);
    RankedResult best = result(1, 0.01);
    best.nickname = "chunk 8";
    TurnsResult turns{{.configuration = "t", .speedup = 1.8, .margin = 0.1}, "chunk 8"};
    ResultSummary facts{QStringLiteral("m"), &best, &fixed, 3, true, &best, &best, &turns};
    const auto told = [&] { return result_summary_text(facts).toStdString(); };
    EXPECT_THAT(told(), ::testing::AllOf(
                            StartsWith("Measured in turns, <b>chunk 8</b> is the fastest schedule on m: "),
                            HasSubstr("1.80×"), HasSubstr("The collected figure is "), HasSubstr("2.00×")));
    facts.is_short = true;
    EXPECT_THAT(told(), ::testing::AllOf(HasSubstr("1.80×"), Not(HasSubstr("collected"))));
    facts.is_short = false;
    best.row.spread_ms = 0.3;
    EXPECT_THAT(told(), HasSubstr("The times of this schedule spread by 30 %"))
        << "its name may be long, and is not said twice";
    best.row.spread_ms = 0.01;
    turns.nickname = "tall blocks";
    EXPECT_THAT(told(), ::testing::AllOf(HasSubstr("<b>tall blocks</b> is the fastest schedule"),
                                         HasSubstr("The collected times put <b>chunk 8</b> first, with ")));
    turns.fastest.margin = 0.3;
    EXPECT_THAT(told(), ::testing::AllOf(HasSubstr("<b>tall blocks</b> is the fastest schedule"),
                                         HasSubstr("1.80×\u00A0±\u00A00.30"), Not(HasSubstr("~"))))
        << "imprecise, and beyond noise";
    turns.fastest.speedup = 1.02;
    turns.fastest.margin = 0.05;
    best.is_in_noise = true;
    EXPECT_THAT(told(), ::testing::AllOf(HasSubstr("there is no clear winner on m. <b>tall blocks</b> comes "
                                                   "first: "),
                                         HasSubstr("~1.02×"), HasSubstr("~2.00×"), Not(HasSubstr("fastest")),
                                         HasSubstr(current_theme().dim_text.name().toStdString()),
                                         HasSubstr("which may be noise")));
    turns.is_fixed_csr = true;
    facts.best = &fixed;
    EXPECT_THAT(
        told(),
        HasSubstr(
            "Measured in turns, no schedule on m beats fixed CSR. The collected times put fixed CSR first"));
}

TEST(Headline, GuardsTheVerdictAgainstALoserByTheSameNoiseAndTellsOfTimesThatSpread) {
    const auto told = [](const RankedResult& fixed, const RankedResult& rival) {
        return result_summary_text({QStringLiteral("m"), &fixed, &fixed, 1, true, &rival}).toStdString();
    };
    const RankedResult quiet = result(2, 0.1, true);
    RankedResult rival = result(2.1, 0.2);
    EXPECT_THAT(told(quiet, rival),
                ::testing::AllOf(HasSubstr("Nothing measured on m beats fixed CSR (2.00\u00A0ms)"),
                                 Not(HasSubstr("busy")), Not(HasSubstr("href"))));
    rival.is_in_noise = true;
    EXPECT_THAT(told(quiet, rival),
                ::testing::AllOf(HasSubstr("Nothing measured on m clearly beats"), HasSubstr("± 224\u00A0µs"),
                                 HasSubstr("Measure both again"), Not(HasSubstr("busy"))));
    const RankedResult busy = result(2, 0.9, true);
    EXPECT_THAT(
        told(busy, rival),
        ::testing::AllOf(HasSubstr("The times of fixed CSR spread by 45 %: the computer may be busy."),
                         HasSubstr("Measure both again")));
    rival.is_in_noise = false;
    EXPECT_THAT(told(busy, rival), ::testing::AllOf(HasSubstr("Nothing measured on m beats"),
                                                    HasSubstr("busy"), HasSubstr("Measure both again")));
    EXPECT_THAT(result_summary_text({QStringLiteral("m"), &busy, &busy, 1, false, &rival}).toStdString(),
                ::testing::AllOf(
                    HasSubstr("spread by 45 %: the computer may have been busy when they were recorded."),
                    Not(HasSubstr("Measure both again"))));
}

TEST(Headline, TheRivalIsTheFastestOtherThanFixedCsr) {
    std::vector<RankedResult> results{result(1, 0.1, true), result(2, 0.1), result(3, 0.1)};
    EXPECT_EQ(fastest_rival(results), &results[1]);
    results.resize(1);
    EXPECT_EQ(fastest_rival(results), nullptr);
}

TEST(SpeedupBars, ArePaleWhereTheyMayBeNoise) {
    std::vector<RankedResult> results{result(1, 0.1), result(1.9, 0.1), result(2, 0.1, true),
                                      result(2.1, 0.1), result(4, 0.1)};
    results[1].is_in_noise = true;
    results[3].is_in_noise = true;
    const BarSeries bars = speedup_bars(results);
    std::vector<ChartColour> colours;
    for (const Bar& bar : bars.bars)
        colours.push_back(bar.colour);
    EXPECT_THAT(colours,
                ::testing::ElementsAre(ChartColour::Win, ChartColour::FaintWin, ChartColour::Reference,
                                       ChartColour::FaintLose, ChartColour::Lose));
    EXPECT_THAT(bars.bars[1].note.toStdString(), HasSubstr("may be noise"));
}

TEST(BaselineNote, SaysWhatFixedCsrTookBeforeAndNowWhileOlderTimesAreCompared) {
    BaselineNote note;
    const ResultFilter question{.matrix = "m"};
    RankedResult fixed = result(2, 0.1, true);
    fixed.row.measured = "2026-01-01";
    RankedResult other = result(1, 0.1);
    EXPECT_TRUE(note.text_for(question, {other, fixed}).isEmpty());
    EXPECT_TRUE(note.text_for(question, {other}).isEmpty()) << "it is not measured";
    fixed.row.measured = "2026-01-02";
    fixed.row.median_ms = 3;
    other.is_before_baseline = true;
    const auto changed = note.text_for(question, {other, fixed}).toStdString();
    EXPECT_THAT(changed, ::testing::AllOf(HasSubstr("2.00\u00A0ms before, 3.00\u00A0ms now"),
                                          HasSubstr("1 schedule,")));
    EXPECT_EQ(note.text_for(question, {other, fixed}).toStdString(), changed) << "as long as it holds";
    EXPECT_THAT(note.text_for({.matrix = "n"}, {other, fixed}).toStdString(),
                ::testing::AllOf(HasSubstr("measured anew since"), Not(HasSubstr("before, "))))
        << "nobody saw what it was before";
    note.forget();
    EXPECT_THAT(note.text_for(question, {other, fixed}).toStdString(), Not(HasSubstr("before, ")))
        << "another workspace, where nobody saw it either";
    other.is_before_baseline = false;
    EXPECT_TRUE(note.text_for(question, {other, fixed}).isEmpty()) << "all are measured again";
}

} // namespace
} // namespace sparsight::testing
