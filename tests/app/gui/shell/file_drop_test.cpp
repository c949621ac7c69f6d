// Files that are dropped on the window, as the system sends them: to the window, which finds the widget under
// the cursor.
#include "window_fixture.h"

#include "widgets/chart/chart.h"
#include "widgets/plot/sparsity_plot.h"
#include "widgets/table/data_table.h"
#include "widgets/table/table_view.h"

#include <QLineEdit>
#include <QMimeData>
#include <QTabWidget>
#include <QTextBrowser>
#include <QUrl>
#include <QWindow>

namespace sparsight::testing {
namespace {

class FileDropTest : public WindowTest {
protected:
    QString make_matrix(const QString& name) {
        const auto pattern = generate_matrix("arrow", {{"size", 30}}, 1);
        const QString file = path((name + QStringLiteral(".mtx")).toUtf8().constData());
        EXPECT_TRUE(write_matrix_market(file.toStdString(), *pattern).has_value());
        return file;
    }

    /// False where the drag is refused.
    bool drop_on(QWidget* widget, const QString& file) {
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(file)});
        data.setText(file); // as file managers do, so that fields of text want it, too
        const QPoint place = widget->mapTo(&window(), widget->rect().center());
        QDragEnterEvent enter(place, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(window().windowHandle(), &enter);
        QDragMoveEvent move(place, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(window().windowHandle(), &move);
        if (!enter.isAccepted() || !move.isAccepted())
            return false;
        QDropEvent drop(place, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(window().windowHandle(), &drop);
        return drop.isAccepted();
    }
};

TEST_F(FileDropTest, MatricesMayBeDroppedOnWhateverIsUnderTheCursor) {
    open_workspace_on(QStringLiteral("matrices"));
    QWidget& page = *window().current_page();
    page.findChild<QTabWidget*>()->setCurrentIndex(1); // the chart of row lengths
    auto* list = page.findChild<DataTable*>(QStringLiteral("matrix-list"));
    auto* field = list->findChild<QLineEdit*>();
    const std::vector<std::pair<QString, QWidget*>> places{
        {QStringLiteral("on-table"), list->view()->viewport()},
        {QStringLiteral("on-field"), field},
        {QStringLiteral("on-plot"), page.findChild<SparsityPlot*>()},
        {QStringLiteral("on-chart"), page.findChild<QTabWidget*>()->currentWidget()},
        {QStringLiteral("on-navigation"), find<QWidget>("navigation")},
        {QStringLiteral("on-selection"), find<QWidget>("selection")}};
    for (const auto& [name, widget] : places) {
        ASSERT_TRUE(widget != nullptr && widget->isVisible()) << name.toStdString();
        EXPECT_TRUE(drop_on(widget, make_matrix(name))) << name.toStdString();
        EXPECT_TRUE(wait_until([&] { return program_->session().matrix(name) != nullptr; }))
            << name.toStdString();
    }
    EXPECT_EQ(field->text(), QString()) << "the field has not taken the path for a filter";
}

TEST_F(FileDropTest, AWorkspaceIsOpenedWhereverItIsDropped) {
    const QString other = make_workspace("other.sparsight");
    open_workspace_on(QStringLiteral("schedules"));
    EXPECT_TRUE(drop_on(window().current_page()->findChild<Chart*>(), other));
    EXPECT_TRUE(wait_until([&] { return program_->session().path() == other; }));
    window().show_page(QStringLiteral("help"));
    EXPECT_TRUE(drop_on(window().current_page()->findChild<QTextBrowser*>(), path("w.sparsight")));
    EXPECT_TRUE(wait_until([&] { return program_->session().path() == path("w.sparsight"); }));
}

TEST_F(FileDropTest, OnTheStartPageTheyAreOpened) {
    EXPECT_TRUE(drop_on(window().centralWidget(), make_workspace()));
    EXPECT_TRUE(wait_until([&] { return program_->session().is_open(); }));
}

} // namespace
} // namespace sparsight::testing
