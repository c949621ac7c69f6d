// Jobs whose workers run.
#pragma once

#include "app/gui/jobs/jobs_fixture.h"
#include "gui/jobs/worker_process.h"

namespace sparsight::testing {

class Jobs : public JobsTest {
protected:
    [[nodiscard]] static bool is_idle(const JobService& service, const JobId& id) {
        return !is_active(state_of(service, id)) && state_of(service, id) != JobState::Waiting;
    }
    static void signal_worker(const JobService& service, const JobId& id, int signal) {
        send_signal(service.job(id)->worker, signal);
    }
    /// Nothing may outlive a test.
    static void end_all(JobService& service) {
        for (const Job& job : service.jobs())
            if (job.state == JobState::Waiting || job.state == JobState::Paused)
                service.stop(job.id);
        for (const Job& job : service.jobs())
            service.kill(job.id);
        EXPECT_TRUE(wait_until([&] { return !service.has_active_jobs(); }));
    }
};

} // namespace sparsight::testing
