#include "domains/records/exchange/record_import.h"

#include "base/text.h"
#include "domains/records/exchange/fact_sheet.h"
#include "domains/records/formats/record_formats.h"
#include "domains/records/record_space.h"
#include "store/machines.h"
#include "store/measurements.h"
#include "store/workloads.h"

#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace sparsight {

namespace {

constexpr std::int64_t lines_of_a_transaction = 20'000;

/// A number where the text is one.
Json fact_value(const std::string& text) {
    double number = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc() || stop != end || !std::isfinite(number))
        return text;
    constexpr double exact = 9'007'199'254'740'992; // 2^53
    if (number == std::floor(number) && std::abs(number) < exact)
        return static_cast<std::int64_t>(number);
    return number;
}

std::string facts_text(const std::vector<WorkloadFact>& facts) {
    Json json = Json::object();
    for (const WorkloadFact& fact : facts)
        json[fact.name] = fact_value(fact.text);
    return json.dump();
}

/// A table may have a hundred thousand workloads, which are looked up by a view of the line.
struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
};

class RecordImport {
public:
    RecordImport(Workspace& workspace, const RecordImportRequest& request, const std::stop_token& stop,
                 const ProgressSink& progress, RecordImportReport& report)
        : workspace_(workspace)
        , request_(request)
        , stop_(stop)
        , progress_(progress)
        , report_(report) {}

    Result<void> run() {
        if (!request_.workloads.empty())
            read_sheet(request_.workloads, FactSheet::workload_keys, workload_facts_);
        if (!request_.machines.empty())
            read_sheet(request_.machines, FactSheet::machine_keys, machine_facts_);
        for (const std::filesystem::path& path : request_.files)
            if (auto done = file(path); !done)
                return done;
        return {};
    }

    /// What was read so far.
    void count() {
        report_.settings = std::ssize(settings_);
        report_.workloads = std::ssize(workloads_);
        report_.machines = std::ssize(machines_);
        report_.configurations = std::ssize(configurations_);
    }

private:
    void take(const RecordProblems& problems) {
        const auto unlisted = problems.count - std::ssize(problems.first);
        for (const Error& problem : problems.first)
            report_.problems.add(problem);
        report_.problems.count += unlisted;
    }

    void read_sheet(const std::filesystem::path& path, std::span<const std::string_view> keys,
                    std::optional<FactSheet>& into) {
        auto table = CsvTable::open(path);
        auto sheet = table ? FactSheet::read(*std::move(table), keys) : std::unexpected(table.error());
        if (!sheet)
            return report_.problems.add(sheet.error());
        take(sheet->problems());
        into = *std::move(sheet);
    }

    Result<void> file(const std::filesystem::path& path) {
        auto source = open_records(path, request_.form);
        if (!source) {
            report_.problems.add(source.error());
            return {};
        }
        RecordSource& records = **source;
        for (bool has_more = true; has_more;) {
            auto done = in_one_transaction(workspace_, [&]() -> Result<void> {
                auto read = block(records);
                if (!read)
                    return std::unexpected(std::move(read).error());
                has_more = *read;
                return {};
            });
            if (!done) {
                take(records.problems());
                return done;
            }
            if (progress_)
                progress_({"reading", records.consumed(), records.total(), {}});
            if (has_more && stop_.stop_requested()) {
                take(records.problems());
                return fail(Fault::Cancelled, "stopped");
            }
        }
        take(records.problems());
        return {};
    }

    /// Whether there is more to read.
    Result<bool> block(RecordSource& records) {
        RecordRow row;
        for (std::int64_t line = 0; line < lines_of_a_transaction; ++line) {
            const auto has_row = records.next(row);
            if (!has_row) { // the rest of the file
                report_.problems.add(has_row.error());
                return false;
            }
            if (!*has_row)
                return false;
            if (auto done = record(records, row); !done)
                return std::unexpected(std::move(done).error());
        }
        return true;
    }

    Result<void> record(const RecordSource& records, const RecordRow& row) {
        const auto workload = workload_of(records, row.workload);
        if (!workload)
            return std::unexpected(workload.error());
        const auto machine = machine_of(row.machine);
        if (!machine) {
            if (machine.error().fault != Fault::Input)
                return std::unexpected(machine.error());
            report_.problems.add({Fault::Input, machine.error().message, records.file(), row.line});
            return {};
        }
        MeasurementConditions conditions{*workload, *machine, setting_of(row), std::string(recorded_protocol),
                                         row.run.empty() ? std::string() : fmt::format("run={}", row.run)};
        const WrittenConfiguration configuration = configuration_of(row, conditions.setting);
        const Measurement measurement = measurement_of(row);

        const std::string key = fmt::format("{} {} {} {} {}", static_cast<std::int64_t>(*workload),
                                            static_cast<std::int64_t>(*machine), conditions.setting.text,
                                            conditions.condition, configuration.text);
        const bool is_repeated = !seen_.insert(std::hash<std::string>()(key)).second;
        const bool may_be_there = is_repeated || known_before_.contains(*machine);
        std::optional<Measurement> known;
        if (may_be_there) {
            auto found = find_measurement(workspace_, conditions, configuration);
            if (!found)
                return std::unexpected(std::move(found).error());
            known = *std::move(found);
        }
        if (is_repeated && known) {
            ++report_.repeated;
            if (!is_faster(measurement, *known))
                return {};
            return record_measurement(workspace_, conditions, configuration, measurement, std::nullopt,
                                      date_);
        }
        ++report_.measurements;
        report_.failed_runs += has_time(measurement.status) ? 0 : 1;
        if (known && says_the_same(*known, measurement)) {
            ++report_.already_there;
            return {};
        }
        report_.replaced += known ? 1 : 0;
        return record_measurement(workspace_, conditions, configuration, measurement, std::nullopt, date_);
    }

