#include "learning/meta_source.h"

namespace sparsight {

std::string_view name(MetaSource source) {
    constexpr std::array<std::string_view, all_meta_sources.size()> names{"scratch", "paper", "family",
                                                                          "real", "family+real"};
    return names[static_cast<std::size_t>(source)];
}

std::optional<MetaSource> parse_meta_source(std::string_view text) {
    for (const MetaSource source : all_meta_sources)
        if (text == name(source))
            return source;
    return std::nullopt;
}

std::optional<std::size_t> schedule_donor(const TaskSet& real, std::size_t target) {
    std::optional<std::size_t> donor;
    for (std::size_t task = 0; task < real.tasks.size(); ++task)
        if (task != target &&
            (!donor || real.tasks[task].runtimes.size() > real.tasks[*donor].runtimes.size()))
            donor = task;
    return donor;
}

TaskSet tasks_of(MetaSource source, const TaskSet& real, std::size_t target, std::span<const Task> paper,
                 std::span<const Task> family) {
    TaskSet set{real.op, real.dense, real.matrices, {}};
    if (source == MetaSource::Paper)
        set.tasks.assign(paper.begin(), paper.end());
    if (source == MetaSource::Family || source == MetaSource::FamilyAndReal)
        set.tasks.assign(family.begin(), family.end());
    if (source == MetaSource::Real || source == MetaSource::FamilyAndReal)
        for (std::size_t task = 0; task < real.tasks.size(); ++task)
            if (task != target)
                set.tasks.push_back(real.tasks[task]);
    return set;
}

} // namespace sparsight
