// Tables of blocks come into the workspace through a dialog and the worker.
#include "block_window_fixture.h"
#include "gui/domains/blocks/import_blocks_dialog.h"
#include "gui/settings/settings.h"

#include <QCheckBox>
#include <QLineEdit>
#include <fstream>

namespace sparsight::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class ImportBlocksTest : public BlockWindowTest {};

TEST_F(ImportBlocksTest, TheDialogNeedsATable) {
    ImportBlocksDialog dialog(program_->settings());
    auto* const import = dialog.findChild<QPushButton*>(QStringLiteral("import"));
    EXPECT_FALSE(import->isEnabled());
    EXPECT_FALSE(import->toolTip().isEmpty());
    dialog.add_tables({make_table(), path("none.csv")});
    EXPECT_TRUE(import->isEnabled());
    dialog.findChild<QLineEdit*>(QStringLiteral("machines"))->setText(QStringLiteral("hsw, skl"));
    dialog.findChild<QCheckBox*>(QStringLiteral("without-aliasing"))->setChecked(true);
    const ImportBlocksJob job = dialog.request();
    EXPECT_THAT(job.tables, ElementsAre(path("blocks.csv"))) << "a file that is not there is passed over";
    const QStringList words = describe(job).arguments;
    EXPECT_THAT(words, ::testing::Contains(QStringLiteral("--only-machines=hsw,skl")));
    EXPECT_THAT(words, ::testing::Contains(QStringLiteral("--without-aliasing")));
}

TEST_F(ImportBlocksTest, ADroppedTableIsImportedAndItsBlocksAreShown) {
    open(make_workspace());
    choose_blocks();
    window().open_files({make_table()});
    ImportBlocksDialog* dialog = nullptr;
    ASSERT_TRUE(wait_until([&] { return (dialog = window().findChild<ImportBlocksDialog*>()) != nullptr; }));
    click(dialog->findChild<QPushButton*>(QStringLiteral("import")));
    ASSERT_TRUE(wait_until([&] { return program_->session().contents().workloads.size() == 2; }));
    ASSERT_TRUE(wait_until([&] { return no_job_is_under_way(); }));
    EXPECT_THAT(window().notices().texts().join(u'\n').toStdString(),
                HasSubstr("2 blocks with 3 times on 2 machines"));
}

TEST_F(ImportBlocksTest, ADroppedObjectFileIsLookedAt) {
    open(make_workspace());
    std::ofstream(path("loop.s").toStdString()) << "imul rax, rbx\n";
    window().open_files({path("loop.s")});
    ASSERT_TRUE(wait_until([&] { return page().edit().toPlainText() == QStringLiteral("imul rax, rbx\n"); }));
    EXPECT_TRUE(wait_until([&] { return program_->session().domain().name() == blocks_domain; }));
    EXPECT_TRUE(wait_until([&] { return window().current_page() == &page(); }));
}

} // namespace
} // namespace sparsight::testing
