#include "command/session.h"

#include "base/terminal_text.h"

#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>

namespace sparsight {

namespace {

/// File names need not be UTF-8, JSON has to be.
std::string dump(const Json& json, int indent) {
    return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

/// Not fmt::print, which throws when nobody reads any more or the disk is full: no reason to stop working.
void write_to_stderr(const std::string& text) {
    (void)std::fwrite(text.data(), 1, text.size(), stderr);
}

std::string workspace_in_environment() {
    const char* const value = std::getenv(workspace_variable);
    return value == nullptr ? std::string() : value;
}

} // namespace

std::string Session::program_version() const {
    return fmt::format("{} {}", program_, SPARSIGHT_VERSION);
}

std::string Session::workspace_path() const {
    if (!options.workspace.empty())
        return options.workspace;
    const std::string from_environment = workspace_in_environment();
    return from_environment.empty() ? std::string(default_workspace) : from_environment;
}

bool Session::names_workspace() const {
    return !options.workspace.empty() || !workspace_in_environment().empty();
}

WorkspaceLocation Session::workspace_location() const {
    return {.path = workspace_path(), .is_named = names_workspace(), .program = program_};
}

bool Session::has_workspace() const {
    return workspace_location().has_file();
}

Result<Workspace> Session::open_workspace(WorkspaceAccess access) const {
    return workspace_location().open(access);
}

Result<Workspace> Session::open_or_make_workspace() const {
    if (names_workspace() || has_workspace())
        return open_workspace(WorkspaceAccess::ReadWrite);
    Result<Workspace> workspace = Workspace::create(workspace_path(), program_version());
    if (workspace)
        remark(fmt::format("made the workspace {}", workspace_path()));
    return workspace;
}

void Session::print(std::string_view text) const {
    (void)std::fwrite(text.data(), 1, text.size(), stdout);
}

void Session::print_json(const Json& json) const {
    print(dump(json, 2) + "\n");
}

void Session::answer(const Json& json, std::string_view text) const {
    if (options.json)
        print_json(json);
    else
        print(text);
}

void Session::print_json_line(const Json& json) const {
    print(dump(json, -1) + "\n");
    (void)std::fflush(stdout);
}

void Session::remark(std::string_view text) const {
    if (!options.quiet)
        warn(text);
}

void Session::warn(std::string_view text) const {
    write_to_stderr(fmt::format("{}: {}\n", program_, displayed(text)));
}

void Session::complain(const Error& error) const {
    write_to_stderr(fmt::format("{}: error: {}\n", program_, displayed(error.text())));
}

ExitCode Session::refuse(const Error& error, ExitCode otherwise) const {
    complain(error);
    if (options.json)
        print_json({{"error",
                     {{"file", failure_json(error)["file"]},
                      {"line", failure_json(error)["line"]},
                      {"message", error.message}}}});
    if (error.fault == Fault::Cancelled)
        return ExitCode::Interrupted;
    return error.file == workspace_path() ? ExitCode::Workspace : otherwise;
}

bool Session::flush_output() const {
    return std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
}

} // namespace sparsight
