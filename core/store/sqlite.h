// SQLite as values: statements that free themselves, errors as Result. For the files of this folder and
// their tests only. One connection is used by one thread at a time.
#pragma once

#include "base/error.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

struct sqlite3;
struct sqlite3_stmt;

namespace sparsight {

class Database;

/// An SQLite result code in words for the user: which file, what happened, what can be done.
[[nodiscard]] Error sqlite_error(sqlite3* database, int code, const std::filesystem::path& path,
                                 std::chrono::milliseconds busy_timeout);

struct CloseDatabase {
    void operator()(sqlite3* handle) const;
};
struct FinalizeStatement {
    void operator()(sqlite3_stmt* handle) const;
};
using DatabaseHandle = std::unique_ptr<sqlite3, CloseDatabase>;
using StatementHandle = std::unique_ptr<sqlite3_stmt, FinalizeStatement>;

/// Idle statements by their text.
using StatementCache = std::map<std::string, StatementHandle, std::less<>>;

/// A prepared statement, borrowed from its database; when it is destroyed, it is available again for the same
/// text. Parameters are bound in the order of the question marks. Texts and blobs must live until the last
/// step().
class Statement {
public:
    Statement(Database& database, StatementCache::node_type prepared);
    ~Statement();
    Statement(Statement&&) = default;
    Statement& operator=(Statement&&) = delete;

    void bind(std::int64_t value);
    void bind(int value) { bind(static_cast<std::int64_t>(value)); }
    void bind(bool value) { bind(static_cast<std::int64_t>(value)); }
    void bind(double value); ///< not-a-number becomes NULL, as SQLite has none
    void bind(std::string_view value);
    void bind(const std::string& value) { bind(std::string_view(value)); }
    void bind(const char* value) { bind(std::string_view(value)); }
    void bind(std::span<const std::byte> value);
    void bind(std::nullopt_t);
    template <typename T>
    void bind(const std::optional<T>& value) {
        if (value)
            bind(*value);
        else
            bind(std::nullopt);
    }
    /// Typed ids (enum class WorkloadId : int64_t) are bound as their number.
    template <typename Id>
        requires std::is_enum_v<Id>
    void bind(Id value) {
        bind(static_cast<std::int64_t>(value));
    }

    /// True: a row is ready. False: there are no more rows.
    [[nodiscard]] Result<bool> step();

    [[nodiscard]] bool is_null(int column) const;
    [[nodiscard]] std::int64_t integer(int column) const;
    [[nodiscard]] double real(int column) const; ///< NULL reads as not-a-number
    [[nodiscard]] std::optional<double> optional_real(int column) const;
    [[nodiscard]] std::string text(int column) const { return std::string(text_view(column)); }
    /// Valid until the next step().
    [[nodiscard]] std::string_view text_view(int column) const;
    /// Valid until the next step().
    [[nodiscard]] std::span<const std::byte> blob(int column) const;
    template <typename Id>
    [[nodiscard]] Id id(int column) const {
        return static_cast<Id>(integer(column));
    }
    template <typename Id>
    [[nodiscard]] std::optional<Id> optional_id(int column) const {
        return is_null(column) ? std::nullopt : std::optional(id<Id>(column));
    }

private:
    [[nodiscard]] sqlite3_stmt* handle() const { return prepared_.mapped().get(); }

    Database* database_;
    StatementCache::node_type prepared_; ///< empty once moved from
    int bound_ = 0;
    Result<void> binding_{};
};

class Database {
public:
    enum class Access { Read, ReadImmutable, ReadWrite };

    /// Opens an existing file (ReadWrite: an empty one too); no file is ever created here.
    [[nodiscard]] static Result<std::unique_ptr<Database>>
    open(const std::filesystem::path& path, Access access, std::chrono::milliseconds busy_timeout);

    /// Reads the first bytes of the file as they are; returns the size of the whole file. Ignores any lock
    /// and any recovery, but uses SQLite's own handle: closing another one would drop this process's locks on
    /// the file (https://www.sqlite.org/howtocorrupt.html, 2.2).
    [[nodiscard]] Result<std::uint64_t> read_raw(std::span<std::byte> into);

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }
    [[nodiscard]] sqlite3* handle() const { return handle_.get(); }

    /// The statement with its parameters bound, not yet stepped.
    template <typename... Values>
    [[nodiscard]] Result<Statement> query(std::string_view sql, const Values&... values) {
        auto statement = prepare(sql);
        if (statement)
            (statement->bind(values), ...);
        return statement;
    }
    /// Runs one statement that returns no rows.
    template <typename... Values>
    [[nodiscard]] Result<void> run(std::string_view sql, const Values&... values) {
        auto statement = query(sql, values...);
        if (!statement)
            return std::unexpected(statement.error());
        auto row = statement->step();
        if (!row)
            return std::unexpected(std::move(row).error());
        return {};
    }
    /// The first row through `read(statement)`, or nothing when there is none.
    template <typename Read, typename... Values>
    [[nodiscard]] auto first(Read read, std::string_view sql, const Values&... values)
        -> Result<std::optional<std::invoke_result_t<Read, Statement&>>> {
        auto statement = query(sql, values...);
        if (!statement)
            return std::unexpected(statement.error());
        const auto row = statement->step();
        if (!row)
            return std::unexpected(row.error());
        if (!*row)
            return std::nullopt;
        return read(*statement);
    }
    /// Every row through `read(statement)`.
    template <typename Read, typename... Values>
    [[nodiscard]] auto all(Read read, std::string_view sql, const Values&... values)
        -> Result<std::vector<std::invoke_result_t<Read, Statement&>>> {
        auto statement = query(sql, values...);
        if (!statement)
            return std::unexpected(statement.error());
        std::vector<std::invoke_result_t<Read, Statement&>> rows;
        for (;;) {
            const auto row = statement->step();
            if (!row)
                return std::unexpected(row.error());
            if (!*row)
                return rows;
            rows.push_back(read(*statement));
        }
    }
    /// Runs every statement of a script.
    [[nodiscard]] Result<void> run_script(const std::string& sql);

    /// Whether the last INSERT, UPDATE or DELETE that ran found any.
    [[nodiscard]] bool has_changed_rows() const;
    [[nodiscard]] std::int64_t last_inserted_id() const;
    /// The last error, in words, with this file's name.
    [[nodiscard]] Error error(int code) const;

private:
    friend class Statement;

    Database(std::filesystem::path path, DatabaseHandle handle, std::chrono::milliseconds busy_timeout);
    [[nodiscard]] Result<Statement> prepare(std::string_view sql);

    std::filesystem::path path_;
    DatabaseHandle handle_;
    std::chrono::milliseconds busy_timeout_;
    StatementCache idle_; ///< after the handle, so that it is destroyed before it
};

/// Everything between begin() and commit() happens or nothing does; without commit() it is undone. Takes the
/// write lock at once, so that reading before writing can't end in a conflict. Inside another transaction it
/// is a part of that one that can be undone alone.
class Transaction {
public:
    [[nodiscard]] static Result<Transaction> begin(Database& database);
    ~Transaction();
    Transaction(Transaction&& other) noexcept;
    Transaction& operator=(Transaction&&) = delete;

    [[nodiscard]] Result<void> commit();

private:
    Transaction(Database& database, bool nested)
        : database_(&database)
        , nested_(nested) {}
    Database* database_; ///< null once finished
    bool nested_;
};

} // namespace sparsight
