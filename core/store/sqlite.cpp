#include "store/sqlite.h"

#include "base/quantity.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <sqlite3.h>
#include <system_error>
#include <utility>

namespace sparsight {

namespace {

std::string system_reason(sqlite3* database) {
    const int number = database == nullptr ? 0 : sqlite3_system_errno(database);
    return number == 0 ? std::string() : ": " + std::generic_category().message(number);
}

} // namespace

Error sqlite_error(sqlite3* database, int code, const std::filesystem::path& path,
                   std::chrono::milliseconds busy_timeout) {
    const auto describe = [&](Fault fault, std::string message) {
        return Error{fault, std::move(message), path.string(), 0};
    };
    if (database != nullptr && sqlite3_system_errno(database) == ENOSPC && (code & 0xff) == SQLITE_IOERR)
        code = SQLITE_FULL;
    switch (code & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return describe(Fault::Environment,
                        fmt::format("the workspace is locked: another program has been writing to it for "
                                    "more than {}; wait for it or stop it",
                                    format_duration(busy_timeout)));
    case SQLITE_READONLY:
        return describe(Fault::Environment,
                        "the workspace is read-only: it was opened for reading alone, or this user "
                        "may not write the file or its folder");
    case SQLITE_FULL:
        return describe(Fault::Environment,
                        "the disk is full: nothing of the last step was written; all before it is safe");
    case SQLITE_CORRUPT:
        return describe(Fault::Input, fmt::format("the workspace is damaged or cut off ({}); use a copy",
                                                  database == nullptr ? "" : sqlite3_errmsg(database)));
    case SQLITE_NOTADB:
        return describe(Fault::Input, "this is not a Sparsight workspace: it is not an SQLite file");
    case SQLITE_CANTOPEN:
        return describe(Fault::Environment, "the workspace can't be opened" + system_reason(database));
    case SQLITE_IOERR:
        return describe(Fault::Environment,
                        "reading or writing the workspace failed" + system_reason(database));
    case SQLITE_NOMEM:
        return describe(Fault::Limit, "there is not enough memory for this step on the workspace");
    case SQLITE_TOOBIG:
        return describe(Fault::Limit, "one value is larger than SQLite can store (1 GB)");
    default:
        return describe(Fault::Internal,
                        fmt::format("SQLite error {}: {}", code,
                                    database == nullptr ? sqlite3_errstr(code) : sqlite3_errmsg(database)));
    }
}

void CloseDatabase::operator()(sqlite3* handle) const {
    sqlite3_close_v2(handle);
}

void FinalizeStatement::operator()(sqlite3_stmt* handle) const {
    sqlite3_finalize(handle);
}

Statement::Statement(Database& database, StatementCache::node_type prepared)
    : database_(&database)
    , prepared_(std::move(prepared)) {}

Statement::~Statement() {
    if (prepared_.empty())
        return;
    sqlite3_reset(handle());
    sqlite3_clear_bindings(handle());
    database_->idle_.insert(std::move(prepared_));
}

namespace {

/// Keeps the first failure of a chain of binds; step() reports it.
void keep_first(Result<void>& kept, const Database& database, int code) {
    if (code != SQLITE_OK && kept)
        kept = std::unexpected(database.error(code));
}

} // namespace

void Statement::bind(std::int64_t value) {
    keep_first(binding_, *database_, sqlite3_bind_int64(handle(), ++bound_, value));
}

void Statement::bind(double value) {
    keep_first(binding_, *database_, sqlite3_bind_double(handle(), ++bound_, value));
}

void Statement::bind(std::string_view value) {
    // An empty view may hold a null pointer, which SQLite would store as NULL.
    const char* text = value.empty() ? "" : value.data();
    keep_first(binding_, *database_,
               sqlite3_bind_text64(handle(), ++bound_, text, value.size(), SQLITE_STATIC, SQLITE_UTF8));
}

void Statement::bind(std::span<const std::byte> value) {
    const void* bytes = value.empty() ? static_cast<const void*>("") : value.data();
    keep_first(binding_, *database_,
               sqlite3_bind_blob64(handle(), ++bound_, bytes, value.size(), SQLITE_STATIC));
}

void Statement::bind(std::nullopt_t) {
    keep_first(binding_, *database_, sqlite3_bind_null(handle(), ++bound_));
}

Result<bool> Statement::step() {
    if (!binding_)
        return std::unexpected(binding_.error());
    const int code = sqlite3_step(handle());
    if (code == SQLITE_ROW)
        return true;
    if (code == SQLITE_DONE)
        return false;
    return std::unexpected(database_->error(code));
}

bool Statement::is_null(int column) const {
    return sqlite3_column_type(handle(), column) == SQLITE_NULL;
}

std::int64_t Statement::integer(int column) const {
    return sqlite3_column_int64(handle(), column);
}

double Statement::real(int column) const {
    return is_null(column) ? std::nan("") : sqlite3_column_double(handle(), column);
}

std::optional<double> Statement::optional_real(int column) const {
    return is_null(column) ? std::nullopt : std::optional(real(column));
}

std::string_view Statement::text_view(int column) const {
    const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(handle(), column));
    if (bytes == nullptr)
        return {};
    return {bytes, static_cast<std::size_t>(sqlite3_column_bytes(handle(), column))};
}

