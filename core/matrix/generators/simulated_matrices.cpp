#include "matrix/generators/simulated_matrices.h"

#include "matrix/generators/families.h"

#include <array>
#include <fmt/format.h>
#include <new>

namespace sparsight {

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
