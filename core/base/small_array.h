// A list that is kept in place: as long as it has to be, up to a bound that the compiler knows.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <initializer_list>

namespace sparsight {

/// At most `Capacity` values. Copying it allocates nothing. What stands behind its end is always T{}, so that
/// lists compare member by member.
template <typename T, std::size_t Capacity>
class SmallArray {
public:
    using value_type = T;

    constexpr SmallArray() = default;
    constexpr SmallArray(std::initializer_list<T> values) {
        for (const T& value : values)
            push_back(value);
    }
    constexpr SmallArray(std::size_t size, const T& value) {
        while (size_ < size)
            push_back(value);
    }

    [[nodiscard]] constexpr std::size_t size() const { return size_; }
    [[nodiscard]] constexpr bool empty() const { return size_ == 0; }
    [[nodiscard]] constexpr auto begin() { return values_.data(); }
    [[nodiscard]] constexpr auto begin() const { return values_.data(); }
    [[nodiscard]] constexpr auto end() { return values_.data() + size_; }
    [[nodiscard]] constexpr auto end() const { return values_.data() + size_; }
    [[nodiscard]] constexpr T& operator[](std::size_t place) { return values_[place]; }
    [[nodiscard]] constexpr const T& operator[](std::size_t place) const { return values_[place]; }
    [[nodiscard]] constexpr const T& back() const { return values_[size_ - 1]; }

    constexpr void push_back(const T& value) {
        assert(size_ < Capacity);
        values_[size_++] = value;
    }
    /// The first values; they are there.
    constexpr void truncate(std::size_t size) {
        std::fill(begin() + size, end(), T{});
        size_ = static_cast<std::uint8_t>(size);
    }
    /// Before `place`; returns where it stands.
    constexpr T* insert(T* place, const T& value) {
        push_back(value);
        std::rotate(place, end() - 1, end());
        return place;
    }
    constexpr void fill(const T& value) { std::fill(begin(), end(), value); }

    auto operator<=>(const SmallArray&) const = default;
    bool operator==(const SmallArray&) const = default;

private:
    std::array<T, Capacity> values_{};
    std::uint8_t size_ = 0;
    static_assert(Capacity <= UINT8_MAX);
};

} // namespace sparsight
