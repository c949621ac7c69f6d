#include "schedule/meaning.h"

#include <utility>

namespace sparsight {

SuperSchedule tried_meaning(SuperSchedule schedule) {
    schedule.threads = 1;
    return canonical(std::move(schedule));
}

} // namespace sparsight
