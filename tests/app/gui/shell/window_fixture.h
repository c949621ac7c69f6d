// The whole program, offscreen, in a folder of its own: its settings, its jobs, its workspace.
#pragma once

#include "app/gui/workspace/only_sparse.h"
#include "domains/sparse/storage/matrices.h"
#include "domains/sparse/storage/schedules.h"
#include "domains/sparse/tensor/generators/generator.h"
#include "domains/sparse/tensor/matrix_files.h"
#include "gui/domains/sparse/sparse_views.h"
#include "gui/page/page.h"
#include "gui/shell/application.h"
#include "gui/shell/window/main_window.h"
#include "gui/shell/window/notices.h"
#include "gui/workspace/workspace_session.h"
#include "store/workspace.h"
#include "support/event_loop.h"
#include "support/own_measuring_lock.h"
#include "support/test_files.h"

#include <QApplication>
#include <QPushButton>
#include <QTest>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <memory>

namespace sparsight::testing {

/// With the sparse domain and all that the window shows of it.
[[nodiscard]] inline std::unique_ptr<Application> make_program(const ApplicationOptions& options) {
    auto program = std::make_unique<Application>(only_sparse(), options);
    add_sparse_views(*program);
    program->start();
    return program;
}

class WindowTest : public ::testing::Test {
protected:
    WindowTest() { start(); }

    void start() {
        ApplicationOptions options;
        options.settings_file = path("settings.ini");
        options.jobs.folder = path("jobs");
        options.jobs.worker_program = QStringLiteral(SPARSIGHT_CLI);
        options.jobs.poll_interval = std::chrono::milliseconds(20);
        program_ = make_program(options);
        window().show();
    }
    /// As if the window were closed and the program started again.
    void restart() {
        program_.reset();
        start();
    }

    [[nodiscard]] MainWindow& window() { return program_->window(); }
    [[nodiscard]] QString path(const char* name) const {
        return QString::fromStdString((folder_ / name).string());
    }

    /// A workspace file with the matrix "banded" (300 × 300).
    QString make_workspace(const char* name = "w.sparsight") {
        auto workspace = Workspace::create(path(name).toStdString(), "test");
        const auto pattern = generate_matrix("banded", {{"size", 300}}, 1);
        EXPECT_TRUE(add_matrix(*workspace, {"banded", "generated", {}}, *pattern).has_value());
        return path(name);
    }
    /// Also one that is open already: it is opened anew, and then shows what was looked at in it.
    void open(const QString& workspace) {
        const auto is_open = std::make_shared<bool>(false);
        QObject::connect(&program_->session(), &WorkspaceSession::opened, &window(),
                         [is_open, workspace](const QString& path) { *is_open |= path == workspace; });
        window().open_files({workspace});
        ASSERT_TRUE(wait_until([&] { return *is_open; }))
            << window().notices().texts().join(QLatin1Char('\n')).toStdString();
    }
    void open_workspace_on(const QString& page) {
        open(make_workspace());
        window().show_page(page);
        ASSERT_TRUE(wait_until([&] { return window().current_page() != nullptr && page_is_settled(); }));
    }
    [[nodiscard]] bool page_is_settled() { return window().current_page()->is_settled(); }

    template <typename Widget>
    [[nodiscard]] Widget* find(const char* name) {
        auto* found = window().findChild<Widget*>(QLatin1String(name));
        EXPECT_NE(found, nullptr) << name;
        return found;
    }
    void click(QAbstractButton* button) {
        ASSERT_NE(button, nullptr);
        ASSERT_TRUE(button->isEnabled())
            << button->text().toStdString() << ": " << button->toolTip().toStdString();
        QTest::mouseClick(button, Qt::LeftButton);
    }
    [[nodiscard]] std::size_t stored_results() {
        auto workspace = Workspace::open(program_->session().path().toStdString());
        const auto results = list_results(*workspace);
        return results ? results->size() : 0;
    }
    [[nodiscard]] bool no_job_is_under_way() {
        return std::ranges::all_of(program_->jobs().jobs(),
                                   [](const Job& job) { return is_over(job.state); });
    }

    OwnMeasuringLock lock_;
    testing::TemporaryFolder folder_;
    std::unique_ptr<Application> program_;
};

} // namespace sparsight::testing
