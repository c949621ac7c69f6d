// A workspace that is open in two windows.
#include "window_fixture.h"

#include <QToolButton>

namespace sparsight::testing {
namespace {

TEST_F(WindowTest, AWorkspaceThatIsOpenTwiceIsToldInBothWindowsAndNothingIsLost) {
    using ::testing::HasSubstr;
    open_workspace_on(QStringLiteral("matrices"));
    const QString workspace = program_->session().path();
    EXPECT_FALSE(program_->session().is_open_elsewhere());
    const auto told = [](MainWindow& window) {
        return window.notices().texts().join(QLatin1Char('\n')).toStdString();
    };
    {
        ApplicationOptions options;
        options.settings_file = path("other.ini");
        options.jobs.folder = path("jobs");
        Application other(options);
        other.window().open_files({workspace});
        ASSERT_TRUE(wait_until(
            [&] { return other.session().is_open_elsewhere() && program_->session().is_open_elsewhere(); }));
        for (MainWindow* window : {&window(), &other.window()}) {
            EXPECT_THAT(told(*window), HasSubstr("w is open in another window, too. Both may write"));
            EXPECT_THAT(window->findChild<QToolButton*>(QStringLiteral("workspace"))->text().toStdString(),
                        HasSubstr("open twice"));
        }
        bool is_written = false;
        other.session().write(
            [](Workspace& file) -> Result<void> {
                const auto added =
                    add_matrix(file, {"from-the-other", "generated", {}}, *generate_matrix("arrow", {}, 1));
                return added ? Result<void>() : std::unexpected(added.error());
            },
            [&](const Result<void>& result) { is_written = result.has_value(); });
        ASSERT_TRUE(wait_until([&] { return is_written; }));
        EXPECT_TRUE(wait_until(
            [&] { return program_->session().matrix(QStringLiteral("from-the-other")) != nullptr; }));
    }
    EXPECT_TRUE(wait_until([&] { return !program_->session().is_open_elsewhere(); }));
    EXPECT_THAT(told(window()), HasSubstr("in this window alone again"));
}

} // namespace
} // namespace sparsight::testing
