// What a command tells the shell. `sparsight-cli --help` lists these numbers; scripts rely on them.
#pragma once

namespace sparsight {

enum class ExitCode : int {
    Done = 0,
    SomeFailed = 1,    ///< something that was given could not be used; each such thing is listed
    Usage = 2,         ///< the command line itself is wrong
    Workspace = 3,     ///< the workspace can't be opened, read or written
    Interrupted = 130, ///< stopped by a signal; what was finished is kept
};

} // namespace sparsight
