#include "model/neighbourhood_classes.h"

#include <unordered_map>

namespace sparsight {

namespace {

/// The class of a mask, looked up first where a mask with the same hash was found last.
class ClassIndex {
public:
    explicit ClassIndex(NeighbourhoodClasses& classes)
        : classes_(classes) {}

    std::int32_t of(std::uint32_t mask) {
        std::int32_t& recent = recent_[(mask * 0x9E37'79B1U) >> 24U];
        if (recent < 0 || classes_.table.masks[static_cast<std::size_t>(recent)] != mask)
            recent = found(mask);
        return recent;
    }

private:
    std::int32_t found(std::uint32_t mask) {
        const auto [at, is_new] = index_.try_emplace(mask, static_cast<std::int32_t>(classes_.count()));
        if (is_new) {
            classes_.table.masks.push_back(mask);
            classes_.sizes.push_back(0);
        }
        return at->second;
    }

    NeighbourhoodClasses& classes_;
    std::unordered_map<std::uint32_t, std::int32_t> index_;
    std::vector<std::int32_t> recent_ = std::vector<std::int32_t>(256, -1);
};

} // namespace

std::shared_ptr<const NeighbourhoodClasses> neighbourhood_classes(const NeighbourTable& table,
                                                                  std::int64_t limit) {
    if (table.masks.empty())
        return nullptr;
    auto classes = std::make_shared<NeighbourhoodClasses>();
    classes->table.kernel_size = table.kernel_size;
    classes->of_centre.resize(table.masks.size());
    ClassIndex index(*classes);
    for (std::size_t centre = 0; centre < table.masks.size(); ++centre) {
        const std::int32_t own = index.of(table.masks[centre]);
        if (classes->count() > limit)
            return nullptr;
        ++classes->sizes[static_cast<std::size_t>(own)];
        classes->of_centre[centre] = own;
    }
    return classes;
}

} // namespace sparsight
