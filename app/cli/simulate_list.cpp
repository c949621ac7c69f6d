#include "cli/simulate_list.h"

#include "command/table.h"
#include "matrix/generators/simulated_matrices.h"

#include <fmt/format.h>

namespace sparsight {

namespace {

std::string range(const Parameter& parameter) {
    if (!parameter.choices.empty())
        return fmt::format("{}", fmt::join(parameter.choices, ", "));
    return fmt::format("{} to {}{}", parameter.minimum, parameter.maximum,
                       parameter.is_integer ? ", whole" : "");
}

Json number(const Parameter& parameter, double value) {
    return parameter.is_integer ? Json(static_cast<std::int64_t>(value)) : Json(value);
}

Json to_json(const Parameter& parameter) {
    Json json{{"name", parameter.name},
              {"description", parameter.description},
              {"unit", parameter.unit},
              {"default", number(parameter, parameter.default_value)},
              {"minimum", number(parameter, parameter.minimum)},
              {"maximum", number(parameter, parameter.maximum)},
              {"integer", parameter.is_integer},
              {"choices", Json::array()}};
    for (const double choice : parameter.choices)
        json["choices"].push_back(number(parameter, choice));
    return json;
}

} // namespace

std::vector<FamilyDescription> describe_families() {
    std::vector<FamilyDescription> families;
    for (const Generator& generator : generators())
        families.push_back(
            {generator.name, generator.title, generator.description, generator.source, generator.parameters});
    families.push_back(
        {simulated_matrices_name, "Simulated matrices of the report",
         "A whole collection: uniformly random matrices of random sizes and densities. --count sets how "
         "many.",
         "simulate_matrices.py in github.com/cecnyb/WACO_with_ML", simulated_matrices_parameters()});
    return families;
}

Json to_json(const FamilyDescription& family) {
    Json json{{"name", family.name},
              {"title", family.title},
              {"description", family.description},
              {"source", family.source},
              {"parameters", Json::array()}};
    for (const Parameter& parameter : family.parameters)
        json["parameters"].push_back(to_json(parameter));
    return json;
}

std::string to_text(const FamilyDescription& family) {
    Table table({{"  parameter"}, {"default", Align::Right}, {"allowed"}, {"meaning"}});
    for (const Parameter& parameter : family.parameters)
        table.add_row({fmt::format("  {}", parameter.name), fmt::format("{}", parameter.default_value),
                       range(parameter), std::string(parameter.description)});
    return fmt::format("{}: {}\n  {}\n  Source: {}\n{}", family.name, family.title, family.description,
                       family.source, table.text());
}

} // namespace sparsight
