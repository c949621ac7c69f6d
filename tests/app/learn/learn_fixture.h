// What the tests of sparsight-learn share: a small workspace of two machines whose runtimes follow a rule
// that can be learned, made without measuring anything.
#pragma once

#include "app/cli/cli_fixture.h"
#include "app/learn/two_machines.h"
#include "base/process.h"
#include "command/learn_program.h"
#include "domains/sparse/storage/matrices.h"
#include "domains/sparse/storage/schedules.h"
#include "machine/machine_edit.h"
#include "machine/machine_presets.h"
#include "store/machines.h"
#include "store/models.h"
#include "store/runs.h"
#include "store/workspace.h"

#include <algorithm>
#include <stdexcept>

namespace sparsight::testing {

/// SPARSIGHT_CLI, which the fixture runs, is sparsight-learn here.
class LearnTest : public CliTest {
protected:
    LearnTest() {
        improve_library_settings(); // the programs would load their libraries twice
        Workspace workspace = must(Workspace::create(file(), "test"));
        TwoMachines::add_to(workspace);
    }

    /// The one that commands take where none is named.
    [[nodiscard]] std::filesystem::path file() const { return folder() / "workspace.sparsight"; }
    [[nodiscard]] Workspace workspace() const { return must(Workspace::open(file())); }

    /// A simulated machine, as `machine add` makes it; nothing was simulated for it yet.
    void add_simulated_machine(const std::string& name) const {
        Workspace workspace = this->workspace();
        MachineDescription machine = simulated_copy(find_machine_preset("epyc-7543").value().machine);
        machine.name = name;
        (void)must(add_machine(workspace, machine));
    }
    /// Fixed CSR of one matrix on a machine, as the page of schedules stores it: too little to learn from.
    void add_one_simulated_time(const std::string& name) const {
        Workspace workspace = this->workspace();
        const MachineId machine = must(find_named_machine(workspace, name)).value().id;
        const WorkloadId matrix = must(list_matrices(workspace)).front().id;
        Measurement measurement;
        measurement.status = MeasurementStatus::Measured;
        measurement.median = Milliseconds(1);
        must(record_measurement(workspace, {matrix, machine, 32, std::string(simulated_protocol)},
                                canonical(fixed_csr(Operator::SpMM, 2)), measurement));
    }

    static std::vector<Json> events_called(const std::vector<Json>& all, const std::string& name) {
        std::vector<Json> found;
        for (const Json& event : all)
            if (event["event"] == name)
                found.push_back(event);
        return found;
    }

    /// A quick run that needs no more than a second; `more` takes the place of what it says differently.
    static Words train_words(const std::string& name, const Words& more = {}) {
        Words words{"train", "--name", name};
        for (const auto& [option, value] :
             std::vector<std::pair<std::string, std::string>>{{"--dense", "32"},
                                                              {"--epochs", "6"},
                                                              {"--threads", "1"},
                                                              {"--rate", "0.001"},
                                                              {"--loss", "logistic"}})
            if (std::ranges::find(more, option) == more.end())
                words.insert(words.end(), {option, value});
        words.insert(words.end(), more.begin(), more.end());
        return words;
    }
    void trained(const std::string& name, const Words& more = {}) const {
        const Outcome outcome = run(train_words(name, more));
        ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    }
    /// The bytes of the model as the workspace has them, without its name. There is a file NAME.model then.
    [[nodiscard]] std::string exported(const std::string& name) const {
        const Outcome outcome = run({"models", "export", name, name + ".model"});
        EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
        Workspace workspace = this->workspace();
        const auto bytes = must(load_weights(workspace, must(find_model(workspace, name)).value().id));
        return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
    }
};

} // namespace sparsight::testing
