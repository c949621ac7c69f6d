#include "store/workloads.h"

#include "store/sqlite.h"
#include "store/workspace.h"

#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

namespace sparsight {

namespace {

constexpr std::string_view select_workloads =
    "SELECT w.id, w.domain, w.name, w.facts, w.source, w.content_hash, w.statistics, w.added, w.file, "
    "       EXISTS (SELECT 1 FROM payloads p WHERE p.workload_id = w.id) "
    "FROM workloads w ";

WorkloadRecord read_workload(Statement& row) {
    WorkloadRecord workload;
    workload.id = row.id<WorkloadId>(0);
    workload.domain = row.text(1);
    workload.name = row.text(2);
    workload.known = {row.text(3), row.text(4), row.text(5)};
    workload.statistics = row.text(6);
    workload.added = row.text(7);
    workload.file = row.text(8);
    if (!workload.file.empty())
        workload.payload = PayloadPlace::File;
    else if (row.integer(9) != 0)
        workload.payload = PayloadPlace::Workspace;
    return workload;
}

} // namespace

std::map<std::string, double, std::less<>> numeric_facts(const WorkloadRecord& workload) {
    std::map<std::string, double, std::less<>> numbers;
    const auto facts = nlohmann::json::parse(workload.known.facts, nullptr, /*allow_exceptions=*/false);
    if (facts.is_object())
        for (const auto& [name, value] : facts.items())
            if (value.is_number())
                numbers.emplace(name, value.get<double>());
    return numbers;
}

Result<WorkloadId> add_workload_name(Workspace& workspace, std::string_view domain, std::string_view name,
                                     std::string_view source) {
    Database& database = workspace.database();
    auto transaction = Transaction::begin(database);
    if (!transaction)
        return std::unexpected(std::move(transaction).error());
    const auto known = database.first([](Statement& row) { return row.id<WorkloadId>(0); },
                                      "SELECT id FROM workloads WHERE domain = ? AND name = ?", domain, name);
    if (!known)
        return std::unexpected(known.error());
    if (*known)
        return **known;
    if (auto done = database.run(
            "INSERT INTO workloads (domain, name, facts, source, content_hash) VALUES (?, ?, '{}', ?, '')",
            domain, name, source);
        !done)
        return std::unexpected(std::move(done).error());
    const auto id = static_cast<WorkloadId>(database.last_inserted_id());
    if (auto done = transaction->commit(); !done)
        return std::unexpected(std::move(done).error());
    return id;
}

Result<void> describe_workload(Workspace& workspace, WorkloadId workload, const WorkloadFacts& known) {
    return workspace.database().run(
        "UPDATE workloads SET facts = ?, source = ?, content_hash = ? WHERE id = ?", known.facts,
        known.source, known.content_hash, workload);
}

Result<std::vector<WorkloadRecord>> list_workloads(Workspace& workspace, std::string_view domain) {
    static const std::string sql = std::string(select_workloads) + "WHERE w.domain = ? ORDER BY w.id";
    return workspace.database().all(read_workload, sql, domain);
}

Result<std::optional<WorkloadRecord>> find_workload(Workspace& workspace, std::string_view domain,
                                                    std::string_view name) {
    static const std::string sql = std::string(select_workloads) + "WHERE w.domain = ? AND w.name = ?";
    return workspace.database().first(read_workload, sql, domain, name);
}

Result<std::optional<WorkloadRecord>> find_workload(Workspace& workspace, WorkloadId workload) {
    static const std::string sql = std::string(select_workloads) + "WHERE w.id = ?";
    return workspace.database().first(read_workload, sql, workload);
}

Result<std::map<WorkloadId, std::string>> workload_names(Workspace& workspace) {
    const auto rows =
        workspace.database().all([](Statement& row) { return std::pair(row.id<WorkloadId>(0), row.text(1)); },
                                 "SELECT id, name FROM workloads");
    if (!rows)
        return std::unexpected(rows.error());
    return std::map<WorkloadId, std::string>(rows->begin(), rows->end());
}

Result<void> set_statistics(Workspace& workspace, WorkloadId workload, std::string_view json) {
    return workspace.database().run("UPDATE workloads SET statistics = ? WHERE id = ?", json, workload);
}

Result<void> remove_workload(Workspace& workspace, WorkloadId workload) {
    return workspace.database().run("DELETE FROM workloads WHERE id = ?", workload);
}

Result<void> store_payload(Workspace& workspace, WorkloadId workload, std::span<const PayloadPart> parts) {
    return in_one_transaction(workspace, [&]() -> Result<void> {
        Database& database = workspace.database();
        if (auto done = database.run("DELETE FROM payloads WHERE workload_id = ?", workload); !done)
            return done;
        for (const PayloadPart& part : parts)
            if (auto done = database.run("INSERT INTO payloads (workload_id, part, content) VALUES (?, ?, ?)",
                                         workload, part.name, std::span<const std::byte>(part.content));
                !done)
                return done;
        return database.run("UPDATE workloads SET file = NULL WHERE id = ?", workload);
    });
}

Result<void> refer_to_payload(Workspace& workspace, WorkloadId workload, const std::filesystem::path& file) {
    std::error_code error;
    const auto absolute = std::filesystem::absolute(file, error);
    return workspace.database().run("UPDATE workloads SET file = ? WHERE id = ?",
                                    (error ? file : absolute).string(), workload);
}

Result<std::vector<PayloadPart>> load_payload(Workspace& workspace, WorkloadId workload) {
    return workspace.database().all(
        [](Statement& row) {
            const auto content = row.blob(1);
            return PayloadPart{row.text(0), {content.begin(), content.end()}};
        },
        "SELECT part, content FROM payloads WHERE workload_id = ? ORDER BY part", workload);
}

std::string_view name(SplitPart part) {
    constexpr std::array<std::string_view, all_split_parts.size()> names{"total", "train", "validation",
                                                                         "test"};
    return names[static_cast<std::size_t>(part)];
}

Result<void> save_split(Workspace& workspace, const Split& split) {
    Database& database = workspace.database();
    auto transaction = Transaction::begin(database);
    if (!transaction)
        return std::unexpected(std::move(transaction).error());
    if (auto done = database.run("DELETE FROM splits WHERE name = ?", split.name); !done)
        return done;
    if (auto done = database.run("INSERT INTO splits (name) VALUES (?)", split.name); !done)
        return done;
    const std::int64_t id = database.last_inserted_id();
    for (const SplitPart part : all_split_parts)
        for (std::int64_t position = 0; const WorkloadId workload : split[part])
            if (auto done = database.run(
                    "INSERT INTO split_members (split_id, part, position, workload_id) VALUES (?, ?, ?, ?)",
                    id, name(part), position++, workload);
                !done)
                return done;
    return transaction->commit();
}

Result<std::optional<Split>> find_split(Workspace& workspace, std::string_view split_name) {
    Database& database = workspace.database();
    const auto id = database.first([](Statement& row) { return row.integer(0); },
                                   "SELECT id FROM splits WHERE name = ?", split_name);
    if (!id)
        return std::unexpected(id.error());
    if (!*id)
        return std::nullopt;
    Split split;
    split.name = split_name;
    for (const SplitPart part : all_split_parts) {
        auto members = database.all(
            [](Statement& row) { return row.id<WorkloadId>(0); },
            "SELECT workload_id FROM split_members WHERE split_id = ? AND part = ? ORDER BY position", **id,
            name(part));
        if (!members)
            return std::unexpected(std::move(members).error());
        split[part] = std::move(*members);
    }
    return split;
}

Result<std::vector<std::string>> split_names(Workspace& workspace, std::optional<std::string_view> domain) {
    const auto name_of = [](Statement& row) { return row.text(0); };
    if (!domain)
        return workspace.database().all(name_of, "SELECT name FROM splits ORDER BY id");
    return workspace.database().all(
        name_of,
        "SELECT name FROM splits WHERE id IN (SELECT split_id FROM split_members JOIN workloads "
        "ON workloads.id = workload_id WHERE domain = ?) ORDER BY id",
        *domain);
}

} // namespace sparsight
