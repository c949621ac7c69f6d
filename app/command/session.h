// What all commands share: the options that every one of them takes, the workspace, and the two ways of
// answering, text for people and JSON for scripts. Results go to stdout, everything else to stderr, so that
// nothing mixes into JSON.
#pragma once

#include "base/error.h"
#include "base/observer.h"
#include "command/program.h"
#include "store/workspace.h"
#include "study/domain.h"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>

namespace sparsight {

inline constexpr const char* workspace_variable = "SPARSIGHT_WORKSPACE";
inline constexpr std::string_view default_workspace = "workspace.sparsight";
struct GlobalOptions {
    std::string workspace; ///< as the option says; empty where it is not given
    bool json = false;
    bool quiet = false;
    std::uint64_t seed = 1;
};

class Session {
public:
    /// `program` is what the user called it by.
    explicit Session(std::string program, DomainRegistry known = {})
        : domains(std::move(known))
        , program_(std::move(program)) {}

    GlobalOptions options;
    DomainRegistry domains; ///< those that the program has

    [[nodiscard]] const std::string& program() const { return program_; }
    /// "sparsight-cli 0.1.0".
    [[nodiscard]] std::string program_version() const;

    [[nodiscard]] ExitCode exit_code() const { return exit_code_; }
    void set_exit_code(ExitCode code) { exit_code_ = code; }

    /// By the option, else by the environment, else default_workspace in the current folder.
    [[nodiscard]] std::string workspace_path() const;
    /// Whether the user names one, by the option or the environment.
    [[nodiscard]] bool names_workspace() const;
    /// For work that opens it when it is needed.
    [[nodiscard]] WorkspaceLocation workspace_location() const;
    /// Whether there is a file where the workspace would be.
    [[nodiscard]] bool has_workspace() const;
    [[nodiscard]] Result<Workspace> open_workspace(WorkspaceAccess access) const;
    /// Makes the default one where it is missing, and says so; one that the user named must be there.
    [[nodiscard]] Result<Workspace> open_or_make_workspace() const;

    void print(std::string_view text) const;
    void print_json(const Json& json) const;
    /// The JSON where --json asks for it, else the text.
    void answer(const Json& json, std::string_view text) const;
    /// One value without line breaks, written out at once: an event.
    void print_json_line(const Json& json) const;

    /// For the user, on stderr; not with --quiet.
    void remark(std::string_view text) const;
    /// For the user, with --quiet too: why the command does not go on at once.
    void warn(std::string_view text) const;
    /// One thing that could not be used; the command goes on.
    void complain(const Error& error) const;
    /// The command ends here: complains, and with --json prints {"error": …}. Workspace for an error of the
    /// workspace's file, whatever `otherwise` says.
    [[nodiscard]] ExitCode refuse(const Error& error, ExitCode otherwise = ExitCode::SomeFailed) const;

    /// SIGPIPE aside, a full disk is the only way for stdout to fail; the results are lost then.
    [[nodiscard]] bool flush_output() const;

private:
    std::string program_;
    ExitCode exit_code_ = ExitCode::Done;
};

} // namespace sparsight