std::span<const std::byte> Statement::blob(int column) const {
    const auto* bytes = static_cast<const std::byte*>(sqlite3_column_blob(handle(), column));
    if (bytes == nullptr)
        return {};
    return {bytes, static_cast<std::size_t>(sqlite3_column_bytes(handle(), column))};
}

Database::Database(std::filesystem::path path, DatabaseHandle handle, std::chrono::milliseconds busy_timeout)
    : path_(std::move(path))
    , handle_(std::move(handle))
    , busy_timeout_(busy_timeout) {}

namespace {

/// A name as a file: URI, in which only these characters need no escape.
std::string as_uri(const std::filesystem::path& path) {
    std::string uri = "file:";
    for (const char c : path.generic_string()) {
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                           c == '/' || c == '.' || c == '-' || c == '_';
        uri += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
    return uri;
}

/// A sum of typed values: changing a single one of them always changes it, since each step is a bijection,
/// and other changes do but for one in 2^64. What is stored rests on it: it must never change.
class RowChecksum {
public:
    void add(int type, std::uint64_t word) {
        sum_ = (sum_ ^ (word + static_cast<std::uint64_t>(type) * 0x9e3779b97f4a7c15)) * 0xc6a4a7935bd1e995;
        sum_ ^= sum_ >> 32;
    }
    void add(int type, std::string_view bytes) {
        add(type, bytes.size());
        while (!bytes.empty()) {
            const std::size_t size = std::min<std::size_t>(bytes.size(), sizeof(std::uint64_t));
            std::uint64_t word = 0;
            std::memcpy(&word, bytes.data(), size);
            add(type, word);
            bytes.remove_prefix(size);
        }
    }
    [[nodiscard]] sqlite3_int64 sum() const { return static_cast<sqlite3_int64>(sum_); }

private:
    static_assert(std::endian::native == std::endian::little, "words are summed up as they lie in memory");
    std::uint64_t sum_ = 0x5370'5367;
};

/// The SQL function row_checksum(value, …).
void row_checksum(sqlite3_context* context, int count, sqlite3_value** values) {
    RowChecksum checksum;
    for (sqlite3_value* const value : std::span(values, static_cast<std::size_t>(count))) {
        const int type = sqlite3_value_type(value);
        if (type == SQLITE_INTEGER)
            checksum.add(type, static_cast<std::uint64_t>(sqlite3_value_int64(value)));
        else if (type == SQLITE_FLOAT)
            // SQLite stores -0.0 as 0.0, which this sum is, too.
            checksum.add(type, std::bit_cast<std::uint64_t>(sqlite3_value_double(value) + 0.0));
        else if (type == SQLITE_NULL)
            checksum.add(type, 0);
        else
            checksum.add(type, std::string_view(static_cast<const char*>(sqlite3_value_blob(value)),
                                                static_cast<std::size_t>(sqlite3_value_bytes(value))));
    }
    sqlite3_result_int64(context, checksum.sum());
}

} // namespace

Result<std::unique_ptr<Database>> Database::open(const std::filesystem::path& path, Access access,
                                                 std::chrono::milliseconds busy_timeout) {
    // Absolute, so that a relative name that starts like a URI's host can't be taken for one.
    std::error_code ignored;
    std::string uri = as_uri(std::filesystem::absolute(path, ignored));
    if (access == Access::ReadImmutable)
        uri += "?immutable=1";
    // One connection is used by one thread at a time: without a lock each column is read faster.
    const int flags = SQLITE_OPEN_URI | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_NOMUTEX |
                      (access == Access::ReadWrite ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY);
    sqlite3* opened = nullptr;
    const int code = sqlite3_open_v2(uri.c_str(), &opened, flags, nullptr);
    std::unique_ptr<Database> database(new Database(path, DatabaseHandle(opened), busy_timeout));
    if (code != SQLITE_OK)
        return std::unexpected(database->error(code));
    sqlite3_busy_timeout(opened, static_cast<int>(busy_timeout.count()));
    // Workspaces are mailed around: what is in a file must not be able to run anything or bend the schema.
    sqlite3_db_config(opened, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(opened, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    // Innocuous: it reads its arguments alone, so a trigger of the schema may call it.
    const int made = sqlite3_create_function_v2(opened, "row_checksum", -1,
                                                SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS,
                                                nullptr, row_checksum, nullptr, nullptr, nullptr);
    if (made != SQLITE_OK)
        return std::unexpected(database->error(made));
    return database;
}

Result<std::uint64_t> Database::read_raw(std::span<std::byte> into) {
    sqlite3_file* file = nullptr;
    int code =
        sqlite3_file_control(handle_.get(), "main", SQLITE_FCNTL_FILE_POINTER, static_cast<void*>(&file));
    if (code != SQLITE_OK || file == nullptr || file->pMethods == nullptr)
        return std::unexpected(error(SQLITE_CANTOPEN));
    sqlite3_int64 size = 0;
    code = file->pMethods->xFileSize(file, &size);
    if (code == SQLITE_OK && size > 0) {
        code = file->pMethods->xRead(file, into.data(), static_cast<int>(into.size()), 0);
        if (code == SQLITE_IOERR_SHORT_READ)
            code = SQLITE_OK;
    }
    if (code != SQLITE_OK)
        return std::unexpected(error(code));
    return static_cast<std::uint64_t>(size);
}

Result<Statement> Database::prepare(std::string_view sql) {
    if (const auto idle = idle_.find(sql); idle != idle_.end())
        return Statement(*this, idle_.extract(idle));
    sqlite3_stmt* prepared = nullptr;
    const int code = sqlite3_prepare_v3(handle_.get(), sql.data(), static_cast<int>(sql.size()),
                                        SQLITE_PREPARE_PERSISTENT, &prepared, nullptr);
    if (code != SQLITE_OK)
        return std::unexpected(error(code));
    StatementCache fresh;
    fresh.emplace(sql, StatementHandle(prepared));
    return Statement(*this, fresh.extract(fresh.begin()));
}

Result<void> Database::run_script(const std::string& sql) {
    const int code = sqlite3_exec(handle_.get(), sql.c_str(), nullptr, nullptr, nullptr);
    if (code != SQLITE_OK)
        return std::unexpected(error(code));
    return {};
}

bool Database::has_changed_rows() const {
    return sqlite3_changes64(handle_.get()) > 0;
}

std::int64_t Database::last_inserted_id() const {
    return sqlite3_last_insert_rowid(handle_.get());
}

Error Database::error(int code) const {
    return sqlite_error(handle_.get(), code, path_, busy_timeout_);
}

Result<Transaction> Transaction::begin(Database& database) {
    const bool nested = sqlite3_get_autocommit(database.handle()) == 0;
    if (auto begun = database.run(nested ? "SAVEPOINT part" : "BEGIN IMMEDIATE"); !begun)
        return std::unexpected(std::move(begun).error());
    return Transaction(database, nested);
}

Transaction::Transaction(Transaction&& other) noexcept
    : database_(std::exchange(other.database_, nullptr))
    , nested_(other.nested_) {}

Transaction::~Transaction() {
    // After a full disk or an I/O error SQLite may have rolled everything back by itself.
    if (database_ == nullptr || sqlite3_get_autocommit(database_->handle()) != 0)
        return;
    // A failure here leaves nothing to do: the next statement meets the same trouble and reports it.
    const char* undo = nested_ ? "ROLLBACK TO part; RELEASE part" : "ROLLBACK";
    sqlite3_exec(database_->handle(), undo, nullptr, nullptr, nullptr);
}

Result<void> Transaction::commit() {
    auto done = database_->run(nested_ ? "RELEASE part" : "COMMIT");
    if (done)
        database_ = nullptr;
    return done;
}

} // namespace sparsight
