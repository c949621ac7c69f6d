#include "cli/commands.h"

int main(int argc, char** argv) {
    return sparsight::run_command_line(argc, argv);
}
