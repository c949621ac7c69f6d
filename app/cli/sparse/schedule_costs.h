// What each line of a schedule's code costs, as `schedules show --costs` has it.
#pragma once

#include "command/session.h"
#include "domains/sparse/workflow/explanation/code_costs.h"
#include "domains/sparse/workflow/import/named_schedules.h"

#include <optional>
#include <string>

namespace CLI {
class App;
} // namespace CLI

namespace sparsight {

struct CostsForm {
    bool costs = false;
    bool count = false;
    std::string machine; ///< empty: this computer
    std::string cpu;     ///< LLVM's name; empty: this computer's, where that is the machine
    int threads = 0;
};

void add_costs_options(CLI::App& command, CostsForm& form);

struct CountedCosts {
    CodeCosts costs;
    std::optional<HardwareCounts> counted;
    std::string no_counters; ///< why there is no `counted`; empty where nothing was to be counted
};

[[nodiscard]] Result<CountedCosts> costs_of(Session& session, const CostsForm& form,
                                            const NamedSchedule& given);
[[nodiscard]] std::string costs_text(const CountedCosts& costs);
void add_costs_json(Json& json, const CountedCosts& costs, bool are_counted);

} // namespace sparsight
