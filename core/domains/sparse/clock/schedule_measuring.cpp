#include "domains/sparse/clock/schedule_measuring.h"

#include "base/parallel.h"
#include "domains/sparse/clock/schedule_measurement.h"
#include "domains/sparse/schedule/sampler.h"
#include "domains/sparse/schedule/schedule_codec.h"
#include "domains/sparse/schedule/text.h"
#include "domains/sparse/sparse_domain.h"
#include "domains/sparse/storage/matrices.h"
#include "domains/sparse/tensor/sparse_workload.h"

#include <fmt/format.h>
#include <system_error>
#include <utility>

namespace sparsight {
namespace {

class KernelMeasurer final : public WorkloadMeasurer {
public:
    KernelMeasurer(KernelInputs inputs, KernelCompiler& compiler, Team& team, const MeasuringConditions& as,
                   std::shared_ptr<StolenShare> stolen)
        : inputs_(std::move(inputs))
        , measurer_(inputs_, compiler, team,
                    {.protocol = as.protocol,
                     .limits = {.max_bytes = as.most_bytes},
                     .stop = {},
                     .stolen = std::move(stolen)}) {}

    Result<Measurement> measure(const WrittenConfiguration& configuration) override {
        const auto schedule = parse_schedule(inputs_.op(), configuration.text);
        if (!schedule)
            return std::unexpected(schedule.error());
        return measurer_.measure(*schedule);
    }
    void know(Milliseconds time) override { measurer_.know(time); }

private:
    KernelInputs inputs_;
    ScheduleMeasurer measurer_;
};

class KernelSession final : public MeasuringSession {
public:
    KernelSession(const MeasuredSchedules& schedules, KernelCompiler compiler,
                  const MeasuringConditions& conditions)
        : schedules_(schedules)
        , compiler_(std::move(compiler))
        , team_(conditions.threads)
        , conditions_(conditions) {}

    Result<std::unique_ptr<WorkloadMeasurer>> open(Workspace& workspace,
                                                   const WorkloadRecord& workload) override {
        auto inputs = schedules_.load(workspace, workload, conditions_);
        if (!inputs)
            return std::unexpected(std::move(inputs).error());
        return std::make_unique<KernelMeasurer>(*std::move(inputs), compiler_, team_, conditions_, stolen_);
    }

private:
    const MeasuredSchedules& schedules_;
    KernelCompiler compiler_;
    Team team_;
    MeasuringConditions conditions_;
    std::shared_ptr<StolenShare> stolen_ = std::make_shared<StolenShare>();
};

class ScheduleMeasuring final : public MeasuringDomain {
public:
    explicit ScheduleMeasuring(MeasuredSchedules schedules)
        : schedules_(std::move(schedules)) {}

    const Domain& domain() const override { return *schedules_.domain; }
    std::string engine() const override { return code_version(KernelTarget::of_this_computer()); }

    Result<std::unique_ptr<MeasuringSession>> begin(const MeasuringConditions& conditions) const override {
        if (conditions.setting.domain != domain().name() || !parse_sparse_setting(conditions.setting))
            return fail(Fault::Input, fmt::format("'{}' is no setting of {}", conditions.setting.text,
                                                  domain().words().workload.many));
        auto compiler = KernelCompiler::make();
        if (!compiler)
            return std::unexpected(std::move(compiler).error());
        try {
            return std::make_unique<KernelSession>(schedules_, *std::move(compiler), conditions);
        } catch (const std::system_error& error) {
            return fail(Fault::Environment,
                        fmt::format("{} threads can't be started: {}", conditions.threads, error.what()));
        }
    }

    std::optional<std::vector<double>> statistics(Workspace& workspace,
                                                  const WorkloadRecord& workload) const override {
        return schedules_.statistics(workspace, workload);
    }

    Result<WrittenConfiguration> written(const Setting& setting, std::string_view text,
                                         int threads) const override {
        auto schedule = parse_schedule(sparse_setting(setting).op, text);
        if (!schedule)
            return std::unexpected(std::move(schedule).error());
        schedule->threads = threads;
        return sparsight::written(*schedule);
    }
    int stored_threads(int threads) const override { return threads; }

    /// In WACO's form, with or without runtimes.
    Result<std::vector<std::string>> read_list(const Setting& setting,
                                               const std::filesystem::path& file) const override {
        const auto schedules = read_schedules(sparse_setting(setting).op, file);
        if (!schedules)
            return std::unexpected(schedules.error());
        std::vector<std::string> texts;
        for (const SuperSchedule& schedule : *schedules)
            texts.push_back(to_text(schedule));
        return texts;
    }

    std::vector<std::string_view> samplers() const override {
        return {name(Sampler::Waco), name(Sampler::Uniform)};
    }
    Result<std::vector<WrittenConfiguration>> sample(std::string_view sampler, const SpaceRequest& request,
                                                     std::size_t count, int threads,
                                                     Random& random) const override {
        if (auto known = check_sampler(sampler); !known)
            return std::unexpected(std::move(known).error());
        if (const auto space = domain().space(request); !space) // the setting or the facts are wrong
            return std::unexpected(space.error());
        const SparseSetting setting = sparse_setting(request.setting);
        std::vector<WrittenConfiguration> drawn;
        for (const SuperSchedule& schedule :
             draw_schedules(*parse_sampler(sampler), setting.op, extents(setting, request.facts).value(),
                            static_cast<int>(count), threads, random))
            drawn.push_back(sparsight::written(schedule));
        return drawn;
    }

private:
    MeasuredSchedules schedules_;
};

Result<KernelInputs> load_matrix(Workspace& workspace, const WorkloadRecord& workload,
                                 const MeasuringConditions& conditions) {
    auto pattern = load_pattern(workspace, workload.id);
    if (!pattern)
        return std::unexpected(std::move(pattern).error());
    const SparseSetting setting = sparse_setting(conditions.setting);
    return KernelInputs::make(*std::move(pattern), setting.op, setting.dense, conditions.threads,
                              operand_limit());
}

std::optional<std::vector<double>> statistics_of_matrix(Workspace& workspace,
                                                        const WorkloadRecord& workload) {
    const auto statistics = matrix_statistics(workspace, matrix_record(workload), available_threads());
    return statistics ? std::optional(statistics_vector(*statistics)) : std::nullopt;
}

} // namespace

std::unique_ptr<const MeasuringDomain> measuring_of(MeasuredSchedules schedules) {
    return std::make_unique<ScheduleMeasuring>(std::move(schedules));
}

std::unique_ptr<const MeasuringDomain> make_sparse_measuring() {
    return measuring_of({make_sparse_domain(), &load_matrix, &statistics_of_matrix});
}

} // namespace sparsight
