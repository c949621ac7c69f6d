#include "store/models.h"

#include "store/sqlite.h"
#include "store/workspace.h"

#include <fmt/format.h>

namespace sparsight {

namespace {

constexpr std::string_view select_models =
    "SELECT m.id, m.name, m.run_id, m.parent_id, m.description, length(w.tensors), m.created "
    "FROM models m JOIN weights w ON w.model_id = m.id ";

ModelRecord read_model(Statement& row) {
    return {row.id<ModelId>(0),
            row.text(1),
            row.optional_id<RunId>(2),
            row.optional_id<ModelId>(3),
            row.text(4),
            static_cast<std::uint64_t>(row.integer(5)),
            row.text(6)};
}

} // namespace

Result<ModelId> add_model(Workspace& workspace, const NewModel& model, std::span<const std::byte> weights) {
    Database& database = workspace.database();
    auto transaction = Transaction::begin(database);
    if (!transaction)
        return std::unexpected(std::move(transaction).error());
    const auto known = find_model(workspace, model.name);
    if (!known)
        return std::unexpected(known.error());
    if (*known)
        return fail(Fault::Input,
                    fmt::format("there is a model called {} already (of {})", model.name, (*known)->created));
    if (auto done =
            database.run("INSERT INTO models (name, run_id, parent_id, description) VALUES (?, ?, ?, ?)",
                         model.name, model.run, model.parent, model.description);
        !done)
        return std::unexpected(std::move(done).error());
    const auto id = static_cast<ModelId>(database.last_inserted_id());
    if (auto done = database.run("INSERT INTO weights (model_id, tensors) VALUES (?, ?)", id, weights); !done)
        return std::unexpected(std::move(done).error());
    if (auto done = transaction->commit(); !done)
        return std::unexpected(std::move(done).error());
    return id;
}

Result<std::vector<ModelRecord>> list_models(Workspace& workspace) {
    static const std::string sql = std::string(select_models) + "ORDER BY m.id";
    return workspace.database().all(read_model, sql);
}

Result<std::optional<ModelRecord>> find_model(Workspace& workspace, std::string_view name) {
    static const std::string sql = std::string(select_models) + "WHERE m.name = ?";
    return workspace.database().first(read_model, sql, name);
}

Result<void> remove_model(Workspace& workspace, ModelId model) {
    return workspace.database().run("DELETE FROM models WHERE id = ?", model);
}

Result<std::vector<std::byte>> load_weights(Workspace& workspace, ModelId model) {
    auto weights = workspace.database().first(
        [](Statement& row) {
            const auto bytes = row.blob(0);
            return std::vector<std::byte>(bytes.begin(), bytes.end());
        },
        "SELECT tensors FROM weights WHERE model_id = ?", model);
    if (!weights)
        return std::unexpected(std::move(weights).error());
    if (!*weights)
        return fail_in_file(Fault::Input, workspace.path().string(), 0, "there is no such model");
    return std::move(**weights);
}

} // namespace sparsight
