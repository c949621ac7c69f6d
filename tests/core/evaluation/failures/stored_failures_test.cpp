#include "domains/sparse/explanation/failures/stored_failures.h"

#include "domains/sparse/explanation/failures/pattern_family.h"

#include "domains/sparse/explanation/simulated_clock.h"
#include "domains/sparse/schedule/schedule_space.h"
#include "domains/sparse/schedule/text.h"
#include "domains/sparse/sparse_domain.h"
#include "domains/sparse/storage/schedules.h"
#include "domains/sparse/tensor/generators/generator.h"
#include "evaluation/model_evaluation.h"
#include "evaluation/stored_evaluations.h"
#include "machine/machine_parameters.h"
#include "machine/machine_presets.h"
#include "machine/probe/probe.h"
#include "store/machines.h"
#include "store/workspace.h"

#include <filesystem>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace sparsight {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr std::int64_t dense = 32;

/// A workspace with an evaluation on a simulated machine, whose model chose what is planted.
class StoredFailuresTest : public ::testing::Test {
protected:
    StoredFailuresTest() {
        std::filesystem::remove(file_);
        workspace_.emplace(*Workspace::create(file_, "test"));
        auto preset = find_machine_preset("epyc-7543");
        description_ = preset->machine;
        machine_ = add_machine(*workspace_, description_)->record;
    }
    ~StoredFailuresTest() override {
        workspace_.reset();
        for (const char* suffix : {"", "-wal", "-shm"})
            std::filesystem::remove(file_.string() + suffix);
    }

    void learned_from(const std::vector<std::string>& matrices) {
        model_ =
            *add_model(*workspace_,
                       {"first", {}, {}, nlohmann::json{{"training", {{"matrices", matrices}}}}.dump()}, {});
    }
    /// Fixed CSR and the choice take what the simulator says; without a pattern 1 and 2 ms.
    void chose(const std::string& name, std::string_view generator, const ParameterValues& values,
               const SuperSchedule& schedule) {
        const auto pattern = generate_matrix(generator, values, 1);
        ASSERT_TRUE(pattern.has_value()) << pattern.error().text();
        const auto id = add_matrix(*workspace_, {name, "generated", {}}, *pattern);
        ASSERT_TRUE(id.has_value()) << id.error().text();
        const ProfiledPattern profiled(*pattern);
        SimulatedClock clock(profiled, dense, resolve_parameters(description_).values);
        for (const SuperSchedule& each : {fixed_csr(Operator::SpMM, schedule.threads), schedule})
            time(*id, each, *clock.time(configuration_of(each))->milliseconds);
        remember(name, *id, schedule);
    }
    void chose_without_pattern(const std::string& name, const SuperSchedule& schedule) {
        const WorkloadId id = *add_matrix_name(*workspace_, name, "a table");
        time(id, fixed_csr(Operator::SpMM, schedule.threads), 1);
        time(id, schedule, 2);
        remember(name, id, schedule);
    }
    StoredFailures failures(std::optional<MachineDescription> machine = {}) {
        const nlohmann::json parameters{{"models", {"first"}},
                                        {"model_ids", {static_cast<std::int64_t>(model_)}},
                                        {"matrices", names_},
                                        {"k", 1},
                                        {"machine", machine_.fingerprint},
                                        {"operator", "spmm"},
                                        {"dense", dense},
                                        {"protocol", "simulated"},
                                        {"seed", 1}};
        const RunId run = *start_run(*workspace_, "evaluate", parameters.dump());
        for (const auto& [id, schedule] : chosen_)
            EXPECT_TRUE(
                record_choices(*workspace_, run, model_, id, std::vector{ChosenSchedule{schedule, 0}}));
        const auto sparse = make_sparse_domain();
        EXPECT_EQ(newest_evaluation(*workspace_, {.domain = sparse.get()})->value().run, run)
            << "runs of early versions name no domain";
        auto read = read_failures(*workspace_, *sparse, run, {}, std::move(machine), 1);
        EXPECT_TRUE(read.has_value()) << read.error().text();
        return read ? std::move(*read) : StoredFailures{};
    }

