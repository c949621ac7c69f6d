// Python's pickles (protocols 2 to 5) read as data. A pickle is a program for a stack machine that may call
// any function of Python; the machine in this file knows the few functions that build tensors and plain
// containers, calls nothing else, and refuses every other name.
#pragma once

#include "base/error.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fmt/format.h>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
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

/// Reads a pickle. The first defect is an error (Fault::Input) with its byte; a name that does not build
/// data is an error that states the name.
[[nodiscard]] Result<Pickle> read_pickle(std::string_view bytes);

/// Thrown by the machine and caught by read_pickle(), since any of some sixty places can fail.
struct PickleDefect {
    std::string text;
};

[[noreturn]] inline void refuse_pickle(std::string text) {
    throw PickleDefect{std::move(text)};
}

/// The bytes of a pickle from the first to the last. Throws PickleDefect at a premature end.
class PickleBytes {
public:
    explicit PickleBytes(std::string_view bytes)
        : bytes_(bytes) {}

    [[nodiscard]] std::size_t at() const { return at_; }
    std::string_view take(std::uint64_t count);
    /// The text up to the next line end, which is consumed, too.
    std::string_view line();

    template <typename Number>
    Number number() {
        static_assert(std::endian::native == std::endian::little);
        Number value;
        std::memcpy(&value, take(sizeof(Number)).data(), sizeof(Number));
        return value;
    }

private:
    std::string_view bytes_;
    std::size_t at_ = 0;
};

/// The stack of the machine, and the values that may be built on it. Throws PickleDefect for anything but
/// tensors and plain containers. PickleProgram in pytorch_pickle.cpp executes the instructions.
class PickleStack {
public:
    void push(PickleValue value);
    PickleId pop();
    PickleId top();
    void mark() { marks_.push_back(stack_.size()); }
    std::vector<PickleId> pop_to_mark();
    void push_tuple(std::size_t count);

    /// Stores the top of the stack in a slot, or in the next free one.
    void keep(std::uint32_t slot) { memo_[slot] = top(); }
    void keep() { keep(static_cast<std::uint32_t>(memo_.size())); }
    void recall(std::uint32_t slot);

    template <typename T>
    T& as(PickleId id, std::string_view what) {
        if (T* value = std::get_if<T>(&result_.values[id]))
            return *value;
        refuse_pickle(fmt::format("has something else where {} was expected", what));
    }

    void insert(PickleId dict, std::span<const PickleId> items);
    void append(PickleId list, std::span<const PickleId> items);
    /// Pushes the function or type of this name; refuses one that does not build data.
    void push_global(std::string_view module, std::string_view name);
    /// ("storage", type, key, device, elements)
    void push_storage();
    /// Calls the function below the tuple of its arguments.
    void call();

    /// The pickle, with the top of the stack as its root.
    [[nodiscard]] Pickle take();

private:
    std::vector<std::int64_t> integers(PickleId id);
    void push_ordered_dict(std::span<const PickleId> arguments);

    Pickle result_;
    std::vector<PickleId> stack_;
    std::vector<std::size_t> marks_;
    std::unordered_map<std::uint32_t, PickleId> memo_;
};

} // namespace sparsight
