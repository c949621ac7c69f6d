#include "domains/blocks/simulator/simulator_table.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace sparsight {
namespace {

constexpr std::array<std::string_view, processor_parameters> processor_names{"dispatch_width",
                                                                             "reorder_buffer"};
constexpr std::array<std::string_view, FirstPort> class_names{"micro_ops", "latency", "read_advance_1",
                                                              "read_advance_2", "read_advance_3"};

constexpr ParameterBounds dispatch_bounds{1, 16};
constexpr ParameterBounds buffer_bounds{2, 1024}; // with 1, LLVM takes the processor to be in order
constexpr int most_micro_ops = 1000;
constexpr ParameterBounds latency_bounds{0, 1000};
constexpr ParameterBounds advance_bounds{-100, 100};
constexpr ParameterBounds port_bounds{0, 1000};

} // namespace

std::string parameter_name(const SimulatorTable& table, const ParameterPlace& place) {
    if (place.scheduling_class == ParameterPlace::of_processor)
        return std::string(processor_names.at(place.value));
    const std::string& resource =
        place.value < FirstPort ? std::string() : table.resources.at(place.value - FirstPort);
    return fmt::format("{}.{}", table.classes.at(place.scheduling_class).name,
                       place.value < FirstPort ? class_names.at(place.value) : std::string_view(resource));
}

std::optional<ParameterPlace> find_parameter(const SimulatorTable& table, std::string_view name) {
    if (const auto found = std::ranges::find(processor_names, name); found != processor_names.end())
        return ParameterPlace{ParameterPlace::of_processor,
                              static_cast<std::size_t>(found - processor_names.begin())};
    const std::size_t dot = name.rfind('.');
    if (dot == std::string_view::npos)
        return std::nullopt;
    const auto known = std::ranges::find(table.classes, name.substr(0, dot), &SchedulingClass::name);
    if (known == table.classes.end())
        return std::nullopt;
    const auto of_class = static_cast<std::size_t>(known - table.classes.begin());
    const std::string_view value = name.substr(dot + 1);
    if (const auto found = std::ranges::find(class_names, value); found != class_names.end())
        return ParameterPlace{of_class, static_cast<std::size_t>(found - class_names.begin())};
    if (const auto found = std::ranges::find(table.resources, value); found != table.resources.end())
        return ParameterPlace{of_class,
                              FirstPort + static_cast<std::size_t>(found - table.resources.begin())};
    return std::nullopt;
}

ParameterBounds parameter_bounds(const SimulatorTable& original, const ParameterPlace& place) {
    if (place.scheduling_class == ParameterPlace::of_processor)
        return place.value == std::to_underlying(ProcessorParameter::DispatchWidth) ? dispatch_bounds
                                                                                    : buffer_bounds;
    if (place.value == MicroOps)
        return {std::min(1, value_of(original, place)), most_micro_ops};
    if (place.value == Latency)
        return latency_bounds;
    return place.value < FirstPort ? advance_bounds : port_bounds;
}

int value_of(const SimulatorTable& table, const ParameterPlace& place) {
    return place.scheduling_class == ParameterPlace::of_processor
               ? table.processor.at(place.value)
               : table.classes.at(place.scheduling_class).values.at(place.value);
}

void set_value(SimulatorTable& table, const ParameterPlace& place, int value) {
    if (place.scheduling_class == ParameterPlace::of_processor)
        table.processor.at(place.value) = value;
    else
        table.classes.at(place.scheduling_class).values.at(place.value) = value;
}

std::vector<ParameterPlace> parameter_places(const SimulatorTable& table,
                                             std::span<const std::size_t> classes) {
    std::vector<ParameterPlace> places;
    for (std::size_t value = 0; value < processor_parameters; ++value)
        places.push_back({ParameterPlace::of_processor, value});
    for (const std::size_t each : classes)
        for (std::size_t value = 0; value < table.values_a_class(); ++value)
            places.push_back({each, value});
    return places;
}

void repair(const SimulatorTable& original, std::size_t scheduling_class, std::span<int> values) {
    const std::vector<int>& before = original.classes[scheduling_class].values;
    for (std::size_t one = 0; one < original.units.size(); ++one)
        for (std::size_t other = 0; other < one; ++other) {
            const std::uint64_t shared = original.units[one] & original.units[other];
            const bool overlap_in_part =
                shared != 0 && shared != original.units[one] && shared != original.units[other];
            if (!overlap_in_part || values[FirstPort + one] <= 0 || values[FirstPort + other] <= 0)
                continue;
            if (before[FirstPort + one] == 0)
                values[FirstPort + one] = 0;
            else if (before[FirstPort + other] == 0)
                values[FirstPort + other] = 0;
        }
    if (std::ranges::any_of(values.subspan(FirstPort), [](int cycles) { return cycles > 0; }))
        values[MicroOps] = std::max(values[MicroOps], 1);
}

} // namespace sparsight