    /// One thread gets all rows.
    static SuperSchedule serial() {
        return *parse_schedule(Operator::SpMM, "1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 128 4096");
    }
    /// Blocks of 32 columns with all their zeros.
    static SuperSchedule exploding() {
        return *parse_schedule(Operator::SpMM, "1 32 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 128 32");
    }

    MachineDescription description_;
    MachineRecord machine_;
    ModelId model_{};
    std::optional<Workspace> workspace_;

private:
    void time(WorkloadId matrix, const SuperSchedule& schedule, double milliseconds) {
        Measurement measurement;
        measurement.status = MeasurementStatus::Measured;
        measurement.median = Milliseconds(milliseconds);
        ASSERT_TRUE(record_measurement(*workspace_, {matrix, machine_.id, dense, "simulated"}, schedule,
                                       measurement));
    }
    void remember(const std::string& name, WorkloadId id, const SuperSchedule& schedule) {
        names_.push_back(name);
        chosen_.emplace_back(id, schedule);
    }

    std::vector<std::string> names_;
    std::vector<std::pair<WorkloadId, SuperSchedule>> chosen_;
    std::filesystem::path file_ =
        std::filesystem::temp_directory_path() /
        fmt::format("sparsight-failures-{}-{}.sparsight", getpid(),
                    ::testing::UnitTest::GetInstance()->current_test_info()->name());
};

TEST_F(StoredFailuresTest, PlantedFailuresOfTheSameDecisionAreOneGroup) {
    learned_from({});
    for (const int rows : {3000, 3500, 4000}) {
        chose(fmt::format("serial-{}", rows), "power-law", {}, serial());
        chose(fmt::format("exploding-{}", rows), "uniform",
              {{"rows", rows}, {"cols", rows}, {"density", 0.002}}, exploding());
    }
    const StoredFailures found = failures();
    ASSERT_THAT(found.cases, SizeIs(6));
    ASSERT_THAT(found.groups, SizeIs(2));
    for (const FailureGroup& group : found.groups) {
        ASSERT_EQ(group.ground, FailureGroupGround::Decision);
        const bool is_chunk = group.decision->key == "chunk";
        EXPECT_TRUE(is_chunk || group.decision->key.starts_with("split_")) << group.decision->key;
        ASSERT_TRUE(group.term);
        EXPECT_EQ(group.term->name == "imbalance", is_chunk);
        EXPECT_EQ(group.basis, DiagnosisBasis::Simulated);
        std::vector<std::string> matrices;
        for (const std::size_t place : group.cases)
            matrices.push_back(found.cases[place].workload);
        EXPECT_THAT(matrices, SizeIs(3));
        EXPECT_THAT(matrices, Each(HasSubstr(is_chunk ? "serial" : "exploding")));
        EXPECT_EQ(group.dominant_family(),
                  workload_family(is_chunk ? PatternFamily::PowerLaw : PatternFamily::UniformRows));
    }
}

TEST_F(StoredFailuresTest, BlamedMillisecondsAddUpToWhatIsLost) {
    learned_from({});
    chose("serial", "power-law", {}, serial());
    const StoredFailures found = failures();
    ASSERT_THAT(found.cases, SizeIs(1));
    double blamed = 0;
    for (const BlamedDecision& decision : found.cases[0].diagnosis->decisions)
        blamed += decision.milliseconds;
    EXPECT_NEAR(blamed, found.cases[0].main().lost_ms(), 1e-6 * blamed);
}

TEST_F(StoredFailuresTest, WithoutAPatternACaseSaysWhyItIsNotDiagnosed) {
    learned_from({});
    chose_without_pattern("name-alone", serial());
    const StoredFailures found = failures();
    ASSERT_THAT(found.cases, SizeIs(1));
    EXPECT_FALSE(found.cases[0].diagnosis);
    EXPECT_FALSE(found.cases[0].undiagnosed.empty());
    EXPECT_EQ(found.groups.at(0).ground, FailureGroupGround::NoDiagnosis);
}

