// Generated matrices. Every family is data (name, parameters, source), from which the command line and the
// window make their options, and one function. The simulated matrices of the meta-learning report are a
// collection of their own.
#pragma once

#include "base/error.h"
#include "base/random.h"
#include "domains/sparse/tensor/pattern.h"

#include <cstdint>
#include <map>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sparsight {

/// More entries than this are refused before anything is allocated (1 GiB of column ids).
inline constexpr std::int64_t max_generated_entries = std::int64_t{1} << 28;
/// More rows than this are refused (0.75 GiB of row pointers).
inline constexpr std::int64_t max_generated_rows = 100'000'000;

/// One number that a user may set.
struct Parameter {
    std::string_view name; ///< as typed: lower case with hyphens
    std::string_view description;
    std::string_view unit; ///< "rows", "tokens"; empty for a bare number
    double default_value = 0;
    double minimum = 0;
    double maximum = 0;
    bool is_integer = true;
    std::vector<double> choices = {}; ///< when not empty, only these are allowed; {0, 1} is a switch
};

/// The values that the user set; missing parameters keep their defaults.
using ParameterValues = std::map<std::string, double, std::less<>>;

/// Every parameter of a family with its checked value.
class Settings {
public:
    explicit Settings(ParameterValues complete)
        : values_(std::move(complete)) {}

    [[nodiscard]] double real(std::string_view name) const { return values_.find(name)->second; }
    [[nodiscard]] std::int64_t integer(std::string_view name) const {
        return static_cast<std::int64_t>(real(name));
    }
    [[nodiscard]] bool flag(std::string_view name) const { return real(name) != 0; }

private:
    ParameterValues values_;
};

/// A family of matrices. `build` gets checked settings and may still refuse combinations of them; it may end
/// with GenerationStopped (row_builder.h).
struct Generator {
    std::string_view name; ///< as typed: lower case with hyphens
    std::string_view title;
    std::string_view description;
    std::string_view source; ///< the paper or practice that such matrices come from
    std::vector<Parameter> parameters;
    Result<CsrPattern> (*build)(const Settings&, Random&, const std::stop_token&) = nullptr;
};

/// All families, in the order in which they are shown.
[[nodiscard]] std::span<const Generator> generators();
/// nullptr when no family has that name.
[[nodiscard]] const Generator* find_generator(std::string_view name);

/// Checks `values` against `parameters` and adds the defaults. Errors (Input) name the parameter, what was
/// given and what is allowed; an unknown name lists the known ones. `owner` is the family, for the texts.
[[nodiscard]] Result<Settings> complete_settings(std::string_view owner,
                                                 std::span<const Parameter> parameters,
                                                 const ParameterValues& values);

/// A matrix of the family `name`, without values (all 1). The same name, values and seed give the same
/// pattern. Errors: Input for a bad name or value, Limit for more than max_generated_entries or too little
/// memory, Cancelled when it was stopped.
[[nodiscard]] Result<CsrPattern> generate_matrix(std::string_view name, const ParameterValues& values,
                                                 std::uint64_t seed, const std::stop_token& stop = {});

/// The source of a generated matrix, as workspaces record it: "generated: banded lower=8 size=20000 seed=1".
[[nodiscard]] std::string generated_source(std::string_view name, const ParameterValues& values,
                                           std::uint64_t seed);

/// A matrix of the "simulated matrices" of the meta-learning report, a whole collection. The report names
/// what is set (how many, the most rows, the most columns). The ranges are those of the script that it
/// refers to, simulate_matrices.py in github.com/cecnyb/WACO_with_ML: rows and columns uniform in 50 … 200,
/// density uniform in 0.01 … 0.05, 2000 matrices named matrix0, matrix1, …; round(density · rows · cols)
/// entries, every set of places equally likely.
struct NamedPattern {
    std::string name;
    CsrPattern pattern;
};

/// "count", "minimum-rows", "maximum-rows", "minimum-cols", "maximum-cols", "minimum-density",
/// "maximum-density"; in a collection these take the place of a generator's parameters.
[[nodiscard]] std::span<const Parameter> simulated_matrices_parameters();

/// Matrix i depends on the seed, the ranges and i only: a larger count adds matrices and changes none.
/// Errors: Input for a bad name or value or a minimum above its maximum, Limit for too many entries,
/// Cancelled.
[[nodiscard]] Result<std::vector<NamedPattern>>
simulate_matrices(const ParameterValues& values, std::uint64_t seed, const std::stop_token& stop = {});

} // namespace sparsight
