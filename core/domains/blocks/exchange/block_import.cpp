#include "domains/blocks/exchange/block_import.h"

#include "base/digest.h"
#include "domains/blocks/block_domain.h"
#include "domains/blocks/exchange/block_table.h"
#include "domains/blocks/tables/machine_tables.h"
#include "domains/blocks/tables/microarchitecture.h"
#include "store/machines.h"
#include "store/measurements.h"
#include "store/workloads.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace sparsight {
namespace {

constexpr std::int64_t lines_of_a_transaction = 20'000;
constexpr std::size_t most_problems_kept = 1000;
constexpr std::string_view code_part = "code";

std::vector<std::byte> as_bytes(const MachineCode& code) {
    const auto bytes = std::as_bytes(std::span(code));
    return {bytes.begin(), bytes.end()};
}

/// Equal for blocks of one group.
std::string content_of(const BlockTable::Row& row) {
    Digest digest;
    digest.add(row.group.empty() ? to_hex(row.code) : row.group);
    return fmt::format("{}{:016x}", row.group.empty() ? "" : "group-", digest.value());
}

class BlockImport {
public:
    BlockImport(Workspace& workspace, const BlockDecoder& decoder, const BlockImportRequest& request,
                const std::stop_token& stop, const ProgressSink& progress, BlockImportReport& report)
        : workspace_(workspace)
        , decoder_(decoder)
        , request_(request)
        , stop_(stop)
        , progress_(progress)
        , report_(report) {}

    Result<void> run() {
        if (auto checked = check_machines(); !checked)
            return checked;
        if (auto known = read_known_codes(); !known)
            return known;
        for (const std::filesystem::path& path : request_.port_tables)
            if (auto done = columns_.empty() ? Result<void>() : ports(path); !done)
                return done; // without a machine the tables of blocks say what is wrong
        for (const std::filesystem::path& path : request_.files)
            if (auto done = file(path); !done)
                return done;
        return {};
    }

    void count() {
        report_.groups = std::ssize(groups_);
        report_.machines = std::ssize(with_times_);
    }

private:
    /// Before anything is stored.
    [[nodiscard]] Result<void> check_machines() {
        std::set<std::string> known;
        for (const std::filesystem::path& path : request_.files)
            if (const auto table = BlockTable::open(path))
                known.insert(table->machines().begin(), table->machines().end());
        columns_ = request_.machines.empty() ? std::vector(known.begin(), known.end()) : request_.machines;
        for (const std::string& machine : request_.machines)
            if (!known.empty() && !known.contains(machine))
                return fail(Fault::Input, fmt::format("no file has times of '{}', expected one of: {}",
                                                      machine, fmt::join(known, ", ")));
        return {};
    }

    /// Stores the ports of the machines that the table knows, once all of them are read.
    Result<void> ports(const std::filesystem::path& path) {
        std::vector<std::pair<std::string, PortTable>> found;
        for (const std::string& machine : columns_) {
            if (stop_.stop_requested())
                return fail(Fault::Cancelled, "stopped");
            const auto known = find_microarchitecture(machine);
            if (!known)
                continue;
            auto table = find_ports(path, *known);
            if (!table)
                return std::unexpected(std::move(table).error());
            if (*table)
                found.emplace_back(machine, **std::move(table));
        }
        if (found.empty())
            return fail_in_file(
                Fault::Input, path.string(), 0,
                fmt::format("has the ports of none of the machines {}", fmt::join(columns_, ", ")));
        for (const auto& [machine, table] : found) {
            const auto id = recorded_machine(workspace_, machine);
            if (!id)
                return std::unexpected(id.error());
            if (auto done = set_machine_table(workspace_, *id, blocks_domain, to_json(table)); !done)
                return done;
            report_.machines_with_ports.push_back(machine);
        }
        return {};
    }

    /// Of the blocks that the workspace has.
    Result<void> read_known_codes() {
        const auto blocks = list_workloads(workspace_, blocks_domain);
        if (!blocks)
            return std::unexpected(blocks.error());
        for (const WorkloadRecord& block : *blocks)
            if (const auto facts = nlohmann::json::parse(block.known.facts, nullptr, false);
                facts.is_object() && facts.contains("code") && facts["code"].is_string())
                codes_.emplace(block.name, KnownCode{facts["code"].get<std::string>(), false,
                                                     facts.value(std::string(stored_apart), false)});
        return {};
    }

    Result<void> file(const std::filesystem::path& path) {
        auto table = BlockTable::open(path);
        if (!table) {
            note(table.error());
            return {};
        }
        if (auto found = find_machines(*table); !found)
            return found;
        while (!table->is_over()) {
            auto done = in_one_transaction(workspace_, [&] { return some_lines(*table); });
            if (!done)
                return done;
            if (progress_)
                progress_({"reading", table->consumed(), table->total(), {}});
            if (!table->is_over() && stop_.stop_requested())
                return fail(Fault::Cancelled, "stopped");
        }
        return {};
    }

    /// The ids of those whose times are taken, by the place of their column.
    Result<void> find_machines(const BlockTable& table) {
        machines_.assign(table.machines().size(), std::nullopt);
        for (std::size_t place = 0; place < machines_.size(); ++place) {
            const std::string& name = table.machines()[place];
            if (!request_.machines.empty() &&
                std::ranges::find(request_.machines, name) == request_.machines.end())
                continue;
            const auto id = recorded_machine(workspace_, name);
            if (!id)
                return std::unexpected(id.error());
            const auto times = count_measurements_on(workspace_, *id);
            if (!times)
                return std::unexpected(times.error());
            if (*times > 0)
                had_times_.insert(*id);
            machines_[place] = *id;
        }
        return {};
    }

