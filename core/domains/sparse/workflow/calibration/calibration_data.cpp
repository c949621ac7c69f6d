#include "domains/sparse/workflow/calibration/calibration_data.h"

#include "base/digest.h"
#include "domains/sparse/sparse_domain.h"
#include "domains/sparse/storage/matrices.h"
#include "domains/sparse/storage/schedules.h"
#include "domains/sparse/tensor/sparse_workload.h"
#include "machine/machine_parameters.h"
#include "store/workload_families.h"
#include "store/workspace.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <iterator>
#include <set>

namespace sparsight {

namespace {

bool has_pattern(const MatrixRecord& matrix) {
    return matrix.pattern != PayloadPlace::Unknown;
}

class DataReader {
public:
    DataReader(Workspace& workspace, const CalibrationRequest& request, const std::stop_token& stop,
               const ProgressSink& progress)
        : workspace_(workspace)
        , request_(request)
        , stop_(stop)
        , progress_(progress) {}

    Result<CalibrationData> read() {
        if (auto found = find_source(); !found)
            return std::unexpected(std::move(found).error());
        resolve();
        const auto matrices = list_matrices(workspace_);
        if (!matrices)
            return std::unexpected(matrices.error());
        const auto runtimes = list_runtimes(workspace_, data_.source);
        if (!runtimes)
            return std::unexpected(runtimes.error());
        std::map<WorkloadId, std::vector<const StoredRuntime*>> by_matrix;
        const auto to_read = matrices_to_read(*matrices, *runtimes);
        if (!to_read)
            return std::unexpected(to_read.error());
        for (const MatrixRecord& matrix : *to_read)
            by_matrix[matrix.id];
        for (const StoredRuntime& runtime : *runtimes) {
            const auto wanted = by_matrix.find(runtime.matrix);
            if (wanted != by_matrix.end() && is_usable(runtime))
                wanted->second.push_back(&runtime);
            else if (wanted != by_matrix.end())
                leave_out(runtime);
        }
        std::erase_if(by_matrix, [](const auto& entry) { return entry.second.empty(); });
        if (by_matrix.empty() && request_.held_out_only)
            return fail(Fault::Input,
                        fmt::format("none of the matrices that were measured on {} is kept back "
                                    "from calibrations",
                                    data_.machine.name));
        std::uint64_t done = 0;
        for (const MatrixRecord& matrix : *matrices) {
            const auto measured = by_matrix.find(matrix.id);
            if (measured == by_matrix.end())
                continue;
            if (stop_.stop_requested())
                return fail(Fault::Cancelled, "stopped while schedules were looked at");
            if (progress_)
                progress_({"looking at schedules", done++, by_matrix.size()});
            if (auto added = add(matrix, measured->second); !added)
                return std::unexpected(std::move(added).error());
        }
        if (data_.matrices.empty())
            return fail(Fault::Input, fmt::format("nothing that was measured on {} has a pattern and a time",
                                                  data_.machine.name));
        return std::move(data_);
    }

private:
    /// Those that were measured and are asked for.
    Result<std::vector<MatrixRecord>> matrices_to_read(std::span<const MatrixRecord> matrices,
                                                       std::span<const StoredRuntime> runtimes) {
        std::set<WorkloadId> with_runtimes;
        std::set<WorkloadId> with_times;
        for (const StoredRuntime& runtime : runtimes) {
            with_runtimes.insert(runtime.matrix);
            if (is_usable(runtime))
                with_times.insert(runtime.matrix);
        }
        std::vector<MatrixRecord> measured;
        std::ranges::copy_if(matrices, std::back_inserter(measured),
                             [&](const MatrixRecord& matrix) { return with_runtimes.contains(matrix.id); });
        std::vector<MatrixRecord> fit_to_be_seen;
        std::ranges::copy_if(measured, std::back_inserter(fit_to_be_seen), [&](const MatrixRecord& matrix) {
            return has_pattern(matrix) && with_times.contains(matrix.id);
        });
        if (auto found = find_families(measured); !found)
            return std::unexpected(std::move(found).error());
        const auto is_unseen = unseen_by_calibration(fit_to_be_seen);
        std::vector<MatrixRecord> unseen;
        std::ranges::copy_if(measured, std::back_inserter(unseen), is_unseen);
        data_.all_were_fitted = !data_.description.calibration.fitted_matrices.empty() &&
                                std::ranges::none_of(fit_to_be_seen, is_unseen);
        return data_.all_were_fitted || !request_.held_out_only ? measured : unseen;
    }

