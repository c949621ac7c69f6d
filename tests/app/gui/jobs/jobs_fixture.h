// What the tests of jobs share: a workspace with small matrices, a jobs folder of their own, and waiting that
// has an end.
#pragma once

#include "domains/sparse/storage/matrices.h"
#include "domains/sparse/storage/schedules.h"
#include "domains/sparse/tensor/generators/generator.h"
#include "gui/domains/sparse/sparse_jobs.h"
#include "gui/jobs/job_service.h"
#include "store/workspace.h"
#include "support/event_loop.h"
#include "support/own_measuring_lock.h"
#include "support/test_files.h"

#include <QApplication>
#include <QTest>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sparsight::testing {

/// Everything that a service tells.
struct Heard {
    explicit Heard(JobService& service) {
        QObject::connect(&service, &JobService::job_added, &context, [this](const JobId&) { ++added; });
        QObject::connect(&service, &JobService::job_changed, &context,
                         [this](const JobId& id) { ++changed[id]; });
        QObject::connect(&service, &JobService::job_finished, &context,
                         [this](const JobId& id) { ++finished[id]; });
        QObject::connect(&service, &JobService::job_removed, &context, [this](const JobId&) { ++removed; });
        QObject::connect(&service, &JobService::event_received, &context,
                         [this](const JobId& id, const QJsonObject& event) { events[id].push_back(event); });
    }

    [[nodiscard]] int count(const JobId& id, const char* event) {
        return static_cast<int>(std::ranges::count_if(events[id], [event](const QJsonObject& one) {
            return one.value(QStringLiteral("event")).toString() == QLatin1String(event);
        }));
    }

    /// Steps with this outcome, as the worker names it.
    [[nodiscard]] int count_steps(const JobId& id, const char* status) {
        return static_cast<int>(std::ranges::count_if(events[id], [status](const QJsonObject& one) {
            return one.value(QStringLiteral("status")).toString() == QLatin1String(status);
        }));
    }

    int added = 0;
    int removed = 0;
    std::map<JobId, int> changed;
    std::map<JobId, int> finished;
    std::map<JobId, std::vector<QJsonObject>> events;
    QObject context; ///< last, so that it goes first
};

class JobsTest : public ::testing::Test {
    OwnMeasuringLock lock_;

protected:
    JobsTest() { make_workspace(workspace_file().toStdString()); }

    static void make_workspace(const std::filesystem::path& file) {
        auto workspace = Workspace::create(file, "test");
        ASSERT_TRUE(workspace.has_value());
        for (const char* family : {"banded", "arrow"}) {
            const auto pattern = generate_matrix(family, {{"size", 300}}, 1);
            ASSERT_TRUE(pattern.has_value());
            ASSERT_TRUE(add_matrix(*workspace, {family, "generated", {}}, *pattern).has_value());
        }
    }

    [[nodiscard]] QString path(const char* name) const {
        return QString::fromStdString((folder_ / name).string());
    }
    [[nodiscard]] QString workspace_file() const { return path("w.sparsight"); }
    [[nodiscard]] QString jobs_folder() const { return path("jobs"); }

    [[nodiscard]] JobServiceOptions options() const {
        return {.folder = jobs_folder(),
                .worker_program = QStringLiteral(SPARSIGHT_CLI),
                .poll_interval = std::chrono::milliseconds(20),
                .stop_grace = std::chrono::milliseconds(15'000)};
    }
    /// One that runs this shell script, whatever it is asked.
    [[nodiscard]] JobServiceOptions options_with_worker(const char* script) const {
        const auto file = write_file(folder_ / "worker", std::string("#!/bin/bash\n") + script);
        std::filesystem::permissions(file, std::filesystem::perms::owner_all);
        JobServiceOptions with = options();
        with.worker_program = QString::fromStdString(file.string());
        return with;
    }

    [[nodiscard]] CollectSchedulesJob small_collection(int schedules = 4) const {
        CollectSchedulesJob job;
        job.workspace = workspace_file();
        job.workloads = {QStringLiteral("banded")};
        job.dense = 8;
        job.configurations = schedules;
        return job;
    }
    /// Does not end by itself while a test runs.
    [[nodiscard]] CollectSchedulesJob long_collection() const {
        CollectSchedulesJob job = small_collection(20'000);
        job.workloads << QStringLiteral("arrow");
        return job;
    }

    /// Matrix and schedule of each stored measurement, in order.
    [[nodiscard]] std::vector<std::pair<std::string, std::string>> stored() const {
        auto workspace = Workspace::open(workspace_file().toStdString());
        EXPECT_TRUE(workspace.has_value());
        std::vector<std::pair<std::string, std::string>> keys;
        const auto results = list_results(*workspace);
        EXPECT_TRUE(results.has_value());
        for (const auto& result : *results)
            keys.emplace_back(result.matrix, result.schedule);
        std::ranges::sort(keys);
        return keys;
    }

    static JobState state_of(const JobService& service, const JobId& id) {
        const auto job = service.job(id);
        return job ? job->state : JobState::Unknown;
    }

    const ::sparsight::testing::TemporaryFolder& folder() const { return folder_; }

private:
    TemporaryFolder folder_;
    int count_ = 1;
    char program_[5] = "jobs";
    char* arguments_[2] = {program_, nullptr};
    QApplication application_{count_, arguments_};
};

} // namespace sparsight::testing
