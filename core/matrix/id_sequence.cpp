#include "matrix/id_sequence.h"

#include <algorithm>
#include <utility>

namespace sparsight {

IdSequence::IdSequence(std::vector<std::int32_t>&& ids)
    : ids_(std::move(ids))
    , size_(ids_.size()) {}

IdSequence IdSequence::packed(std::span<const std::int32_t> ids) {
    std::size_t runs = ids.empty() ? 0 : 1;
    for (std::size_t i = 1; i < ids.size(); ++i)
        runs += ids[i] != ids[i - 1] ? 1 : 0;
    if (runs * 4 > ids.size())
        return IdSequence(std::vector<std::int32_t>(ids.begin(), ids.end()));
    IdSequence sequence;
    sequence.size_ = ids.size();
    sequence.ids_.reserve(runs);
    sequence.lengths_.reserve(runs);
    for (const std::int32_t id : ids) {
        if (sequence.ids_.empty() || sequence.ids_.back() != id) {
            sequence.ids_.push_back(id);
            sequence.lengths_.push_back(0);
        }
        ++sequence.lengths_.back();
    }
    return sequence;
}

bool IdSequence::is_ascending() const {
    return std::ranges::is_sorted(ids_);
}

std::vector<std::int32_t> IdSequence::take() {
    if (lengths_.empty()) {
        size_ = 0;
        return std::exchange(ids_, {});
    }
    std::vector<std::int32_t> all(size_);
    Reader reader(*this);
    std::ranges::generate(all, [&] { return reader.next(); });
    *this = {};
    return all;
}

} // namespace sparsight