    /// Among the measured ones. A family is named by a member that is_held_out() tells to be fitted, if it
    /// has one.
    Result<void> find_families(std::span<const MatrixRecord> measured) {
        const auto domain = make_sparse_domain();
        std::map<std::string, const MatrixRecord*> records;
        for (const MatrixRecord& matrix : measured)
            records.emplace(matrix.name, &matrix);
        const auto families = WorkloadFamilies::read(
            workspace_, *domain, [&](const WorkloadRecord& workload) -> std::optional<std::vector<double>> {
                const auto statistics =
                    matrix_statistics(workspace_, matrix_record(workload), request_.counting_threads);
                return statistics ? std::optional(statistics_vector(*statistics)) : std::nullopt;
            });
        if (!families)
            return std::unexpected(families.error());
        for (const auto& [name, record] : records) {
            if (members_.contains(name))
                continue;
            std::vector<std::string> members;
            for (const std::string& relative : families->with_relatives({name}))
                if (records.contains(relative))
                    members.push_back(relative);
            const auto fitted = std::ranges::find_if_not(members, &is_held_out);
            const std::string family = name_stem(fitted == members.end() ? members.front() : *fitted);
            for (const std::string& member : members) {
                family_.emplace(member, family);
                members_.emplace(member, members);
            }
        }
        return {};
    }

    /// By the record of the last calibration; where there is none, as the next one will keep them back.
    [[nodiscard]] std::function<bool(const MatrixRecord&)>
    unseen_by_calibration(std::span<const MatrixRecord> fit_to_be_seen) const {
        const auto& fitted = data_.description.calibration.fitted_matrices;
        if (!fitted.empty())
            return [this, &fitted](const MatrixRecord& matrix) {
                return std::ranges::none_of(members_.at(matrix.name), [&](const std::string& member) {
                    return std::ranges::find(fitted, name_stem(member)) != fitted.end();
                });
            };
        std::set<std::string> families;
        for (const MatrixRecord& matrix : fit_to_be_seen)
            families.insert(family_.at(matrix.name));
        if (families.size() < fewest_families_to_keep_back && !is_calibrated(data_.description))
            return [](const MatrixRecord&) { return true; };
        return [this](const MatrixRecord& matrix) { return is_held_out(family_.at(matrix.name)); };
    }

    Result<void> find_source() {
        auto machine = require_machine(workspace_, request_.machine);
        if (!machine)
            return std::unexpected(std::move(machine).error());
        data_.machine = *std::move(machine);
        const auto sources = runtime_sources(workspace_, request_.op, request_.dense);
        if (!sources)
            return std::unexpected(sources.error());
        const auto wanted = std::ranges::find_if(*sources, [&](const CountedSource& one) {
            return one.source.machine == data_.machine.id &&
                   (request_.protocol.empty() || one.source.protocol == request_.protocol) &&
                   (request_.threads == 0 || one.source.threads == request_.threads);
        });
        if (wanted == sources->end()) {
            const auto of_matrices =
                list_results(workspace_, ResultFilter{.machine = data_.machine.fingerprint});
            const auto any = list_results(workspace_, ResultQuery{.machine = data_.machine.fingerprint});
            if (any && !any->empty() && of_matrices && of_matrices->empty())
                return fail(Fault::Input, fmt::format("{} has no runtimes of matrices: only these tell how "
                                                      "good a simulation of it is",
                                                      data_.machine.name));
            return fail(Fault::Input,
                        fmt::format("no {} runtimes with a dense extent of {}{}{} are stored for {}: use "
                                    "`collect` or `import-runtimes`",
                                    name(request_.op), request_.dense,
                                    request_.threads > 0 ? fmt::format(", {} threads", request_.threads) : "",
                                    request_.protocol.empty()
                                        ? ""
                                        : fmt::format(", the protocol '{}'", request_.protocol),
                                    data_.machine.name));
        }
        data_.source = wanted->source;
        data_.left_out.other_engines = wanted->other_engines;
        return {};
    }

    void resolve() {
        data_.description.name = data_.machine.name;
        data_.description.source = MachineSource::Recorded;
        if (auto known = description_of(data_.machine))
            data_.description = std::move(*known);
        data_.parameters = parameters_for_threads(data_.description, data_.source.threads);
    }

    [[nodiscard]] bool is_usable(const StoredRuntime& runtime) const {
        return runtime.status == MeasurementStatus::Measured && runtime.median_ms &&
               *runtime.median_ms >= request_.shortest_ms;
    }

