#include "model/neighbourhood_classes.h"

#include <unordered_map>

namespace sparsight {

std::shared_ptr<const NeighbourhoodClasses> neighbourhood_classes(const NeighbourTable& table,
                                                                  std::int64_t limit) {
    if (table.masks.empty())
        return nullptr;
    auto classes = std::make_shared<NeighbourhoodClasses>();
    classes->table.kernel_size = table.kernel_size;
    classes->of_centre.resize(table.masks.size());
    std::unordered_map<std::uint32_t, std::int32_t> index;
    std::int32_t current = -1;
    for (std::size_t centre = 0; centre < table.masks.size(); ++centre) {
        const std::uint32_t mask = table.masks[centre];
        if (current < 0 || classes->table.masks[static_cast<std::size_t>(current)] != mask) {
            const auto [found, is_new] = index.try_emplace(mask, static_cast<std::int32_t>(classes->count()));
            if (is_new) {
                if (classes->count() == limit)
                    return nullptr;
                classes->table.masks.push_back(mask);
                classes->sizes.push_back(0);
            }
            current = found->second;
        }
        ++classes->sizes[static_cast<std::size_t>(current)];
        classes->of_centre[centre] = current;
    }
    return classes;
}

} // namespace sparsight
