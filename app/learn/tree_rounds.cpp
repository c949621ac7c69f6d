#include "learn/tree_rounds.h"

#include "learn/training_events.h"

#include <fmt/format.h>

namespace sparsight {

void tell_rounds(const TrainingData& data, const std::vector<TreesRound>& rounds, double seconds,
                 TrainingJournal& journal, const JobEvents& events) {
    for (const TreesRound& each : rounds) {
        const std::int64_t round = each.rounds;
        const bool is_last = &each == &rounds.back();
        // All rounds are as long as one another: each adds one tree over the same rows.
        const double by_then =
            seconds * static_cast<double>(round) / static_cast<double>(rounds.back().rounds);
        journal.add("epoch/training_loss", round, each.training_loss);
        journal.add("epoch/seconds", round, by_then);
        journal.add("epoch/step", round, static_cast<double>(round));
        Json validation = Json::object();
        if (!each.tasks.empty()) {
            validation = validation_json(data.set, each.tasks, each.overall);
            for (const auto& [name, value] : each.overall.by_name())
                journal.add("validation/" + name, round, value);
            for (std::size_t task = 0; task < each.tasks.size(); ++task)
                for (const auto& [name, value] : each.tasks[task].by_name())
                    journal.add(fmt::format("validation/{}/{}", data.set.tasks[task].machine, name), round,
                                value);
        }
        events.tell("epoch", {{"epoch", round},
                              {"step", round},
                              {"training_loss", each.training_loss},
                              {"seconds", by_then},
                              {"memory_bytes", occupied_memory()},
                              {"validation", validation},
                              {"is_best", is_last}});
    }
}

} // namespace sparsight
