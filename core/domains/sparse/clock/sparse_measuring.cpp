#include "domains/sparse/clock/sparse_measuring.h"

#include "collection/measurement_safeguards.h"
#include "domains/sparse/clock/schedule_measurement.h"
#include "domains/sparse/schedule/schedule_choice.h"
#include "domains/sparse/schedule/sparse_setting.h"
#include "domains/sparse/schedule/text.h"
#include "domains/sparse/sparse_domain.h"
#include "domains/sparse/storage/pattern_storage.h"
#include "domains/sparse/storage/schedules.h"

#include <fmt/format.h>
#include <system_error>
#include <utility>

namespace sparsight {

namespace {

class MatrixMeasurer final : public WorkloadMeasurer {
public:
    MatrixMeasurer(KernelInputs inputs, KernelCompiler& compiler, Team& team, const MeasuringConditions& as)
        : op_(sparse_setting(as.setting).op)
        , inputs_(std::move(inputs))
        , measurer_(inputs_, compiler, team,
                    {.protocol = as.protocol, .limits = {.max_bytes = as.most_bytes}, .stop = {}}) {}

    Result<Measurement> measure(const WrittenConfiguration& configuration) override {
        const auto schedule = parse_schedule(op_, configuration.text);
        if (!schedule)
            return std::unexpected(schedule.error());
        return measurer_.measure(*schedule);
    }
    void know(Milliseconds time) override { measurer_.know(time); }

private:
    Operator op_;
    KernelInputs inputs_;
    ScheduleMeasurer measurer_;
};

class KernelSession final : public MeasuringSession {
public:
    KernelSession(KernelCompiler compiler, const MeasuringConditions& conditions)
        : compiler_(std::move(compiler))
        , team_(conditions.threads)
        , conditions_(conditions) {}

    Result<std::unique_ptr<WorkloadMeasurer>> open(Workspace& workspace,
                                                   const WorkloadRecord& workload) override {
        auto pattern = load_pattern(workspace, workload.id);
        if (!pattern)
            return std::unexpected(std::move(pattern).error());
        const SparseSetting setting = sparse_setting(conditions_.setting);
        auto inputs = KernelInputs::make(*std::move(pattern), setting.op, setting.dense, conditions_.threads,
                                         operand_limit());
        if (!inputs)
            return std::unexpected(std::move(inputs).error());
        return std::make_unique<MatrixMeasurer>(*std::move(inputs), compiler_, team_, conditions_);
    }

private:
    KernelCompiler compiler_;
    Team team_;
    MeasuringConditions conditions_;
};

class SparseMeasuring final : public MeasuringDomain {
public:
    const Domain& domain() const override { return *domain_; }

    Result<std::unique_ptr<MeasuringSession>> begin(const MeasuringConditions& conditions) const override {
        if (!parse_sparse_setting(conditions.setting))
            return fail(Fault::Input, fmt::format("'{}' is no setting of matrices", conditions.setting.text));
        auto compiler = KernelCompiler::make();
        if (!compiler)
            return std::unexpected(std::move(compiler).error());
        try {
            return std::make_unique<KernelSession>(*std::move(compiler), conditions);
        } catch (const std::system_error& error) {
            return fail(Fault::Environment,
                        fmt::format("{} threads can't be started: {}", conditions.threads, error.what()));
        }
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
        if (const auto space = domain_->space(request); !space) // the facts are missing or wrong
            return std::unexpected(space.error());
        const auto extent = [&](const char* fact) {
            return static_cast<std::int64_t>(request.facts.find(fact)->second);
        };
        const SparseSetting setting = sparse_setting(request.setting);
        std::vector<WrittenConfiguration> drawn;
        for (const SuperSchedule& schedule :
             draw_schedules(*parse_sampler(sampler), setting.op,
                            extents(setting.op, extent("rows"), extent("cols"), setting.dense),
                            static_cast<int>(count), threads, random))
            drawn.push_back(sparsight::written(schedule));
        return drawn;
    }

private:
    std::unique_ptr<const Domain> domain_ = make_sparse_domain();
};

} // namespace

std::unique_ptr<const MeasuringDomain> make_sparse_measuring() {
    return std::make_unique<SparseMeasuring>();
}

} // namespace sparsight
