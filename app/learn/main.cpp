#include "base/library_settings.h"
#include "command/learn_program.h"
#include "learn/commands.h"

#include <unistd.h>

int main(int argc, char** argv) {
    // The libraries read their settings when they are loaded, which is before main(): begin again with them.
    if (sparsight::improve_library_settings())
        ::execv("/proc/self/exe", argv); // where that fails, it is only slower
    return sparsight::run_learner(argc, argv);
}
