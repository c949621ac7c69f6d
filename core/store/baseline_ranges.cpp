#include "store/baseline_ranges.h"

#include <algorithm>
#include <charconv>
#include <cstddef>

namespace sparsight {

namespace {

std::optional<int> number_at(std::string_view text, std::size_t place, std::size_t digits) {
    if (text.size() < place + digits)
        return std::nullopt;
    int number = 0;
    const char* const begin = text.data() + place;
    const auto [end, error] = std::from_chars(begin, begin + digits, number);
    return error == std::errc() && end == begin + digits ? std::optional(number) : std::nullopt;
}

/// Of "2026-11-20T13:05:00.000Z", without the fraction.
std::optional<std::chrono::sys_seconds> second_of(std::string_view text) {
    const auto year = number_at(text, 0, 4);
    const auto month = number_at(text, 5, 2);
    const auto day = number_at(text, 8, 2);
    const auto hour = number_at(text, 11, 2);
    const auto minute = number_at(text, 14, 2);
    const auto second = number_at(text, 17, 2);
    if (!year || !month || !day || !hour || !minute || !second)
        return std::nullopt;
    const std::chrono::year_month_day date(std::chrono::year(*year),
                                           std::chrono::month(static_cast<unsigned>(*month)),
                                           std::chrono::day(static_cast<unsigned>(*day)));
    if (!date.ok())
        return std::nullopt;
    return std::chrono::sys_days(date) + std::chrono::hours(*hour) + std::chrono::minutes(*minute) +
           std::chrono::seconds(*second);
}

} // namespace

void BaselineRanges::add(std::string_view measured, double milliseconds) {
    if (const auto second = second_of(measured))
        collections_.push_back({*second, *second, {milliseconds, milliseconds}});
}

void BaselineRanges::sort() {
    std::ranges::stable_sort(collections_, {}, &Collection::first);
    std::vector<Collection> joined;
    for (const Collection& next : collections_) {
        if (joined.empty() || next.first - joined.back().last > pause) {
            joined.push_back(next);
            continue;
        }
        Collection& same = joined.back();
        same.last = next.last;
        same.range = {std::min(same.range.shortest_ms, next.range.shortest_ms),
                      std::max(same.range.longest_ms, next.range.longest_ms)};
    }
    collections_ = std::move(joined);
}

std::optional<BaselineRange> BaselineRanges::around(std::string_view measured) const {
    const auto second = second_of(measured);
    if (!second)
        return std::nullopt;
    const auto found = std::ranges::find_if(collections_, [&](const Collection& collection) {
        return collection.first <= *second && *second <= collection.last;
    });
    return found == collections_.end() ? std::nullopt : std::optional(found->range);
}

} // namespace sparsight
