// The widgets about one schedule on real matrices and recorded schedules. With SPARSIGHT_SCREENSHOTS=FOLDER
// they leave pictures there.
#include "../../../widgets/look/screenshot.h"
#include "gui/schedules/schedule_draft_bridge.h"
#include "gui/comparison/schedule_picture.h"
#include "matrix/reading.h"
#include "schedule/text.h"
#include "support/shared_data.h"
#include "widgets/look/card.h"
#include "widgets/schedule/code_view.h"
#include "widgets/schedule/coordinate_tree_view.h"
#include "widgets/schedule/loop_chip_row.h"
#include "widgets/schedule/schedule_editor.h"
#include "widgets/schedule/storage_bars.h"

#include <gmock/gmock.h>

namespace sparsight {
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
