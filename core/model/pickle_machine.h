// The stack machine that a pickle is a program for (pickle.h): its bytes, its stack, and what may be built on
// it. Which instruction does what is in pickle.cpp.
#pragma once

#include "model/pickle.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fmt/format.h>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sparsight {

/// Thrown by the machine and caught by read_pickle(): every one of some sixty places can fail.
struct PickleDefect {
    std::string text;
};

[[noreturn]] inline void refuse_pickle(std::string text) {
    throw PickleDefect{std::move(text)};
}

/// The bytes of a pickle from the first to the last. Throws PickleDefect where it breaks off.
class PickleBytes {
public:
    explicit PickleBytes(std::string_view bytes)
        : bytes_(bytes) {}

    [[nodiscard]] std::size_t at() const { return at_; }
    std::string_view take(std::uint64_t count);
    /// Up to the next line end, which is taken, too.
    std::string_view line();

    template <typename Number>
    Number number() {
        static_assert(std::endian::native == std::endian::little);
        Number value;
        std::memcpy(&value, take(sizeof(Number)).data(), sizeof(Number));
        return value;
    }

private:
    std::string_view bytes_;
    std::size_t at_ = 0;
};

/// Throws PickleDefect at whatever is no tensor and no plain container.
class PickleStack {
public:
    void push(PickleValue value);
    PickleId pop();
    PickleId top();
    void mark() { marks_.push_back(stack_.size()); }
    std::vector<PickleId> pop_to_mark();
    void push_tuple(std::size_t count);

    /// What is on top is kept in a slot; the next free one.
    void keep(std::uint32_t slot) { memo_[slot] = top(); }
    void keep() { keep(static_cast<std::uint32_t>(memo_.size())); }
    void recall(std::uint32_t slot);

    template <typename T>
    T& as(PickleId id, std::string_view what) {
        if (T* value = std::get_if<T>(&result_.values[id]))
            return *value;
        refuse_pickle(fmt::format("has something else where {} was expected", what));
    }

    void insert(PickleId dict, std::span<const PickleId> items);
    void append(PickleId list, std::span<const PickleId> items);
    /// The function or type of this name; one that builds no data is refused.
    void push_global(std::string_view module, std::string_view name);
    /// ("storage", type, key, device, elements)
    void push_storage();
    /// The function below the tuple of its arguments.
    void call();

    /// With what is on top as the root.
    [[nodiscard]] Pickle take();

private:
    std::vector<std::int64_t> integers(PickleId id);
    void push_ordered_dict(std::span<const PickleId> arguments);

    Pickle result_;
    std::vector<PickleId> stack_;
    std::vector<std::size_t> marks_;
    std::unordered_map<std::uint32_t, PickleId> memo_;
};

} // namespace sparsight
