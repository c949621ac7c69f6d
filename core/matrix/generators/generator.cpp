#include "matrix/generators/generator.h"

#include "matrix/generators/families.h"
#include "matrix/generators/stopping.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <new>

namespace sparsight {

namespace {

template <typename Range>
std::string names_of(const Range& named) {
    std::vector<std::string_view> names;
    for (const auto& item : named)
        names.push_back(item.name);
    return fmt::format("{}", fmt::join(names, ", "));
}

Result<void> check_value(std::string_view owner, const Parameter& parameter, double value) {
    if (!parameter.choices.empty()) {
        if (std::ranges::find(parameter.choices, value) == parameter.choices.end())
            return fail(Fault::Input, fmt::format("{}: {} is {}; it must be one of {}", owner, parameter.name,
                                                  value, fmt::join(parameter.choices, ", ")));
        return {};
    }
    // Written so that NaN is refused as well.
    const bool in_range = value >= parameter.minimum && value <= parameter.maximum;
    const bool whole = !parameter.is_integer || value == std::floor(value);
    if (!in_range || !whole)
        return fail(Fault::Input,
                    fmt::format("{}: {} is {}; it must be {} from {} to {}", owner, parameter.name, value,
                                parameter.is_integer ? "a whole number" : "a number", parameter.minimum,
                                parameter.maximum));
    return {};
}

} // namespace

std::span<const Generator> generators() {
    static const std::vector<Generator> all{uniform_generator(),
                                            banded_generator(),
                                            multi_diagonal_generator(),
                                            stencil_2d_generator(),
                                            stencil_3d_generator(),
                                            block_diagonal_generator(),
                                            scattered_blocks_generator(),
                                            power_law_generator(),
                                            kronecker_generator(),
                                            row_skewed_generator(),
                                            arrow_generator(),
                                            hyper_sparse_generator(),
                                            pruned_random_generator(),
                                            pruned_n_m_generator(),
                                            pruned_block_generator(),
                                            attention_window_generator(),
                                            attention_dilated_generator(),
                                            attention_strided_generator(),
                                            attention_longformer_generator(),
                                            attention_bigbird_generator()};
    return all;
}

const Generator* find_generator(std::string_view name) {
    const auto all = generators();
    const auto found = std::ranges::find(all, name, &Generator::name);
    return found == all.end() ? nullptr : &*found;
}

Result<Settings> complete_settings(std::string_view owner, std::span<const Parameter> parameters,
                                   const ParameterValues& values) {
    for (const auto& [name, value] : values) {
        const auto found = std::ranges::find(parameters, name, &Parameter::name);
        if (found == parameters.end())
            return fail(Fault::Input, fmt::format("{} has no parameter '{}'; it takes {}", owner, name,
                                                  names_of(parameters)));
        if (const Result<void> checked = check_value(owner, *found, value); !checked)
            return std::unexpected(checked.error());
    }
    ParameterValues complete = values;
    for (const Parameter& parameter : parameters)
        complete.try_emplace(std::string(parameter.name), parameter.default_value);
    return Settings(std::move(complete));
}

Result<CsrPattern> generate_matrix(std::string_view name, const ParameterValues& values, std::uint64_t seed,
                                   const std::stop_token& stop) {
    const Generator* generator = find_generator(name);
    if (generator == nullptr)
        return fail(Fault::Input,
                    fmt::format("there is no generator '{}'; there are {}", name, names_of(generators())));
    const Result<Settings> settings = complete_settings(generator->name, generator->parameters, values);
    if (!settings)
        return std::unexpected(settings.error());
    try {
        Random random(seed);
        Result<CsrPattern> pattern = generator->build(*settings, random, stop);
        if (!pattern)
            pattern.error().message = fmt::format("{}: {}", generator->name, pattern.error().message);
        return pattern;
    } catch (const GenerationStopped&) {
        return fail(Fault::Cancelled, fmt::format("{}: the making of the matrix was stopped", name));
    } catch (const std::bad_alloc&) {
        return fail(Fault::Limit, fmt::format("{}: there is not enough memory for this matrix", name));
    }
}

Parameter rows_parameter(double default_value) {
    return {.name = "rows",
            .description = "number of rows",
            .unit = "rows",
            .default_value = default_value,
            .minimum = 1,
            .maximum = max_generated_rows};
}

Parameter cols_parameter(double default_value) {
    return {.name = "cols",
            .description = "number of columns",
            .unit = "columns",
            .default_value = default_value,
            .minimum = 1,
            .maximum = max_extent};
}

Parameter size_parameter(double default_value) {
    return {.name = "size",
            .description = "number of rows, and of columns",
            .unit = "rows",
            .default_value = default_value,
            .minimum = 1,
            .maximum = max_generated_rows};
}

Parameter share_parameter(std::string_view name, std::string_view description, double default_value) {
    return {.name = name,
            .description = description,
            .unit = "",
            .default_value = default_value,
            .minimum = 0,
            .maximum = 1,
            .is_integer = false};
}

Parameter switch_parameter(std::string_view name, std::string_view description, bool default_value) {
    return {.name = name,
            .description = description,
            .unit = "",
            .default_value = default_value ? 1.0 : 0.0,
            .minimum = 0,
            .maximum = 1,
            .choices = {0, 1}};
}

Result<void> refuse_above_limits(double rows, double entries) {
    if (rows > static_cast<double>(max_generated_rows))
        return fail(Fault::Limit,
                    fmt::format("it would have {:.0f} rows; the limit is {}", rows, max_generated_rows));
    if (entries > static_cast<double>(max_generated_entries))
        return fail(Fault::Limit, fmt::format("it would have about {:.0f} entries; the limit is {}", entries,
                                              max_generated_entries));
    return {};
}

std::string generated_source(std::string_view name, const ParameterValues& values, std::uint64_t seed) {
    std::string text = fmt::format("generated: {}", name);
    for (const auto& [parameter, value] : values)
        text += fmt::format(" {}={}", parameter, value);
    return text + fmt::format(" seed={}", seed);
}

} // namespace sparsight
