// The Machines page in the real window.
#include "window_fixture.h"

#include "gui/machines/machine_facts.h"
#include "machine/machine_json.h"
#include "machine/probe.h"
#include "store/machines.h"
#include "widgets/table/data_table.h"
#include "widgets/table/explained_table.h"

#include <QLabel>

namespace sparsight::testing {
namespace {

TEST_F(WindowTest, WhatEachNumberOfAMachineMeansIsSaidInFullInASmallWindow) {
    window().resize(1280, 800);
    open_workspace_on(QStringLiteral("machines"));
    ProbeOptions options;
    options.measure = false;
    const auto machine = probe_this_computer(options);
    ASSERT_TRUE(machine.has_value());
    program_->session().write(
        [machine = *machine](Workspace& workspace) -> Result<void> {
            const auto id =
                record_machine(workspace, machine.name, machine.fingerprint(), machine_to_text(machine));
            return id ? Result<void>() : std::unexpected(id.error());
        },
        {});
    auto* explained = window().current_page()->findChild<ExplainedTable*>();
    DataTable& table = explained->table();
    ASSERT_TRUE(wait_until([&] { return table.model()->rowCount() > 0; }));
    EXPECT_EQ(table.current_source_row(), 0) << "one is explained from the start";
    const QLabel& text = explained->explanation();
    const std::vector<MachineFact> facts = machine_facts(*machine);
    ASSERT_EQ(static_cast<std::size_t>(table.model()->rowCount()), facts.size());
    for (std::size_t row = 0; row < facts.size(); ++row) {
        table.select_source_row(static_cast<int>(row));
        EXPECT_THAT(text.text().toStdString(),
                    ::testing::HasSubstr(facts[row].meaning.toHtmlEscaped().toStdString()));
        EXPECT_LE(text.heightForWidth(text.width()), text.height()) << facts[row].name.toStdString();
    }
}

} // namespace
} // namespace sparsight::testing
