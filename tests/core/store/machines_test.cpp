#include "machine/machine_description.h"
#include "machine/machine_edit.h"
#include "machine/machine_family.h"
#include "machine/machine_presets.h"
#include "store/machines.h"
#include "store_fixture.h"

#include <gmock/gmock.h>

namespace sparsight {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using testing::error_text;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::must;

class MachinesTest : public testing::StoreTest {};

TEST_F(MachinesTest, KeepTheirIdWhenProbedAgain) {
    Workspace workspace = create();
    const MachineId id = must(record_machine(workspace, "laptop", "f1", R"({"cores":2})"));
    EXPECT_NE(must(record_machine(workspace, "server", "f2", "{}")), id);
    EXPECT_EQ(must(record_machine(workspace, "my laptop", "f1", R"({"cores":4})")), id);
    const auto machines = must(list_machines(workspace));
    ASSERT_EQ(machines.size(), 2U);
    EXPECT_EQ(machines[0].name, "my laptop");
    EXPECT_EQ(machines[0].description, R"({"cores":4})");
    EXPECT_EQ(machines[0].probed.back(), 'Z');
}

TEST_F(MachinesTest, AreFoundByNameOrFingerprint) {
    Workspace workspace = create();
    const MachineId one = must(record_machine(workspace, "node", "f1", "{}"));
    EXPECT_EQ(must(find_machine(workspace, "node"))->id, one);
    EXPECT_EQ(must(find_machine(workspace, "f1"))->id, one);
    EXPECT_FALSE(must(find_machine(workspace, "other")));
    const MachineId two = must(record_machine(workspace, "node", "f2", "{}"));
    EXPECT_THAT(error_text(find_machine(workspace, "node")),
                AllOf(HasSubstr("2 machines are called node"), HasSubstr("f1, f2")));
    EXPECT_EQ(must(find_machine(workspace, "f2"))->id, two);
}

TEST_F(MachinesTest, AreNamedByAUniqueBeginningOfTheirNameInCapitalsOrNot) {
    Workspace workspace = create();
    const MachineId epyc = must(record_machine(workspace, "AMD EPYC 7B12", "f1", "{}"));
    const MachineId xeon = must(record_machine(workspace, "Xeon 8272CL", "f2", "{}"));
    const auto named = [&](const char* text) { return must(find_named_machine(workspace, text)); };
    EXPECT_EQ(named("AMD EPYC")->id, epyc);
    EXPECT_EQ(named("xeon")->id, xeon);
    EXPECT_EQ(named("f2")->id, xeon) << "a fingerprint, as before";
    EXPECT_FALSE(named("EPYC")) << "that is no beginning";
    EXPECT_FALSE(named(""));
    EXPECT_EQ(must(require_machine(workspace, "amd")).id, epyc);
    EXPECT_FALSE(must(find_machine(workspace, "AMD EPYC"))) << "only users shorten names";

    const MachineId other = must(record_machine(workspace, "AMD EPYC", "f3", "{}"));
    EXPECT_EQ(named("AMD EPYC")->id, other) << "the whole name is no beginning of another";
    EXPECT_EQ(named("amd epyc")->id, other);
    EXPECT_THAT(
        error_text(find_named_machine(workspace, "AMD")),
        HasSubstr("the names of 2 machines begin with \"AMD\": expected one of AMD EPYC 7B12, AMD EPYC"));
    must(record_machine(workspace, "Xeon 8272CL", "f4", "{}"));
    EXPECT_THAT(error_text(find_named_machine(workspace, "Xeon")),
                HasSubstr("Xeon 8272CL (f2), Xeon 8272CL (f4)"));
}

TEST_F(MachinesTest, HaveCommasInTheirNamesInListsToo) {
    Workspace workspace = create();
    must(record_machine(workspace, "AMD EPYC, 2 threads", "f1", "{}"));
    EXPECT_THAT(unknown_machine(workspace, "vax").error().message,
                HasSubstr("known machines: \"AMD EPYC, 2 threads\""));
    must(record_machine(workspace, "Xeon", "f2", "{}"));
    const auto rejoined = [&](const std::vector<std::string>& words) {
        return must(rejoined_machines(workspace, words));
    };
    EXPECT_THAT(rejoined({"Xeon", "AMD EPYC", " 2 threads", "f1"}),
                ElementsAre("Xeon", "AMD EPYC, 2 threads", "f1"));
    EXPECT_THAT(rejoined({"AMD EPYC", "Xeon"}), ElementsAre("AMD EPYC", "Xeon"));
    EXPECT_THAT(rejoined({}), IsEmpty());
}

TEST_F(MachinesTest, MayBeKnownByNameAlone) {
    Workspace workspace = create();
    const MachineId id = must(recorded_machine(workspace, "xeon"));
    EXPECT_EQ(must(recorded_machine(workspace, "xeon")), id);
    EXPECT_EQ(must(find_machine(workspace, "xeon"))->fingerprint, "recorded:xeon");
    EXPECT_THAT(error_text(recorded_machine(workspace, "")), HasSubstr("name of the machine"));
    must(record_machine(workspace, "laptop", "f1", "{}"));
    EXPECT_THAT(error_text(recorded_machine(workspace, "laptop")),
                HasSubstr("'laptop' is a measured computer of this workspace"));
    EXPECT_THAT(error_text(record_machine(workspace, "a", "", "{}")), HasSubstr("a name and a fingerprint"));
}

TEST_F(MachinesTest, LoseTheirFactsWhenTheyAreRemoved) {
    Workspace workspace = create();
    for (const bool has_times : {false, true}) {
        const MachineId gpu = must(recorded_machine(workspace, "A100"));
        must(set_machine_facts(workspace, gpu, R"({"memory":40})"));
        EXPECT_EQ(must(machine_facts(workspace, gpu)), R"({"memory":40})");
        if (has_times)
            EXPECT_EQ(must(remove_machine_with_times(workspace, gpu)), 0);
        else
            must(remove_machine(workspace, gpu));
        const MachineId later = must(record_machine(workspace, "laptop", "f1", "{}"));
        EXPECT_EQ(later, gpu) << "the number is not given again: this test shows nothing";
        EXPECT_EQ(must(machine_facts(workspace, later)), "");
        must(remove_machine(workspace, later));
    }
}

class ImaginedMachinesTest : public testing::StoreTest {
protected:
    static MachineDescription laptop() { return find_machine_preset("laptop").value().machine; }

