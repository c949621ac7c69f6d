#include "domains/sparse/tensor/generators/generator.h"

#include "domains/sparse/tensor/generators/families.h"
#include "domains/sparse/tensor/generators/row_builder.h"

#include <algorithm>
#include <array>
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

namespace {

constexpr std::string_view owner = "simulated";

Parameter extent_parameter(std::string_view name, std::string_view description, std::string_view unit,
                           double default_value) {
    return {.name = name,
            .description = description,
            .unit = unit,
            .default_value = default_value,
            .minimum = 1,
            .maximum = 1'000'000};
}

Result<void> check_order(const Settings& settings) {
    constexpr std::array<std::array<std::string_view, 2>, 3> pairs{{{"minimum-rows", "maximum-rows"},
                                                                    {"minimum-cols", "maximum-cols"},
                                                                    {"minimum-density", "maximum-density"}}};
    for (const auto& [least, most] : pairs)
        if (settings.real(least) > settings.real(most))
            return fail(Fault::Input, fmt::format("{}: {} is {} but {} is {}", owner, least,
                                                  settings.real(least), most, settings.real(most)));
    const double entries = settings.real("count") * settings.real("maximum-rows") *
                           settings.real("maximum-cols") * settings.real("maximum-density");
    if (auto allowed = refuse_above_limits(settings.real("count"), entries); !allowed)
        return fail(allowed.error().fault, fmt::format("{}: {}", owner, allowed.error().message));
    return {};
}

Result<NamedPattern> simulate_one(const Settings& settings, const Random& collection, std::int64_t index,
                                  const std::stop_token& stop) {
    Random random = collection.fork(static_cast<std::uint64_t>(index));
    const std::int64_t rows =
        random.between(settings.integer("minimum-rows"), settings.integer("maximum-rows"));
    const std::int64_t cols =
        random.between(settings.integer("minimum-cols"), settings.integer("maximum-cols"));
    const double least = settings.real("minimum-density");
    const double density = least + (settings.real("maximum-density") - least) * random.uniform();
    Result<CsrPattern> pattern = generate_matrix(
        "uniform",
        {{"rows", static_cast<double>(rows)}, {"cols", static_cast<double>(cols)}, {"density", density}},
        random(), stop);
    if (!pattern)
        return std::unexpected(pattern.error());
    return NamedPattern{fmt::format("matrix{}", index), std::move(*pattern)};
}

} // namespace

std::span<const Parameter> simulated_matrices_parameters() {
    static const std::vector<Parameter> parameters{
        {.name = "count",
         .description = "how many matrices",
         .unit = "matrices",
         .default_value = 2000,
         .minimum = 0,
         .maximum = 1'000'000},
        extent_parameter("minimum-rows", "fewest rows of a matrix", "rows", 50),
        extent_parameter("maximum-rows", "most rows of a matrix", "rows", 200),
        extent_parameter("minimum-cols", "fewest columns of a matrix", "columns", 50),
        extent_parameter("maximum-cols", "most columns of a matrix", "columns", 200),
        share_parameter("minimum-density", "smallest share of places that hold an entry", 0.01),
        share_parameter("maximum-density", "largest share of places that hold an entry", 0.05),
    };
    return parameters;
}

Result<std::vector<NamedPattern>> simulate_matrices(const ParameterValues& values, std::uint64_t seed,
                                                    const std::stop_token& stop) {
    const Result<Settings> settings = complete_settings(owner, simulated_matrices_parameters(), values);
    if (!settings)
        return std::unexpected(settings.error());
    if (auto ordered = check_order(*settings); !ordered)
        return std::unexpected(ordered.error());
    try {
        std::vector<NamedPattern> matrices;
        const Random collection(seed);
        for (std::int64_t index = 0; index < settings->integer("count"); ++index) {
            Result<NamedPattern> matrix = simulate_one(*settings, collection, index, stop);
            if (!matrix)
                return std::unexpected(matrix.error());
            matrices.push_back(std::move(*matrix));
        }
        return matrices;
    } catch (const std::bad_alloc&) {
        return fail(Fault::Limit, fmt::format("{}: there is not enough memory for these matrices", owner));
    }
}

} // namespace sparsight
