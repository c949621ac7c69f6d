// Python's pickles (protocols 2 to 5) read as data. A pickle is a program for a stack machine that may call
// any function of Python; this machine knows the few functions that build tensors and plain containers, calls
// nothing, and refuses every other name.
#pragma once

#include "base/error.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace sparsight {

/// Place of a value in Pickle::values. Values are shared by reference as in Python, and a container may hold
/// itself.
using PickleId = std::uint32_t;

enum class PickleGlobal {
    OrderedDict,
    RebuildTensor,
    RebuildParameter,
    HalfStorage,
    FloatStorage,
    DoubleStorage,
    IntStorage,
    LongStorage,
};

struct PickleNone {};
struct PickleList { ///< a list or a tuple
    std::vector<PickleId> items;
};
struct PickleDict { ///< in the order of insertion; keys are not compared
    std::vector<std::pair<PickleId, PickleId>> items;
};
/// The numbers lie beside the pickle, in a file of this name.
struct PickleStorage {
    PickleGlobal type = PickleGlobal::FloatStorage;
    std::string key;
    std::int64_t elements = 0;
};
/// A view of a storage, in elements; not yet checked against it.
struct PickleTensor {
    PickleStorage storage;
    std::int64_t offset = 0;
    std::vector<std::int64_t> shape;
    std::vector<std::int64_t> strides;
};

using PickleValue = std::variant<PickleNone, bool, std::int64_t, double, std::string, PickleList, PickleDict,
                                 PickleGlobal, PickleStorage, PickleTensor>;

struct Pickle {
    std::vector<PickleValue> values;
    PickleId root = 0;
};

/// The first defect is an error (Fault::Input) with its byte; a name that is no data is one with that name.
[[nodiscard]] Result<Pickle> read_pickle(std::string_view bytes);

} // namespace sparsight
