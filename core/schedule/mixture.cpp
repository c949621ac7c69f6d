#include "schedule/mixture.h"

#include "schedule/validity.h"

namespace sparsight {

std::optional<SuperSchedule> mixture(const SuperSchedule& one, const SuperSchedule& other, Random& random) {
    SuperSchedule child = one;
    const auto take_from_other = [&] { return random.chance(0.5); };
    if (take_from_other())
        child.order = other.order;
    for (std::size_t index = 0; index < index_count; ++index)
        if (take_from_other())
            child.splits[index] = other.splits[index];
    for (std::size_t level = 0; level < child.formats.size(); ++level)
        if (take_from_other())
            child.formats[level] = other.formats[level];
    if (take_from_other())
        child.parallel = other.parallel;
    if (take_from_other())
        child.chunk = other.chunk;
    child = canonical(child);
    return check(child) ? std::optional(child) : std::nullopt;
}

} // namespace sparsight