    /// A time of one matrix on it.
    static void store_time(Workspace& workspace, MachineId machine) {
        const WorkloadId matrix = must(add_matrix(workspace, {"cage", "", {}}, testing::small_pattern()));
        must(record_measurement(workspace, {matrix, machine}, testing::numbered_schedule(0),
                                testing::measured(1)));
    }
};

TEST_F(ImaginedMachinesTest, AreAddedWithAllThatIsKnownOfThem) {
    Workspace workspace = create();
    const AddedMachine added = must(add_machine(workspace, laptop()));
    EXPECT_TRUE(added.is_new);
    EXPECT_EQ(added.record.name, "Laptop");
    EXPECT_EQ(added.record.fingerprint, laptop().fingerprint());
    const auto machines = must(list_machines(workspace));
    ASSERT_EQ(machines.size(), 1U);
    EXPECT_EQ(description_of(machines[0]), laptop());
    EXPECT_TRUE(is_editable(machines[0]));
}

TEST_F(ImaginedMachinesTest, AreThereOnceHoweverOftenTheyAreAdded) {
    Workspace workspace = create();
    const MachineId id = must(add_machine(workspace, sampled_machine(7, 3))).record.id;
    const AddedMachine again = must(add_machine(workspace, sampled_machine(7, 3)));
    EXPECT_FALSE(again.is_new);
    EXPECT_EQ(again.record.id, id);
    EXPECT_EQ(must(list_machines(workspace)).size(), 1U);
}

TEST_F(ImaginedMachinesTest, NeverTakeANameThatAnotherMachineHas) {
    Workspace workspace = create();
    must(add_machine(workspace, laptop()));
    const MachineDescription other = with_parameter(laptop(), MachineParameter::Cores, 2);
    EXPECT_THAT(error_text(add_machine(workspace, other)), HasSubstr("has a machine 'Laptop' already"));
    MachineDescription wrong = laptop();
    wrong.cores = 0;
    EXPECT_THAT(error_text(add_machine(workspace, wrong)), HasSubstr("cores is 0"));
}

TEST_F(ImaginedMachinesTest, DescribeARecordedMachineThatWasCalibratedWithoutFacts) {
    Workspace workspace = create();
    const MachineId id = must(recorded_machine(workspace, "Xeon 8272CL"));
    MachineDescription calibrated;
    calibrated.name = "Xeon 8272CL";
    calibrated.source = MachineSource::Recorded;
    calibrated.coefficients[MachineParameter::RegionCost] = 200;
    EXPECT_EQ(
        must(record_machine(workspace, calibrated.name, "recorded:Xeon 8272CL", machine_to_text(calibrated))),
        id);
    MachineDescription facts = find_machine_preset("xeon-platinum-8272cl")->machine;
    facts.name = "Xeon 8272CL";
    EXPECT_EQ(must(add_machine(workspace, facts)).record.id, id);
}

TEST_F(ImaginedMachinesTest, DescribeARecordedMachineOfWhichOnlyTheNameIsKnown) {
    Workspace workspace = create();
    const MachineId id = must(recorded_machine(workspace, "Xeon 8272CL"));
    MachineDescription facts = find_machine_preset("xeon-platinum-8272cl")->machine;
    facts.name = "Xeon 8272CL";
    const AddedMachine added = must(add_machine(workspace, facts));
    EXPECT_TRUE(added.describes_recorded);
    EXPECT_EQ(added.record.id, id);
    EXPECT_EQ(added.record.fingerprint, "recorded:Xeon 8272CL");
    EXPECT_EQ(description_of(added.record)->source, MachineSource::Recorded);
    EXPECT_EQ(description_of(added.record)->cores, 52);
    EXPECT_FALSE(is_editable(added.record)) << "it is a real one";
    EXPECT_THAT(error_text(add_machine(workspace, facts)), HasSubstr("already"))
        << "now something is known of it";
    EXPECT_EQ(must(recorded_machine(workspace, "Xeon 8272CL")), id) << "more runtimes can be imported";
}

TEST_F(ImaginedMachinesTest, KeepTheirIdWhenTheirNumbersChange) {
    Workspace workspace = create();
    const MachineId id = must(add_machine(workspace, laptop())).record.id;
    const MachineDescription faster = with_parameter(laptop(), MachineParameter::ClockRate, 4.5);
    const MachineRecord changed = must(change_simulated_machine(workspace, id, faster));
    EXPECT_EQ(changed.id, id);
    const auto machines = must(list_machines(workspace));
    ASSERT_EQ(machines.size(), 1U);
    EXPECT_EQ(description_of(machines[0]), faster);
    EXPECT_EQ(machines[0].fingerprint, laptop().fingerprint()) << "who has it selected still has";
    EXPECT_EQ(machines[0].probed, changed.probed);

    MachineDescription renamed = faster;
    renamed.name = "Faster";
    must(change_simulated_machine(workspace, id, renamed));
    const AddedMachine again = must(add_machine(workspace, laptop()));
    EXPECT_NE(again.record.id, id);
    EXPECT_EQ(again.record.fingerprint, laptop().fingerprint() + "-2");
    EXPECT_EQ(must(list_machines(workspace)).size(), 2U);
}

TEST_F(ImaginedMachinesTest, AreTheOnlyOnesThatCanBeChanged) {
    Workspace workspace = create();
    const MachineId recorded = must(recorded_machine(workspace, "xeon"));
    MachineDescription probed = laptop();
    probed.source = MachineSource::Probed;
    const MachineId here = must(add_machine(workspace, probed)).record.id;
    MachineDescription changed = laptop();
    changed.name = "changed";
    for (const MachineId id : {recorded, here})
        EXPECT_THAT(error_text(change_simulated_machine(workspace, id, changed)),
                    HasSubstr("not a machine that was imagined"));
    EXPECT_THAT(error_text(add_machine(workspace,
                                       [&] {
                                           MachineDescription same = probed;
                                           same.name = "same";
                                           return same;
                                       }())),
                HasSubstr("has this computer already: 'Laptop'"));
    changed.name = "Laptop";
    const MachineId other = must(add_machine(workspace, sampled_machine(1, 1))).record.id;
    EXPECT_THAT(error_text(change_simulated_machine(workspace, other, changed)), HasSubstr("already"));
}

TEST_F(ImaginedMachinesTest, AreNeitherChangedNorRemovedOnceTimesAreStoredForThem) {
    Workspace workspace = create();
    const MachineId id = must(add_machine(workspace, laptop())).record.id;
    store_time(workspace, id);
    const MachineDescription faster = with_parameter(laptop(), MachineParameter::ClockRate, 4.5);
    EXPECT_THAT(error_text(change_simulated_machine(workspace, id, faster)),
                HasSubstr("1 time is stored for this machine, which would be those of another one"));
    EXPECT_THAT(error_text(remove_machine(workspace, id)), HasSubstr("would be lost"));
    EXPECT_EQ(must(count_measurements_on(workspace, id)), 1);
    EXPECT_EQ(description_of(must(list_machines(workspace)).front()), laptop());
}

TEST_F(ImaginedMachinesTest, GoWithTheirTimesWhereThatIsAskedFor) {
    Workspace workspace = create();
    const MachineId id = must(add_machine(workspace, laptop())).record.id;
    store_time(workspace, id);
    EXPECT_EQ(must(remove_machine_with_times(workspace, id)), 1);
    EXPECT_TRUE(must(list_machines(workspace)).empty());
    EXPECT_EQ(must(count_measurements_on(workspace, id)), 0);
}

TEST_F(ImaginedMachinesTest, AreRemovedWhereNothingWasStoredForThem) {
    Workspace workspace = create();
    const MachineId id = must(add_machine(workspace, laptop())).record.id;
    ASSERT_TRUE(remove_machine(workspace, id));
    EXPECT_TRUE(must(list_machines(workspace)).empty());
}

class ProbedMachines : public testing::StoreTest {
protected:
    static MachineDescription computer() {
        MachineDescription machine;
        machine.name = "computer";
        machine.source = MachineSource::Probed;
        machine.cores = 4;
        return machine;
    }
};

TEST_F(ProbedMachines, KeepWhatACalibrationFoundWhenTheyAreProbedAgain) {
    Workspace workspace = create();
    MachineDescription calibrated = computer();
    calibrated.coefficients[MachineParameter::RegionCost] = 7;
    const MachineId id = must(record_probed_machine(workspace, calibrated));
    MachineDescription again = computer();
    again.memory_latency = Nanoseconds(90);
    EXPECT_EQ(must(record_probed_machine(workspace, again)), id);
    const auto known = description_of(must(list_machines(workspace)).at(0));
    ASSERT_TRUE(known);
    EXPECT_EQ(known->memory_latency, Nanoseconds(90));
    EXPECT_EQ(known->coefficients, calibrated.coefficients);
}

} // namespace
} // namespace sparsight
