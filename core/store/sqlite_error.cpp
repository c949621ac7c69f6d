#include "store/sqlite_error.h"

#include "base/quantity.h"

#include <cerrno>
#include <fmt/format.h>
#include <sqlite3.h>
#include <system_error>

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

} // namespace sparsight