    void leave_out(const StoredRuntime& runtime) {
        if (runtime.status == MeasurementStatus::Measured && runtime.median_ms)
            ++data_.left_out.too_short;
        else if (runtime.status == MeasurementStatus::Measured)
            ++data_.left_out.without_time[MeasurementStatus::Failed];
        else
            ++data_.left_out.without_time[runtime.status];
    }

    Result<void> add(const MatrixRecord& record, std::vector<const StoredRuntime*> runtimes) {
        const auto pattern = load_pattern(workspace_, record.id);
        if (!pattern) {
            data_.without_pattern.push_back({record.name, pattern.error()});
            return {};
        }
        keep_fastest_of_each_meaning(runtimes);
        keep_some(runtimes);
        CalibrationMatrix matrix{record.name, {}, {}, {}, family_.at(record.name)};
        std::vector<SuperSchedule> schedules;
        for (const StoredRuntime* runtime : runtimes)
            schedules.push_back(runtime->schedule);
        auto profiles = profile_all(ProfiledPattern(*pattern), schedules, data_.source.dense,
                                    {.threads = request_.counting_threads, .stop = stop_});
        if (!profiles) {
            Error error = std::move(profiles).error();
            error.message = fmt::format("the matrix {}: {}", record.name, error.message);
            return std::unexpected(std::move(error));
        }
        matrix.profiles = std::move(*profiles);
        bool spreads_known = true;
        for (const StoredRuntime* runtime : runtimes) {
            matrix.milliseconds.push_back(*runtime->median_ms);
            matrix.spreads.push_back(runtime->spread_ms.value_or(0));
            spreads_known = spreads_known && runtime->spread_ms.has_value();
        }
        if (!spreads_known)
            matrix.spreads.clear();
        data_.runs += static_cast<std::int64_t>(matrix.milliseconds.size());
        data_.matrices.push_back(std::move(matrix));
        return {};
    }

    /// As in the results: of schedules that mean the same the fastest stands, as noise only makes slower.
    static void keep_fastest_of_each_meaning(std::vector<const StoredRuntime*>& runtimes) {
        std::map<SuperSchedule, double> fastest;
        for (const StoredRuntime* runtime : runtimes) {
            const auto [known, is_new] =
                fastest.try_emplace(canonical(runtime->schedule), *runtime->median_ms);
            if (!is_new)
                known->second = std::min(known->second, *runtime->median_ms);
        }
        std::erase_if(runtimes, [&](const StoredRuntime* runtime) {
            const auto known = fastest.find(canonical(runtime->schedule));
            if (known == fastest.end() || known->second != *runtime->median_ms)
                return true;
            fastest.erase(known); // an equal time later is the same schedule again
            return false;
        });
    }

    /// Evenly over the order in which they were measured.
    void keep_some(std::vector<const StoredRuntime*>& runtimes) const {
        const auto most = static_cast<std::size_t>(std::max<std::int64_t>(1, request_.most_schedules));
        if (runtimes.size() <= most)
            return;
        std::vector<const StoredRuntime*> kept;
        for (std::size_t at = 0; at < most; ++at)
            kept.push_back(runtimes[at * runtimes.size() / most]);
        runtimes = std::move(kept);
    }

    Workspace& workspace_;
    const CalibrationRequest& request_;
    const std::stop_token& stop_;
    const ProgressSink& progress_;
    CalibrationData data_;
    std::map<std::string, std::string> family_;               ///< of each measured matrix
    std::map<std::string, std::vector<std::string>> members_; ///< of its family, itself too
};

} // namespace

std::int64_t ExcludedRuns::count() const {
    std::int64_t runs = too_short + other_engines;
    for (const auto& [status, of_it] : without_time)
        runs += of_it;
    return runs;
}

Result<CalibrationData> calibration_data(Workspace& workspace, const CalibrationRequest& request,
                                         const std::stop_token& stop, const ProgressSink& progress) {
    return DataReader(workspace, request, stop, progress).read();
}

MachineParameters uncalibrated_parameters(const CalibrationData& data) {
    return parameters_for_threads(without_calibration(data.description), data.source.threads);
}

std::string family_of(const CalibrationMatrix& matrix) {
    return matrix.family.empty() ? name_stem(matrix.name) : matrix.family;
}

std::vector<std::string> families_of(std::span<const CalibrationMatrix> matrices) {
    std::vector<std::string> families;
    for (const CalibrationMatrix& matrix : matrices)
        if (std::string family = family_of(matrix); std::ranges::find(families, family) == families.end())
            families.push_back(std::move(family));
    return families;
}

bool is_held_out(std::string_view matrix_or_family) {
    return digest_of(name_stem(matrix_or_family)) % 3 == 0;
}

} // namespace sparsight