    Result<void> some_lines(BlockTable& table) {
        for (std::int64_t line = 0; line < lines_of_a_transaction; ++line) {
            auto row = table.next();
            if (!row) {
                note(row.error());
                continue;
            }
            if (!*row)
                return {};
            if (auto done = block(table, **row); !done)
                return done;
        }
        return {};
    }

    Result<void> block(const BlockTable& table, const BlockTable::Row& row) {
        if (request_.leaves_out_aliasing && row.may_alias) {
            ++report_.aliasing;
            return {};
        }
        const auto decoded = decoder_.decode(row.code);
        if (!decoded) {
            note({Fault::Input, fmt::format("{}: {}", row.name, decoded.error().message), table.file(),
                  table.line()});
            return {};
        }
        const std::string hex = to_hex(row.code);
        const auto [known, is_new] = codes_.try_emplace(row.name, KnownCode{hex, true, false});
        if (!is_new && known->second.code != hex) {
            note({Fault::Input,
                  fmt::format("the block {} has other code {}", row.name,
                              known->second.is_of_this_import ? "in an earlier line" : "in the workspace"),
                  table.file(), table.line()});
            return {};
        }
        if (!is_new && std::exchange(known->second.is_of_this_import, true)) {
            ++report_.repeated;
            return {};
        }
        ++report_.blocks;
        known->second.is_apart = row.is_apart.value_or(known->second.is_apart);
        report_.apart += known->second.is_apart ? 1 : 0;
        groups_.insert(content_of(row));
        auto id = store(row, decoded->size(), known->second.is_apart);
        if (!id)
            return std::unexpected(std::move(id).error());
        for (std::size_t place = 0; place < machines_.size(); ++place)
            if (machines_[place] && row.cycles[place])
                if (auto done = time(*id, *machines_[place], *row.cycles[place]); !done)
                    return done;
        return {};
    }

    Result<WorkloadId> store(const BlockTable::Row& row, std::size_t instructions, bool is_apart) {
        auto id = add_workload_name(workspace_, blocks_domain, row.name, "recorded");
        if (!id)
            return id;
        nlohmann::json facts{
            {"instructions", instructions}, {"bytes", row.code.size()}, {"code", to_hex(row.code)}};
        if (row.may_alias)
            facts["may_alias"] = true;
        if (!row.group.empty())
            facts["group"] = row.group;
        if (is_apart)
            facts[std::string(stored_apart)] = true;
        if (!row.applications.empty())
            facts["applications"] = row.applications;
        if (auto done = describe_workload(workspace_, *id, {facts.dump(), "recorded", content_of(row)});
            !done)
            return std::unexpected(std::move(done).error());
        const PayloadPart part{std::string(code_part), as_bytes(row.code)};
        if (auto done = store_payload(workspace_, *id, std::span(&part, 1)); !done)
            return std::unexpected(std::move(done).error());
        return id;
    }

    Result<void> time(WorkloadId block, MachineId machine, double cycles) {
        const MeasurementConditions conditions{
            block, machine, {std::string(blocks_domain), {}}, std::string(block_protocol)};
        Measurement measurement;
        measurement.status = MeasurementStatus::Measured;
        measurement.median = time_of_cycles(cycles);
        measurement.repeats = 1;
        ++report_.measurements;
        with_times_.insert(machine);
        if (had_times_.contains(machine)) {
            const auto known = find_measurement(workspace_, conditions, configuration_);
            if (!known)
                return std::unexpected(known.error());
            if (*known && (*known)->median == measurement.median) {
                ++report_.already_there;
                return {};
            }
            report_.replaced += *known ? 1 : 0;
        }
        return record_measurement(workspace_, conditions, configuration_, measurement, std::nullopt, date_);
    }

    void note(const Error& problem) {
        ++report_.problem_count;
        if (report_.first_problems.size() < most_problems_kept)
            report_.first_problems.push_back(problem);
    }

    Workspace& workspace_;
    const BlockDecoder& decoder_;
    const BlockImportRequest& request_;
    const std::stop_token& stop_;
    const ProgressSink& progress_;
    BlockImportReport& report_;
    const WrittenConfiguration configuration_ = code_as_it_is();
    const std::string date_ = measuring_date(); ///< one for all
    std::vector<std::string> columns_;          ///< names of the machines whose times are taken
    std::vector<std::optional<MachineId>> machines_;
    std::set<MachineId> had_times_;  ///< before this import
    std::set<MachineId> with_times_; ///< of this import
    struct KnownCode {
        std::string code; ///< hexadecimal
        bool is_of_this_import = false;
        bool is_apart = false; ///< a later table that does not say it changes nothing
    };
    std::unordered_map<std::string, KnownCode> codes_; ///< by the name of the block
    std::unordered_set<std::string> groups_;
};

} // namespace

Result<BlockImportReport> import_blocks(Workspace& workspace, const BlockDecoder& decoder,
                                        const BlockImportRequest& request, Observer& observer,
                                        const std::stop_token& stop) {
    observer.start({{"files", request.files.size()}});
    BlockImportReport report;
    const ProgressSink progress = observer.sink();
    BlockImport import(workspace, decoder, request, stop, progress, report);
    const auto done = import.run();
    import.count();
    report.is_stopped = !done && done.error().fault == Fault::Cancelled;
    if (!done && !report.is_stopped)
        return std::unexpected(done.error());
    return report;
}

} // namespace sparsight
