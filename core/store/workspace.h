// A workspace: one SQLite file NAME.sparsight that holds a whole experiment. This is the open file; what is
// in it is read and written by the functions of the other headers of this folder.
//
// Every write is a transaction that is safe once the function has returned: killing the process (SIGKILL too)
// loses nothing that was reported as written. Any number of processes read while one writes; writers wait for
// one another. A Workspace is used by one thread at a time; another thread opens its own.
#pragma once

#include "base/error.h"

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace sparsight {

class Database;

enum class WorkspaceAccess { Read, ReadWrite };

struct WorkspaceOptions {
    WorkspaceAccess access = WorkspaceAccess::ReadWrite;
    std::chrono::milliseconds busy_timeout{10'000}; ///< how long to wait for another process's write
};

class Workspace {
public:
    /// A new file; it is an error when there is one already. `created_by` names the program and its version.
    [[nodiscard]] static Result<Workspace> create(const std::filesystem::path& path,
                                                  std::string_view created_by);
    /// An existing file; one of an earlier version is brought up to date (with write access). To be read
    /// alone, it stays as it is if the version is at least oldest_readable_version. Each of these is its own
    /// error: no such file, a folder, not a workspace, another program's SQLite file, a newer
    /// version, read-only, locked, damaged, disk full.
    [[nodiscard]] static Result<Workspace> open(const std::filesystem::path& path,
                                                const WorkspaceOptions& options = {});

    Workspace(Workspace&&) noexcept;
    Workspace& operator=(Workspace&&) noexcept;
    ~Workspace();

    [[nodiscard]] const std::filesystem::path& path() const;
    /// For the functions of this folder.
    [[nodiscard]] Database& database() { return *database_; }

private:
    explicit Workspace(std::unique_ptr<Database> database);
    std::unique_ptr<Database> database_;
};

/// Everything that `action` writes happens together, or, when it returns an error, not at all. For many
/// writes at once this is also the fast way.
[[nodiscard]] Result<void> in_one_transaction(Workspace& workspace,
                                              const std::function<Result<void>()>& action);

/// Small named texts ("created_by", the last chosen operator …).
[[nodiscard]] Result<void> set_setting(Workspace& workspace, std::string_view name, std::string_view value);
[[nodiscard]] Result<std::optional<std::string>> setting(Workspace& workspace, std::string_view name);

struct WorkspaceLocation {
    std::string path;
    bool is_named = false; ///< by the user; otherwise it is where workspaces usually are
    std::string program;   ///< what the user called it by, for the advice on how to make one

    /// Whether there is a file where the workspace would be.
    [[nodiscard]] bool has_file() const;
    /// Whether there should be one: a missing one is an error only where the user named it.
    [[nodiscard]] bool is_expected() const { return is_named || has_file(); }
    [[nodiscard]] Result<Workspace> open(WorkspaceAccess access) const;
};

} // namespace sparsight
