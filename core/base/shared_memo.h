// Values that were computed are kept by their keys, for threads that share them.
#pragma once

#include <mutex>
#include <shared_mutex>
#include <utility>

namespace sparsight {

/// `Map` is from keys to values. Those who ask for what is known do not wait for each other: they ask for
/// hundreds of thousands of keys, nearly all of which are known.
template <typename Map>
class SharedMemo {
public:
    /// The value of a key: known, or compute(). That is called outside the lock, so that others need not wait
    /// for it; two threads may compute the same, and the value of the first is kept.
    template <typename Compute>
    [[nodiscard]] Map::mapped_type operator()(const Map::key_type& key, Compute compute) const {
        {
            const std::shared_lock lock(mutex_);
            if (const auto known = known_.find(key); known != known_.end())
                return known->second;
        }
        typename Map::mapped_type value = compute();
        const std::scoped_lock lock(mutex_);
        return known_.emplace(key, std::move(value)).first->second;
    }

private:
    mutable std::shared_mutex mutex_;
    mutable Map known_;
};

} // namespace sparsight
