// `import --waco`: a folder of collected data in WACO's form.
#pragma once

#include "command/exit_code.h"
#include "command/job_events.h"
#include "store/waco_folder.h"

namespace sparsight {

class Session;

[[nodiscard]] ExitCode import_waco(Session& session, const WacoImport& request, ProgressForm form);

} // namespace sparsight