TEST_F(StoredFailuresTest, ThisComputerStandsInForAMachineThatIsKnownByItsNameAlone) {
    const MachineId id = *recorded_machine(*workspace_, "Xeon");
    machine_ = **find_machine(*workspace_, "Xeon");
    ASSERT_EQ(machine_.id, id);
    learned_from({});
    chose("serial", "power-law", {}, serial());
    const StoredFailures found = failures();
    EXPECT_TRUE(found.simulated.stands_in);
    EXPECT_EQ(found.cases.at(0).times, TimeSource::Recorded);
    EXPECT_THAT(stand_in_sentence(found.simulated, "Xeon"),
                AllOf(HasSubstr("Nothing is known of Xeon but its name"), HasSubstr(found.simulated.name)));
    EXPECT_FALSE(failures(description_).simulated.stands_in);
}

TEST_F(StoredFailuresTest, ThisComputerStandsInForNothingWhereItIsTheOneThatIsMeant) {
    const auto here = probe_this_computer({.measure = false, .stop = {}, .progress = {}});
    ASSERT_TRUE(here) << here.error().text();
    const auto meant = failure_machine(*workspace_, here->fingerprint());
    ASSERT_TRUE(meant) << meant.error().text();
    EXPECT_FALSE(meant->stands_in) << "though the workspace does not know it";
    EXPECT_EQ(meant->name, here->name);
    EXPECT_TRUE(failure_machine(*workspace_, {})->stands_in) << "where nobody says which one is meant";
}

TEST_F(StoredFailuresTest, WhatAModelWasTrainedOnComesFromTheWorkspace) {
    std::vector<std::string> trained;
    for (const int rows : {1000, 1500, 2000}) {
        trained.push_back(fmt::format("trained-{}", rows));
        const auto pattern = generate_matrix("banded", {{"size", rows}}, 1);
        ASSERT_TRUE(add_matrix(*workspace_, {trained.back(), "generated", {}}, *pattern));
    }
    learned_from(trained);
    chose("web", "power-law", {}, serial());
    const StoredFailures found = failures();
    const auto context = failure_context(*workspace_, found.evaluation, 1);
    ASSERT_TRUE(context.has_value()) << context.error().text();
    EXPECT_EQ(context->trained_on.at(model_).workloads, 3);
    ASSERT_NE(found.cases.at(0).sign(FailureKind::OutsideTraining), nullptr);
    EXPECT_FALSE(found.cases[0].unfamiliar.empty());
}

TEST_F(StoredFailuresTest, OnlyTheGreatestLossesAreDiagnosedWhereThatIsAsked) {
    learned_from({});
    chose("large", "power-law", {{"scale", 12}}, serial());
    chose("small", "power-law", {{"scale", 10}}, serial());
    StoredFailures found = failures();
    ASSERT_THAT(found.cases, SizeIs(2));
    for (FailureCase& failure : found.cases)
        failure.diagnosis.reset();
    ASSERT_TRUE(diagnose(*workspace_, sparse_setting(found.evaluation.setting), found.cases,
                         {.machine = description_, .most = 1}));
    EXPECT_TRUE(found.cases[0].diagnosis);
    EXPECT_FALSE(found.cases[1].diagnosis);
    EXPECT_THAT(found.cases[1].undiagnosed, HasSubstr("only the 1 greatest losses"));
}

TEST(KernelThreads, AreThoseThatWereMeasuredAndUnknownOfOtherMachines) {
    ModelEvaluation evaluation;
    EXPECT_EQ(kernel_threads_of(evaluation), 0) << "of nothing";
    evaluation.models.emplace_back().workloads.emplace_back().baseline_configuration =
        to_text(fixed_csr(Operator::SpMM, 3));
    EXPECT_EQ(kernel_threads_of(evaluation), 3);
    evaluation.source = TimeSource::Recorded;
    EXPECT_EQ(kernel_threads_of(evaluation), 0);
}

} // namespace
} // namespace sparsight
