#include "learning/transfer/machine_likeness.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>

namespace sparsight {
namespace {

constexpr double another_maker = 2;
constexpr double another_generation = 0.5;

std::optional<std::string_view> text_of(const MachineSheet& sheet, std::string_view name) {
    const auto found = sheet.texts.find(name);
    if (found == sheet.texts.end() || found->second.empty())
        return std::nullopt;
    return found->second;
}

std::string_view first_word(std::string_view text) {
    return text.substr(0, text.find(' '));
}

} // namespace

double SheetScale::Column::apply(double number) const {
    if (is_logarithmic && number <= 0)
        return 0; // no sheet of the scale says such a number: as the mean
    return ((is_logarithmic ? std::log(number) : number) - mean) / deviation;
}

SheetScale SheetScale::over(std::span<const MachineSheet> sheets) {
    std::map<std::string, std::vector<double>, std::less<>> known;
    for (const MachineSheet& sheet : sheets)
        for (const auto& [name, number] : sheet.numbers)
            known[name].push_back(number);
    SheetScale scale;
    for (auto& [name, numbers] : known) {
        if (numbers.size() < 2)
            continue;
        Column column;
        column.is_logarithmic = std::ranges::all_of(numbers, [](double number) { return number > 0; });
        if (column.is_logarithmic)
            std::ranges::transform(numbers, numbers.begin(), [](double number) { return std::log(number); });
        const auto count = static_cast<double>(numbers.size());
        for (const double number : numbers)
            column.mean += number / count;
        double squares = 0;
        for (const double number : numbers)
            squares += (number - column.mean) * (number - column.mean);
        if (squares > 0)
            column.deviation = std::sqrt(squares / (count - 1));
        scale.columns_.emplace(name, column);
    }
    return scale;
}

double SheetScale::distance(const MachineSheet& one, const MachineSheet& other) const {
    double squares = 0;
    std::size_t shared = 0;
    for (const auto& [name, column] : columns_) {
        const auto first = one.numbers.find(name);
        const auto second = other.numbers.find(name);
        if (first == one.numbers.end() || second == other.numbers.end())
            continue;
        const double difference = column.apply(first->second) - column.apply(second->second);
        squares += difference * difference;
        ++shared;
    }
    double distance = shared == 0 ? another_maker : squares / static_cast<double>(shared);
    const auto maker = text_of(one, "vendor");
    const auto other_maker = text_of(other, "vendor");
    if (maker && other_maker && *maker != *other_maker)
        distance += another_maker;
    const auto generation = text_of(one, "arch");
    const auto other_generation = text_of(other, "arch");
    if (generation && other_generation && first_word(*generation) != first_word(*other_generation))
        distance += another_generation;
    return distance;
}

std::vector<float> SheetScale::masked_numbers(const MachineSheet& sheet) const {
    std::vector<float> numbers;
    numbers.reserve(width());
    for (const auto& [name, column] : columns_) {
        const auto found = sheet.numbers.find(name);
        const bool is_known = found != sheet.numbers.end();
        numbers.push_back(is_known ? static_cast<float>(column.apply(found->second)) : 0.0F);
        numbers.push_back(is_known ? 1.0F : 0.0F);
    }
    return numbers;
}

} // namespace sparsight