    static bool says_the_same(const Measurement& one, const Measurement& other) {
        return one.status == other.status && one.median == other.median && one.spread == other.spread &&
               one.repeats == other.repeats && one.reason == other.reason;
    }

    static bool is_faster(const Measurement& one, const Measurement& other) {
        if (has_time(one.status) != has_time(other.status))
            return has_time(one.status);
        return has_time(one.status) && one.median < other.median;
    }

    Setting setting_of(const RecordRow& row) {
        Setting setting = record_setting(row.space, row.variant);
        settings_.insert(setting.text);
        return setting;
    }

    WrittenConfiguration configuration_of(const RecordRow& row, const Setting& setting) {
        DecisionValues values;
        for (std::size_t place = 0; place < row.values.size(); ++place)
            if (!row.values[place].empty())
                values.emplace_back(row.decisions[place], row.values[place]);
        std::string text = decisions_to_text(std::move(values));
        configurations_.insert(std::hash<std::string>()(setting.text + '\n' + text));
        return {
            .domain = std::string(records_domain), .family = setting.text, .text = text, .canonical = text};
    }

    Result<WorkloadId> workload_of(const RecordSource& records, std::string_view name) {
        if (const auto known = workloads_.find(name); known != workloads_.end())
            return known->second;
        const auto id = add_workload_name(workspace_, records_domain, name, "recorded");
        if (!id)
            return id;
        if (auto done = describe(records, *id, name); !done)
            return std::unexpected(std::move(done).error());
        workloads_.emplace(name, *id);
        return id;
    }

    /// What the sheet says; otherwise what the file says, unless a sheet has said more before.
    Result<void> describe(const RecordSource& records, WorkloadId id, std::string_view name) {
        if (workload_facts_) {
            if (const auto facts = workload_facts_->find(name))
                return describe_workload(workspace_, id, {facts_text(*facts), "recorded", {}});
            note_without_facts(name);
        }
        const std::vector<WorkloadFact> facts = records.facts();
        if (facts.empty())
            return {};
        const auto before = find_workload(workspace_, id);
        if (!before)
            return std::unexpected(before.error());
        if (*before && (*before)->known.facts != "{}")
            return {};
        return describe_workload(workspace_, id, {facts_text(facts), "recorded", {}});
    }

    void note_without_facts(std::string_view name) {
        constexpr std::size_t most_named = 8;
        if (report_.first_without_facts.size() < most_named)
            report_.first_without_facts.emplace_back(name);
        ++report_.without_facts;
    }

    /// An error of Fault::Input: the name belongs to a computer that is measured here.
    Result<MachineId> machine_of(std::string_view name) {
        if (const auto known = machines_.find(std::string(name)); known != machines_.end())
            return known->second;
        auto id = recorded_machine(workspace_, name);
        if (!id)
            return id;
        const auto times = count_measurements_on(workspace_, *id);
        if (!times)
            return std::unexpected(times.error());
        if (*times > 0)
            known_before_.insert(*id);
        if (machine_facts_) {
            auto facts = machine_facts_->find(name);
            if (!facts)
                note_without_facts(name);
            // Beside the description, which belongs to processors: their probes, presets and simulators.
            if (facts)
                if (auto done =
                        set_machine_facts(workspace_, *id, facts_text(as_machine_facts(*std::move(facts))));
                    !done)
                    return std::unexpected(std::move(done).error());
        }
        machines_.emplace(name, *id);
        return id;
    }

    Workspace& workspace_;
    const RecordImportRequest& request_;
    const std::stop_token& stop_;
    const ProgressSink& progress_;
    RecordImportReport& report_;
    std::string date_ = measuring_date(); ///< one for all, so that a repeated time replaces none of before
    std::optional<FactSheet> workload_facts_;
    std::optional<FactSheet> machine_facts_;
    std::unordered_map<std::string, WorkloadId, TextHash, std::equal_to<>> workloads_;
    std::map<std::string, MachineId, std::less<>> machines_;
    std::set<MachineId> known_before_; ///< machines that had measurements
    std::set<std::string, std::less<>> settings_;
    // Hashes of 64 bits: of two million texts, two have the same one in one table of ten million.
    std::unordered_set<std::size_t> configurations_;
    std::unordered_set<std::size_t> seen_; ///< measurements of all tables
};

} // namespace

Result<RecordImportReport> import_records(Workspace& workspace, const RecordImportRequest& request,
                                          Observer& observer, const std::stop_token& stop) {
    observer.start({{"files", request.files.size()}});
    RecordImportReport report;
    const ProgressSink progress = observer.sink();
    RecordImport import(workspace, request, stop, progress, report);
    const auto done = import.run();
    import.count();
    report.is_stopped = !done && done.error().fault == Fault::Cancelled;
    if (!done && !report.is_stopped)
        return std::unexpected(done.error());
    return report;
}

} // namespace sparsight
