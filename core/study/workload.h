// What is computed, and on what: settings, and the data of workloads as those see it who do not know its
// domain.
#pragma once

#include <compare>
#include <functional>
#include <map>
#include <string>
#include <utility>

namespace sparsight {

/// Two settings are the same one if and only if they are equal: a domain writes each in one way only.
struct Setting {
    std::string domain; ///< "sparse"
    std::string text;   ///< "spmm dense=256"; empty in a domain that computes one thing only

    auto operator<=>(const Setting&) const = default;
};

/// The data of a workload, such as the pattern of a matrix: immutable, and held as
/// shared_ptr<const Payload>, because it may be large. Only its domain knows what is in it.
class Payload {
public:
    Payload() = default;
    Payload(const Payload&) = delete;
    Payload& operator=(const Payload&) = delete;
    virtual ~Payload() = default;
};

/// A workload of which nothing is known but numbers by name, such as "batch" and "channels".
class NamedFacts final : public Payload {
public:
    using Numbers = std::map<std::string, double, std::less<>>;

    explicit NamedFacts(Numbers numbers)
        : numbers_(std::move(numbers)) {}
    [[nodiscard]] const Numbers& numbers() const { return numbers_; }

private:
    Numbers numbers_; ///< finite
};

} // namespace sparsight
