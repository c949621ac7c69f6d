// `import --waco`: a folder of collected data in WACO's form.
#pragma once

#include "command/job.h"
#include "command/program.h"
#include "store/sparse/waco_folder.h"

namespace sparsight {

class Session;

[[nodiscard]] ExitCode import_waco(Session& session, const WacoImport& request, ProgressForm form);

} // namespace sparsight
