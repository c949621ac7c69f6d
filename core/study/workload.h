// Workloads and settings: what is computed, and on which data. Only the domain of a workload understands its
// data.
#pragma once

#include <compare>
#include <functional>
#include <map>
#include <string>
#include <utility>

namespace sparsight {

/// Two settings are the same if and only if they are equal: a domain writes each setting in one way only.
struct Setting {
    std::string domain; ///< "sparse"
    std::string text;   ///< "spmm dense=256"; empty in a domain with a single setting

    auto operator<=>(const Setting&) const = default;
};

/// The data of a workload, such as the pattern of a matrix: immutable, and held as shared_ptr<const Payload>,
/// because it may be large. Only its domain understands the data.
class Payload {
public:
    Payload() = default;
    Payload(const Payload&) = delete;
    Payload& operator=(const Payload&) = delete;
    virtual ~Payload() = default;
};

/// A workload that is described by named numbers only, such as "batch" and "channels".
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
