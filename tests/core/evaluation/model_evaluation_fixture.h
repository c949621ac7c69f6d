// A workspace in which models chose schedules of matrices on a recorded machine.
#pragma once

#include "domains/sparse/schedule/operator.h"
#include "domains/sparse/schedule/schedule_space.h"
#include "domains/sparse/schedule/text.h"
#include "domains/sparse/sparse_domain.h"
#include "domains/sparse/storage/matrices.h"
#include "domains/sparse/storage/schedules.h"
#include "evaluation/model_evaluation.h"
#include "evaluation/rematch_times.h"
#include "store/workspace.h"
#include "support/rematches.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <optional>
#include <unistd.h>
#include <utility>
#include <vector>

namespace sparsight {

using testing::record_rematch;
using testing::RematchTime;

class ModelEvaluationTest : public ::testing::Test {
protected:
    ModelEvaluationTest() {
        std::filesystem::remove(file_);
        workspace_.emplace(*Workspace::create(file_, "test"));
        machine_ = *recorded_machine(*workspace_, "here");
        run_ = *start_run(*workspace_, "evaluate", "{}");
    }
    ~ModelEvaluationTest() override {
        workspace_.reset();
        for (const char* suffix : {"", "-wal", "-shm"})
            std::filesystem::remove(file_.string() + suffix);
    }

    WorkloadId matrix(const char* name) {
        matrices_.push_back(*add_matrix_name(*workspace_, name, "generated"));
        return matrices_.back();
    }
    ModelId model(const char* name, std::optional<RunId> run = {}, std::optional<ModelId> parent = {}) {
        return *add_model(*workspace_, {name, run, parent, "{}"}, {});
    }
    void time(WorkloadId matrix, const char* schedule, double median,
              MeasurementStatus status = MeasurementStatus::Measured) {
        Measurement measurement;
        measurement.status = status;
        measurement.median = Milliseconds(median);
        ASSERT_TRUE(record_measurement(*workspace_, {matrix, machine_, 256, "recorded"},
                                       *parse_schedule(Operator::SpMM, schedule), measurement)
                        .has_value());
    }
    void choose(ModelId model, WorkloadId matrix, const std::vector<const char*>& schedules) {
        std::vector<ChosenSchedule> chosen;
        for (const char* schedule : schedules)
            chosen.push_back({*parse_schedule(Operator::SpMM, schedule), static_cast<double>(chosen.size())});
        ASSERT_TRUE(record_choices(*workspace_, run_, model, matrix, chosen).has_value());
    }
    void rematch(WorkloadId matrix, const std::vector<std::pair<const char*, double>>& medians) {
        std::vector<RematchTime> times;
        for (const auto& [schedule, median] : medians)
            if (median > 0)
                times.push_back({*parse_schedule(Operator::SpMM, schedule), std::vector(5, median)});
            else
                times.push_back({*parse_schedule(Operator::SpMM, schedule), {}, "no memory"});
        ASSERT_TRUE(record_rematch(*workspace_, run_, matrix, times).has_value());
    }
    EvaluationScope scope(const std::vector<ModelId>& models, int k = 2) {
        return {.run = run_,
                .models = models,
                .workloads = matrices_,
                .machine = **find_machine(*workspace_, "here"),
                .setting = setting_of(Operator::SpMM, 256),
                .protocol = "recorded",
                .k = k,
                .bootstrap = {.resamples = 200}};
    }
    std::vector<SuperSchedule> contenders_of(const std::vector<ModelId>& models, WorkloadId matrix) {
        const auto matrices = *list_matrices(*workspace_);
        const auto record = *std::ranges::find(matrices, matrix, &MatrixRecord::id);
        const auto found =
            contenders(*workspace_, *make_sparse_domain(), scope(models), record.id, record.name);
        EXPECT_TRUE(found.has_value()) << found.error().text();
        return found ? schedules_of(found->configurations, 1) : std::vector<SuperSchedule>{};
    }
    /// Canonical, with one thread.
    static SuperSchedule meaning(const char* text) {
        SuperSchedule schedule = *parse_schedule(Operator::SpMM, text);
        schedule.threads = 1;
        return canonical(schedule);
    }
    Result<ModelEvaluation> try_evaluating(const std::vector<ModelId>& models, int k = 2) {
        return evaluate_models(*workspace_, *make_sparse_domain(), scope(models, k));
    }
    ModelEvaluation evaluate(const std::vector<ModelId>& models, int k = 2) {
        auto evaluation = try_evaluating(models, k);
        EXPECT_TRUE(evaluation.has_value()) << evaluation.error().text();
        return evaluation ? *evaluation : ModelEvaluation{};
    }
    /// Fixed CSR 6 ms, blocked 3 ms, tall 2 ms, slow 12 ms.
    WorkloadId timed_matrix(const char* name) {
        const WorkloadId id = matrix(name);
        time(id, csr, 6);
        time(id, blocked, 3);
        time(id, tall, 2);
        time(id, slow, 12);
        return id;
    }

    static constexpr const char* csr = "1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 48 32";
    static constexpr const char* blocked = "4 4 16 i1 k1 j1 i0 k0 j0 1 1 0 1 i1 48 8";
    static constexpr const char* tall = "32 1 16 i1 k1 j1 i0 k0 j0 1 1 0 1 i1 48 8";
    static constexpr const char* slow = "1 8 16 i1 k1 j1 i0 k0 j0 1 1 0 1 i1 48 8";
    static constexpr const char* unknown = "2 2 16 i1 k1 j1 i0 k0 j0 1 1 0 1 i1 48 8";

    std::filesystem::path file_ =
        std::filesystem::temp_directory_path() /
        fmt::format("sparsight-evaluation-{}-{}.sparsight", getpid(),
                    ::testing::UnitTest::GetInstance()->current_test_info()->name());
    std::optional<Workspace> workspace_;
    MachineId machine_{};
    RunId run_{};
    std::vector<WorkloadId> matrices_;
};

} // namespace sparsight
