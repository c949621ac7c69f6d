// What is computed on: the data of a workload, as those see it who do not know its domain.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>

namespace sparsight {

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
