// The Matrices page in the real window.
#include "window_fixture.h"

#include "gui/matrices/statistics_model.h"
#include "gui/matrices/statistics_view.h"
#include "widgets/table/data_table.h"

#include <QLabel>

namespace sparsight::testing {
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
} // namespace sparsight::testing
