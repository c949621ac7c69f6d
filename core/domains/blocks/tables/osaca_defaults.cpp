#include "domains/blocks/tables/osaca_defaults.h"

#include "domains/blocks/tables/osaca_table.h"

#include <array>
#include <string_view>

namespace sparsight {
namespace {

struct DefaultCost {
    std::string_view form;
    std::string_view pressure;
    double issued;
    double latency;
    double throughput = 0;
};

/// From Intel's optimization manual where no other source is named.
constexpr std::array<DefaultCost, 20> defaults{{
    {"NOP", "", 1, 0},
    {"LEA slow", "1*p1", 1, 3},
    // Tables of Ivy Bridge have a micro-operation more, for rsp in the loop that was measured.
    {"PUSH gpr", "1*p23+1*p4", 1, 0},
    {"PUSH imm", "1*p23+1*p4", 1, 0},
    {"POP gpr", "1*p23+1*p2D|3D", 1, 0},
    // Moves of 8 and 16 bits keep the rest of the register: they are not eliminated.
    {"MOV gpr8, gpr8", "1*p015", 1, 1},
    {"MOV gpr16, gpr16", "1*p015", 1, 1},
    // From here on as uops.info has them for Haswell, whose ports 0, 1 and 5 do the same.
    {"VZEROUPPER", "", 4, 0},
    {"BSWAP gpr32", "1*p1", 1, 1},
    {"MUL gpr32", "1*p0+1*p015+1*p1", 3, 3},
    {"MUL mem32", "1*p0+1*p015+1*p1+1*p23", 3, 3},
    {"IMUL gpr32", "1*p0+1*p015+1*p1", 3, 3},
    // Its least latencies, which small dividends have. The divider takes longer than any port.
    {"DIV gpr32", "", 10, 20, 9},
    {"DIV mem32", "", 10, 20, 9},
    {"DIV gpr64", "", 36, 37, 21},
    {"DIV mem64", "", 36, 37, 21},
    {"IDIV gpr32", "", 9, 20, 8},
    {"IDIV mem32", "", 9, 20, 8},
    {"IDIV gpr64", "", 59, 37, 24},
    {"IDIV mem64", "", 59, 37, 24},
}};

} // namespace

InstructionCosts osaca_defaults() {
    InstructionCosts costs;
    for (const DefaultCost& each : defaults) {
        const OsacaPressure pressure = parse_osaca_pressure(each.pressure).value();
        costs.emplace(each.form, InstructionCost{each.issued, each.issued, pressure.ports, each.latency,
                                                 each.latency, each.throughput});
    }
    return costs;
}

} // namespace sparsight
