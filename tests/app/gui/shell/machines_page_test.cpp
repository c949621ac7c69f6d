// The Machines page in the real window.
#include "window_fixture.h"

#include "domains/sparse/storage/schedules.h"
#include "gui/machines/machine_actions.h"
#include "gui/machines/machine_editor.h"
#include "gui/machines/machine_facts.h"
#include "gui/machines/machines_page.h"
#include "gui/selection/selection.h"
#include "gui/workspace/workspace_session.h"
#include "machine/machine_description.h"
#include "machine/machine_edit.h"
#include "machine/machine_presets.h"
#include "machine/probe/probe.h"
#include "store/machines.h"
#include "widgets/look/number_input.h"
#include "widgets/table/data_table.h"

#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QSlider>
#include <QTabWidget>
#include <QToolButton>
#include <QUndoStack>
#include <QWheelEvent>

namespace sparsight::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using P = MachineParameter;

class MachinesPageTest : public WindowTest {
protected:
    MachinesPageTest() {
        window().resize(1280, 800);
        open_workspace_on(QStringLiteral("machines"));
    }

    [[nodiscard]] MachinesPage& page() { return dynamic_cast<MachinesPage&>(*window().current_page()); }
    [[nodiscard]] MachineEditor& editor() { return *page().findChild<MachineEditor*>(); }

    /// The names and descriptions that are in the file, once all that was edited is.
    [[nodiscard]] std::vector<MachineDescription> stored() {
        EXPECT_TRUE(wait_until([&] { return page().is_settled(); }));
        auto workspace = Workspace::open(program_->session().path().toStdString());
        std::vector<MachineDescription> machines;
        const auto records = list_machines(*workspace);
        for (const MachineRecord& record : *records)
            machines.push_back(description_of(record).value_or(MachineDescription{}));
        return machines;
    }
    [[nodiscard]] std::vector<std::string> stored_names() {
        std::vector<std::string> names;
        for (const MachineDescription& machine : stored())
            names.push_back(machine.name);
        return names;
    }
    [[nodiscard]] double stored_value(P parameter) {
        return resolve_parameters(stored().back()).values[parameter];
    }

