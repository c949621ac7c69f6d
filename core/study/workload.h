// What is computed on: the data of a workload, as those see it who do not know its domain.
#pragma once

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

} // namespace sparsight
