// What the window's parts share; made once by the program (or a test) and handed down. Pages take from it
// what they need and do not know each other.
#pragma once

namespace sparsight {

class JobService;
class MatrixLoader;
class Selection;
class UserSettings;
class WorkspaceSession;

struct Services {
    UserSettings& settings;
    WorkspaceSession& session;
    MatrixLoader& matrices;
    Selection& selection;
    JobService& jobs;
};

} // namespace sparsight
