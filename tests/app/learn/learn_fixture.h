// What the tests of sparsight-learn share: a small workspace of two machines whose runtimes follow a rule
// that can be learned, made without measuring anything.
#pragma once

#include "app/cli/cli_fixture.h"
#include "base/library_settings.h"
#include "command/learn_program.h"
#include "core/learning/synthetic_tasks.h"
#include "domains/sparse/tensor/statistics.h"
#include "store/machines.h"
#include "store/matrices.h"
#include "store/measurements.h"
#include "store/models.h"
#include "store/runs.h"
#include "store/workspace.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>

namespace sparsight::testing {

template <typename T>
T must(Result<T> result) {
    if (!result)
        throw std::runtime_error(result.error().text());
    if constexpr (!std::is_void_v<T>)
        return std::move(*result);
}

/// SPARSIGHT_CLI, which the fixture runs, is sparsight-learn here.
class LearnTest : public CliTest {
protected:
    LearnTest() {
        improve_library_settings(); // the programs would load their libraries twice
        Workspace workspace = must(Workspace::create(file(), "test"));
        must(in_one_transaction(workspace, [&]() -> Result<void> {
            add_matrices(workspace);
            add_measurements(workspace, "first", {1.0, 1.0}, 0);
            add_measurements(workspace, "second", {-0.5, 0.2}, 1000);
            return {};
        }));
    }

    /// The one that commands take where none is named.
    [[nodiscard]] std::filesystem::path file() const { return folder() / "workspace.sparsight"; }
    [[nodiscard]] Workspace workspace() const { return must(Workspace::open(file())); }

    static std::vector<Json> events(const std::string& out) {
        std::vector<Json> events;
        std::istringstream stream(out);
        for (std::string line; std::getline(stream, line);)
            events.push_back(parsed(line));
        return events;
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

private:
    static constexpr int matrices = 14;

    void add_matrices(Workspace& workspace) {
        for (int m = 0; m < matrices; ++m) {
            const double density = 0.01 * std::pow(40.0, static_cast<double>(m) / matrices);
            const auto pattern =
                must(generate_matrix("uniform", {{"rows", 60}, {"cols", 50}, {"density", density}},
                                     static_cast<std::uint64_t>(m) + 1));
            statistics_.push_back(compute_statistics(pattern, 1));
            ids_.push_back(must(add_matrix(workspace, {fmt::format("uniform-{}", m), "test", {}}, pattern)));
        }
    }
    void add_measurements(Workspace& workspace, const std::string& name, const SyntheticMachine& machine,
                          std::uint64_t seed) {
        const MachineId id = must(recorded_machine(workspace, name));
        for (int m = 0; m < matrices; ++m) {
            const auto place = static_cast<std::size_t>(m);
            Random random(seed + place);
            auto schedules =
                sample_uniform(Operator::SpMM, extents(Operator::SpMM, 60, 50, 32), 24, 2, random);
            schedules.push_back(canonical(fixed_csr(Operator::SpMM, 2)));
            for (const SuperSchedule& schedule : schedules) {
                Measurement measurement;
                measurement.status = MeasurementStatus::Measured;
                measurement.median =
                    Milliseconds(synthetic_milliseconds(machine, statistics_[place], schedule));
                measurement.repeats = 30;
                must(record_measurement(workspace, {ids_[place], id, 32, "waco"}, schedule, measurement));
            }
        }
    }

    std::vector<MatrixId> ids_;
    std::vector<PatternStatistics> statistics_;
};

} // namespace sparsight::testing
