#include "learn/matrix_choice.h"

#include <array>
#include <utility>

namespace sparsight {

namespace {

constexpr std::array<std::pair<ChoiceMethod, std::string_view>, 5> choice_methods{{
    {ChoiceMethod::Index, "index"},
    {ChoiceMethod::Exhaustive, "exhaustive"},
    {ChoiceMethod::Recorded, "recorded"},
    {ChoiceMethod::Evolution, "evolution"},
    {ChoiceMethod::Annealing, "annealing"},
}};

} // namespace

std::string_view name(ChoiceMethod method) {
    for (const auto& [known, text] : choice_methods)
        if (known == method)
            return text;
    return "";
}

std::optional<ChoiceMethod> parse_choice_method(std::string_view text) {
    for (const auto& [method, known] : choice_methods)
        if (known == text)
            return method;
    return std::nullopt;
}

} // namespace sparsight
