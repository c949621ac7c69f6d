#include "learning/transfer/decision_factors.h"

#include "learning/decisions/decision_input.h"

namespace sparsight {

std::vector<double> decision_factors(std::string_view value) {
    std::vector<double> factors;
    const bool is_split = value.contains('x');
    for (std::string_view rest = value;;) {
        const std::size_t end = rest.find('x');
        const auto number = decision_number(rest.substr(0, end));
        if (!number)
            return {};
        if (!is_split || *number != -1)
            factors.push_back(*number);
        if (end == std::string_view::npos)
            return factors;
        rest.remove_prefix(end + 1);
    }
}

} // namespace sparsight