    /// As the button in the page's tool bar.
    void press(const QAction* action) {
        for (auto* button : page().findChildren<QToolButton*>())
            if (button->defaultAction() == action && button->isVisible())
                return click(button);
        FAIL() << "no button for " << action->text().toStdString();
    }
    void make_new(const char* preset) {
        auto* const action = page().findChild<QAction*>(QLatin1String("preset-") + QLatin1String(preset));
        ASSERT_NE(action, nullptr);
        action->trigger();
        ASSERT_TRUE(wait_until([&] { return page().is_settled(); }));
    }
    void add_recorded(const char* name) {
        program_->session().write(&program_->session(),
                                  [name](Workspace& workspace) -> Result<void> {
                                      const auto id = recorded_machine(workspace, name);
                                      return id ? Result<void>() : std::unexpected(id.error());
                                  },
                                  {});
        ASSERT_TRUE(wait_until([&] { return !program_->session().contents().machines.empty(); }));
    }
    void type_into(QWidget& field, const QString& text) {
        field.setFocus();
        QTest::keyClick(&field, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClicks(&field, text);
        QTest::keyClick(&field, Qt::Key_Return);
    }
};

TEST_F(MachinesPageTest, AMachineIsImaginedFromAPresetAndItsNumbersAreShown) {
    make_new("epyc-7543");
    EXPECT_THAT(stored(), ElementsAre(find_machine_preset("epyc-7543")->machine));
    EXPECT_TRUE(editor().isVisible());
    EXPECT_EQ(editor().field(P::Cores)->value(), 64);
    EXPECT_EQ(editor().field(P::L2Bytes)->value(), 512);
    EXPECT_EQ(editor().field(P::L2Bytes)->suffix(), QStringLiteral(" KiB"));
    EXPECT_EQ(editor().mark(P::Cores)->text(), QString());
    EXPECT_EQ(editor().mark(P::DenseIteration)->text(), QStringLiteral("typical"));
    EXPECT_FALSE(editor().reason_label()->isVisible());
    EXPECT_THAT(program_->selection().current().machine.toStdString(),
                find_machine_preset("epyc-7543")->machine.fingerprint());
}

TEST_F(MachinesPageTest, AMachineOfThePaperKeepsTheNameUnderWhichItWasChosen) {
    make_new("report-b");
    ASSERT_EQ(stored().size(), 1U);
    EXPECT_EQ(stored().front().name, "Example machine B (from the paper)");
}

TEST_F(MachinesPageTest, ASliderChangesANumberAtOnceAndForGood) {
    make_new("laptop");
    QSlider* const slider = editor().slider(P::MemoryLatency);
    slider->setFocus();
    QTest::keyClick(slider, Qt::Key_PageUp);
    const double shown = editor().field(P::MemoryLatency)->value();
    EXPECT_GT(shown, 80);
    EXPECT_DOUBLE_EQ(stored_value(P::MemoryLatency), shown);
    EXPECT_EQ(stored_value(P::Cores), 4) << "nothing else changes";
}

TEST_F(MachinesPageTest, ANumberIsTypedAndWhatWasTypicalIsItsOwnThen) {
    make_new("laptop");
    ASSERT_EQ(editor().mark(P::ChunkCost)->text(), QStringLiteral("typical"));
    type_into(*editor().field(P::ChunkCost), QStringLiteral("0.75"));
    EXPECT_DOUBLE_EQ(stored_value(P::ChunkCost), 0.75);
    EXPECT_EQ(editor().mark(P::ChunkCost)->text(), QString());
    type_into(*editor().field(P::L3Bytes), QStringLiteral("16"));
    EXPECT_EQ(stored_value(P::L3Bytes), 16 << 20) << "typed in MiB";
}

TEST_F(MachinesPageTest, EditsAreUndoneAndDoneAgain) {
    make_new("laptop");
    type_into(*editor().field(P::Cores), QStringLiteral("8"));
    type_into(*editor().field(P::ClockRate), QStringLiteral("2.5"));
    EXPECT_EQ(stored_value(P::ClockRate), 2.5);
    press(page().actions().undo());
    EXPECT_EQ(editor().field(P::ClockRate)->value(), 3.4);
    EXPECT_EQ(stored_value(P::ClockRate), 3.4);
    EXPECT_EQ(stored_value(P::Cores), 8);
    press(page().actions().redo());
    EXPECT_EQ(stored_value(P::ClockRate), 2.5);
    for (int times = 0; times < 3; ++times)
        press(page().actions().undo());
    EXPECT_THAT(stored(), IsEmpty()) << "back to before it was made";
    EXPECT_FALSE(page().actions().undo()->isEnabled());
}

TEST_F(MachinesPageTest, OneDragOfASliderIsOneStepToUndo) {
    make_new("laptop");
    QSlider* const slider = editor().slider(P::ClockRate);
    slider->setSliderDown(true);
    for (const int stop : {100, 150, 200, 250})
        slider->setSliderPosition(stop);
    slider->setSliderDown(false);
    EXPECT_NE(stored_value(P::ClockRate), 3.4);
    press(page().actions().undo());
    EXPECT_EQ(stored_value(P::ClockRate), 3.4);
}

TEST_F(MachinesPageTest, AMachineIsDuplicatedDeletedAndBroughtBack) {
    make_new("laptop");
    press(page().actions().duplicate());
    EXPECT_THAT(stored_names(), ElementsAre("Laptop", "Laptop 2"));
    EXPECT_EQ(editor().name_field()->text(), QStringLiteral("Laptop 2"));
    press(page().actions().remove());
    EXPECT_THAT(stored_names(), ElementsAre("Laptop"));
    EXPECT_EQ(editor().name_field()->text(), QStringLiteral("Laptop")) << "another one is shown instead";
    press(page().actions().undo());
    EXPECT_THAT(stored_names(), ElementsAre("Laptop", "Laptop 2"));
    EXPECT_EQ(editor().name_field()->text(), QStringLiteral("Laptop 2"));
}

TEST_F(MachinesPageTest, TheDeleteKeyDeletesInTheTableAndOnlyTextInAField) {
    make_new("laptop");
    QTest::keyClick(editor().name_field(), Qt::Key_Delete);
    EXPECT_THAT(stored_names(), ElementsAre("Laptop"));
    page().setFocus(); // that is the table
    QTest::keyClick(page().focusProxy(), Qt::Key_Delete);
    EXPECT_THAT(stored_names(), IsEmpty());
}

TEST_F(MachinesPageTest, AMachineIsRenamedUnlessTheNameIsTaken) {
    make_new("laptop");
    make_new("graviton2");
    type_into(*editor().name_field(), QStringLiteral("Cloud"));
    EXPECT_THAT(stored_names(), ElementsAre("Laptop", "Cloud"));
    type_into(*editor().name_field(), QStringLiteral("Laptop"));
    EXPECT_EQ(editor().name_field()->text(), QStringLiteral("Cloud"));
    EXPECT_THAT(window().notices().texts().join(QLatin1Char('\n')).toStdString(),
                HasSubstr("There is a machine 'Laptop' already."));
}

TEST_F(MachinesPageTest, AMachineGoesThroughAFileIntoTheTableAgain) {
    make_new("laptop");
    type_into(*editor().field(P::Cores), QStringLiteral("6"));
    const QString file = path("laptop.json");
    page().actions().export_to(file);
    page().actions().import_from(file);
    const auto machines = stored();
    ASSERT_EQ(machines.size(), 2U);
    MachineDescription same = machines[0];
    same.name = "Laptop 2";
    EXPECT_EQ(machines[1], same);

    QFile broken(path("broken.json"));
    ASSERT_TRUE(broken.open(QIODevice::WriteOnly));
    broken.write("{\n oops");
    broken.close();
    page().actions().import_from(broken.fileName());
    EXPECT_THAT(window().notices().texts().join(QLatin1Char('\n')).toStdString(),
                HasSubstr("this is not JSON"));
    EXPECT_EQ(stored().size(), 2U);
}

TEST_F(MachinesPageTest, ARealComputerIsOnlyReadAndItsCopyIsEdited) {
    MachineDescription here = find_machine_preset("laptop")->machine;
    here.source = MachineSource::Probed;
    program_->session().write(&program_->session(),
                              [here](Workspace& workspace) -> Result<void> {
                                  const auto added = add_machine(workspace, here);
                                  return added ? Result<void>() : std::unexpected(added.error());
                              },
                              {});
    ASSERT_TRUE(wait_until([&] { return !program_->session().contents().machines.empty(); }));
    page().findChild<QTabWidget*>(QStringLiteral("machine-tabs"))->setCurrentWidget(&editor());
    EXPECT_FALSE(editor().slider(P::Cores)->isEnabled());
    EXPECT_TRUE(editor().field(P::Cores)->isReadOnly());
    EXPECT_THAT(editor().reason_label()->text().toStdString(),
                HasSubstr("its numbers were read, measured or fitted"));
    press(page().actions().duplicate());
    type_into(*editor().field(P::Cores), QStringLiteral("2"));
    const auto machines = stored();
    ASSERT_EQ(machines.size(), 2U);
    EXPECT_EQ(machines[0], here);
    EXPECT_EQ(machines[1].source, MachineSource::Simulated);
    EXPECT_EQ(machines[1].cores, 2);
}

TEST_F(MachinesPageTest, OfARecordedMachineWithoutFactsNothingCanBeCopied) {
    add_recorded("Xeon 8272CL");
    for (const QAction* action : {page().actions().duplicate(), page().actions().export_file()}) {
        EXPECT_FALSE(action->isEnabled());
        EXPECT_THAT(action->toolTip().toStdString(), HasSubstr("but its name and its runtimes"));
    }
    EXPECT_TRUE(page().actions().make_new()->isEnabled());
}

TEST_F(MachinesPageTest, ARealMachineIsDeletedWithItsRuntimesOnceThatIsConfirmed) {
    add_recorded("Xeon 8272CL");
    press(page().actions().remove());
    click(find<QMessageBox>("delete-machine-question")->button(QMessageBox::Cancel));
    EXPECT_EQ(stored().size(), 1U);
    press(page().actions().remove());
    EXPECT_THAT(find<QMessageBox>("delete-machine-question")->text().toStdString(), HasSubstr("Xeon 8272CL"));
    click(find<QPushButton>("delete-machine-with-times"));
    ASSERT_TRUE(wait_until([&] { return program_->session().contents().machines.empty(); }));
    EXPECT_TRUE(stored().empty());
}

TEST_F(MachinesPageTest, ThisComputerStays) {
    ASSERT_TRUE(wait_until([&] { return !program_->session().this_machine().isEmpty(); }));
    program_->session().write(
        &program_->session(),
        [here = program_->session().this_machine().toStdString()](Workspace& workspace) -> Result<void> {
            const auto id = record_machine(workspace, "here", here, "{}");
            return id ? Result<void>() : std::unexpected(id.error());
        },
        {});
    ASSERT_TRUE(wait_until([&] { return !program_->session().contents().machines.empty(); }));
    EXPECT_FALSE(page().actions().remove()->isEnabled());
    EXPECT_THAT(page().actions().remove()->toolTip().toStdString(), HasSubstr("This computer stays"));
}

TEST_F(MachinesPageTest, NumbersOfAFileThatDoNotGoTogetherAreRefused) {
    MachineDescription odd = find_machine_preset("epyc-7543")->machine;
    odd.cores = 63;
    odd.threads = 126;
    QFile file(path("odd.json"));
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write(QByteArray::fromStdString(machine_to_text(odd)));
    file.close();
    page().actions().import_from(file.fileName());
    EXPECT_THAT(window().notices().texts().join(QLatin1Char('\n')).toStdString(),
                HasSubstr("expected as many cores on each socket"));
    EXPECT_TRUE(stored().empty());
}

TEST_F(MachinesPageTest, ALinkToAMachineThatIsNotHereIsTold) {
    window().open_link(from_link(QStringLiteral("page=machines&machine=nosuch")));
    EXPECT_THAT(window().notices().texts().join(QLatin1Char('\n')).toStdString(),
                HasSubstr("There is no machine “nosuch” here"));
    window().open_link(from_link(QStringLiteral("page=machines")));
    EXPECT_THAT(window().notices().texts().join(QLatin1Char('\n')).toStdString(),
                ::testing::Not(HasSubstr("nosuch")));
}

TEST_F(MachinesPageTest, ALinkMayHaveTheNameOfAMachine) {
    const QString file = program_->session().path();
    QString fingerprint;
    {
        auto workspace = Workspace::open(file.toStdString());
        const auto machine = recorded_machine(*workspace, "bench");
        ASSERT_TRUE(machine.has_value());
        fingerprint = QString::fromStdString((*find_machine(*workspace, "bench"))->fingerprint);
    }
    open(file);
    window().open_link(from_link(QStringLiteral("page=machines&machine=bench")));
    EXPECT_EQ(program_->selection().current().machine, fingerprint);
}

TEST_F(MachinesPageTest, TurningTheWheelOverASliderScrollsTheFormAndChangesNothing) {
    make_new("laptop");
    QSlider* const slider = editor().slider(P::Cores);
    const auto turn = [&] {
        const QPointF middle = slider->rect().center();
        QWheelEvent wheel(middle, slider->mapToGlobal(middle), {}, {0, 120}, Qt::NoButton, Qt::NoModifier,
                          Qt::NoScrollPhase, false);
        QApplication::sendEvent(slider, &wheel);
    };
    editor().name_field()->setFocus();
    turn();
    EXPECT_EQ(stored_value(P::Cores), 4);
    slider->setFocus();
    turn();
    EXPECT_NE(editor().field(P::Cores)->value(), 4);
}

TEST_F(MachinesPageTest, AnEditThatCantBeWrittenIsToldAndTakenBack) {
    make_new("laptop");
    {
        auto workspace = Workspace::open(program_->session().path().toStdString());
        const auto machines = list_machines(*workspace);
        Measurement measurement;
        measurement.status = MeasurementStatus::Measured;
        measurement.median = Milliseconds(1);
        const auto matrices = list_matrices(*workspace);
        ASSERT_TRUE(record_measurement(*workspace, {matrices->front().id, machines->front().id},
                                       fixed_csr(Operator::SpMM, 4), measurement));
    }
    type_into(*editor().field(P::Cores), QStringLiteral("2"));
    ASSERT_TRUE(wait_until([&] { return editor().field(P::Cores)->value() == 4; }));
    EXPECT_THAT(window().notices().texts().join(QLatin1Char('\n')).toStdString(),
                HasSubstr("1 time is stored for this machine"));
    EXPECT_EQ(stored_value(P::Cores), 4);
    EXPECT_FALSE(page().actions().undo()->isEnabled());
}

TEST_F(MachinesPageTest, FitsIntoASmallScreenInLargeType) {
    make_new("xeon-platinum-8272cl");
    find<QAction>("full-screen")->trigger();
    QTest::qWait(20); // layouts hear of the font a turn later
    EXPECT_LE(page().minimumSizeHint().width(), 900);
    EXPECT_LE(page().minimumSizeHint().height(), 650);
    find<QAction>("full-screen")->trigger();
}

TEST_F(MachinesPageTest, NothingThatWasEditedIsLostWhenTheWindowCloses) {
    make_new("laptop");
    type_into(*editor().field(P::Cores), QStringLiteral("16"));
    const std::string file = program_->session().path().toStdString();
    program_.reset(); // before the pause after which it would be written
    auto workspace = Workspace::open(file);
    EXPECT_EQ(description_of(list_machines(*workspace).value().front())->cores, 16);
}

TEST_F(WindowTest, WhatEachNumberOfAMachineMeansIsSaidInFullInASmallWindow) {
    window().resize(1280, 800);
    open_workspace_on(QStringLiteral("machines"));
    ProbeOptions options;
    options.measure = false;
    const auto machine = probe_this_computer(options);
    ASSERT_TRUE(machine.has_value());
    program_->session().write(&program_->session(),
                              [machine = *machine](Workspace& workspace) -> Result<void> {
                                  const auto id =
                                      record_machine(workspace, machine.name, machine.fingerprint(),
                                                     machine_to_text(machine));
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
