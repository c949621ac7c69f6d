#include "domains/blocks/learning/block_payload.h"

#include <algorithm>

namespace sparsight {

MachineBounds::MachineBounds(MachineTables tables)
    : tables_(std::move(tables)) {
    for (const MachineTable& table : tables_)
        models_.push_back(std::make_unique<const BoundModel>(
            table.ports, front_end_of(find_microarchitecture(table.machine).value_or(Microarchitecture()))));
}

std::optional<std::size_t> MachineBounds::find(std::string_view machine) const {
    const auto found = std::ranges::find(tables_, machine, &MachineTable::machine);
    if (found == tables_.end())
        return std::nullopt;
    return static_cast<std::size_t>(found - tables_.begin());
}

BlockBounds BlockPayload::bounds(std::size_t place) const {
    const std::scoped_lock lock(computing_);
    if (!bounds_[place])
        bounds_[place] = known_->of(block_, place);
    return *bounds_[place];
}

} // namespace sparsight
