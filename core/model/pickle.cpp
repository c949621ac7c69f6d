#include "model/pickle.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <fmt/format.h>
#include <span>
#include <unordered_map>

namespace sparsight {
namespace {

// Far above any state dict; a hostile pickle must not fill the memory with values.
constexpr std::size_t max_values = 4'000'000;

struct GlobalName {
    std::string_view name;
    PickleGlobal global;
};
constexpr std::array known_globals{
    GlobalName{"collections.OrderedDict", PickleGlobal::OrderedDict},
    GlobalName{"torch._utils._rebuild_tensor_v2", PickleGlobal::RebuildTensor},
    GlobalName{"torch._utils._rebuild_parameter", PickleGlobal::RebuildParameter},
    GlobalName{"torch.HalfStorage", PickleGlobal::HalfStorage},
    GlobalName{"torch.FloatStorage", PickleGlobal::FloatStorage},
    GlobalName{"torch.DoubleStorage", PickleGlobal::DoubleStorage},
    GlobalName{"torch.IntStorage", PickleGlobal::IntStorage},
    GlobalName{"torch.LongStorage", PickleGlobal::LongStorage},
};

bool is_storage(PickleGlobal global) {
    return global >= PickleGlobal::HalfStorage;
}

/// A name of the file as it may be shown.
std::string printable(std::string_view text) {
    std::string printable(text.substr(0, 80));
    std::ranges::replace_if(printable, [](char c) { return c < ' ' || c > '~'; }, '?');
    return printable;
}

class StackMachine {
public:
    explicit StackMachine(std::string_view bytes)
        : bytes_(bytes) {}

    Result<Pickle> run() {
        try {
            while (!step()) {
            }
            result_.root = pop();
            return std::move(result_);
        } catch (const Defect& defect) {
            return fail(Fault::Input, fmt::format("{} (byte {} of the pickle)", defect.text, opcode_at_));
        }
    }

private:
    /// Thrown and caught within this file: every one of some sixty places can fail.
    struct Defect {
        std::string text;
    };
    [[noreturn]] static void refuse(std::string text) { throw Defect{std::move(text)}; }

    std::string_view take(std::uint64_t count) {
        if (count > bytes_.size() - at_)
            refuse("the pickle breaks off");
        const std::string_view taken = bytes_.substr(at_, static_cast<std::size_t>(count));
        at_ += taken.size();
        return taken;
    }
    template <typename Number>
    Number number() {
        static_assert(std::endian::native == std::endian::little);
        Number value;
        std::memcpy(&value, take(sizeof(Number)).data(), sizeof(Number));
        return value;
    }
    std::string_view line() {
        const std::size_t end = bytes_.find('\n', at_);
        if (end == std::string_view::npos)
            refuse("the pickle breaks off");
        const std::string_view text = bytes_.substr(at_, end - at_);
        at_ = end + 1;
        return text;
    }

    void push(PickleValue value) {
        if (result_.values.size() >= max_values)
            refuse(fmt::format("holds more than {} values", max_values));
        result_.values.push_back(std::move(value));
        stack_.push_back(static_cast<PickleId>(result_.values.size() - 1));
    }
    PickleId pop() {
        if (stack_.size() <= (marks_.empty() ? 0 : marks_.back()))
            refuse("takes a value from an empty stack");
        const PickleId top = stack_.back();
        stack_.pop_back();
        return top;
    }
    PickleId top() {
        const PickleId value = pop();
        stack_.push_back(value);
        return value;
    }
    std::vector<PickleId> pop_to_mark() {
        if (marks_.empty())
            refuse("goes back to a mark that is not there");
        const auto first = stack_.begin() + static_cast<std::ptrdiff_t>(marks_.back());
        std::vector<PickleId> items(first, stack_.end());
        stack_.erase(first, stack_.end());
        marks_.pop_back();
        return items;
    }
    void push_tuple(std::size_t count) {
        std::vector<PickleId> items(count);
        for (std::size_t i = count; i-- > 0;)
            items[i] = pop();
        push(PickleList{std::move(items)});
    }
    void recall(std::uint32_t slot) {
        const auto found = memo_.find(slot);
        if (found == memo_.end())
            refuse(fmt::format("recalls value {}, which was never kept", slot));
        stack_.push_back(found->second);
    }

    template <typename T>
    T& as(PickleId id, std::string_view what) {
        if (T* value = std::get_if<T>(&result_.values[id]))
            return *value;
        refuse(fmt::format("has something else where {} was expected", what));
    }
    std::vector<std::int64_t> integers(PickleId id) {
        std::vector<std::int64_t> numbers;
        for (const PickleId item : as<PickleList>(id, "a tuple of numbers").items)
            numbers.push_back(as<std::int64_t>(item, "a number"));
        return numbers;
    }

    void global(std::string_view module, std::string_view name) {
        const std::string full = fmt::format("{}.{}", module, name);
        const auto known = std::ranges::find(known_globals, full, &GlobalName::name);
        if (known == known_globals.end())
            refuse(fmt::format("asks for {}, which is refused: only tensors and plain containers are read",
                               printable(full)));
        push(known->global);
    }

    void insert(PickleId target, std::span<const PickleId> items) {
        auto& dict = as<PickleDict>(target, "a dictionary");
        if (items.size() % 2 != 0)
            refuse("has a key without a value");
        for (std::size_t i = 0; i < items.size(); i += 2)
            dict.items.emplace_back(items[i], items[i + 1]);
    }
    void append(PickleId target, std::span<const PickleId> items) {
        auto& list = as<PickleList>(target, "a list");
        list.items.insert(list.items.end(), items.begin(), items.end());
    }

    /// ("storage", type, key, device, elements)
    void persistent_id() {
        const PickleList parts = as<PickleList>(pop(), "the description of a storage");
        if (parts.items.size() != 5 || as<std::string>(parts.items[0], "\"storage\"") != "storage")
            refuse("refers to something outside of it that is no storage");
        const PickleGlobal type = as<PickleGlobal>(parts.items[1], "the type of a storage");
        if (!is_storage(type))
            refuse("has a storage without a type");
        push(PickleStorage{type, as<std::string>(parts.items[2], "the name of a storage"),
                           as<std::int64_t>(parts.items[4], "the size of a storage")});
    }

    void call() {
        const std::vector<PickleId> arguments = as<PickleList>(pop(), "a tuple of arguments").items;
        const PickleGlobal function = as<PickleGlobal>(pop(), "a function");
        if (function == PickleGlobal::OrderedDict)
            return ordered_dict(arguments);
        if (function == PickleGlobal::RebuildParameter) {
            if (arguments.empty())
                refuse("has a parameter without a tensor");
            static_cast<void>(as<PickleTensor>(arguments[0], "a tensor"));
            stack_.push_back(arguments[0]);
            return;
        }
        if (function != PickleGlobal::RebuildTensor || arguments.size() < 4)
            refuse("calls what builds neither a tensor nor a container");
        PickleTensor tensor{as<PickleStorage>(arguments[0], "a storage"),
                            as<std::int64_t>(arguments[1], "an offset"), integers(arguments[2]),
                            integers(arguments[3])};
        push(std::move(tensor));
    }

    void ordered_dict(std::span<const PickleId> arguments) {
        PickleDict dict;
        if (!arguments.empty()) {
            for (const PickleId item : as<PickleList>(arguments[0], "a list of pairs").items) {
                const auto& pair = as<PickleList>(item, "a pair").items;
                if (pair.size() != 2)
                    refuse("has something else where a pair was expected");
                dict.items.emplace_back(pair[0], pair[1]);
            }
        }
        push(std::move(dict));
    }

    void long_integer() {
        const std::string_view digits = take(number<std::uint8_t>());
        if (digits.size() > sizeof(std::int64_t))
            refuse("holds a whole number of more than 64 bits");
        const bool negative = !digits.empty() && (digits.back() & 0x80) != 0;
        std::uint64_t value = negative ? ~std::uint64_t{0} : 0;
        for (std::size_t i = digits.size(); i-- > 0;)
            value = value << 8U | static_cast<std::uint8_t>(digits[i]);
        push(static_cast<std::int64_t>(value));
    }

    /// True at the end of the program.
    bool step() {
        opcode_at_ = at_;
        switch (const auto opcode = number<std::uint8_t>(); opcode) {
        case 0x80: // PROTO
            if (const auto protocol = number<std::uint8_t>(); protocol < 2 || protocol > 5)
                refuse(fmt::format("is of protocol {}, expected 2 to 5", protocol));
            return false;
        case 0x95: // FRAME
            take(8);
            return false;
        case '.': // STOP
            return true;
        case '(': // MARK
            marks_.push_back(stack_.size());
            return false;
        case 'N':
            push(PickleNone{});
            return false;
        case 0x88:
        case 0x89:
            push(opcode == 0x88);
            return false;
        case 'J':
            push(std::int64_t{number<std::int32_t>()});
            return false;
        case 'K':
            push(std::int64_t{number<std::uint8_t>()});
            return false;
        case 'M':
            push(std::int64_t{number<std::uint16_t>()});
            return false;
        case 0x8a:
            long_integer();
            return false;
        case 'G': // big-endian
            push(std::bit_cast<double>(__builtin_bswap64(number<std::uint64_t>())));
            return false;
        case 'X':
            push(std::string(take(number<std::uint32_t>())));
            return false;
        case 0x8c:
            push(std::string(take(number<std::uint8_t>())));
            return false;
        case 0x8d:
            push(std::string(take(number<std::uint64_t>())));
            return false;
        default:
            return containers(opcode), false;
        }
    }

    void containers(std::uint8_t opcode) {
        switch (opcode) {
        case '}':
            return push(PickleDict{});
        case ']':
        case ')':
            return push(PickleList{});
        case 't':
            return push(PickleList{pop_to_mark()});
        case 0x85:
        case 0x86:
        case 0x87:
            return push_tuple(opcode - 0x84U);
        case 's': {
            const PickleId value = pop();
            const std::array item{pop(), value};
            return insert(top(), item);
        }
        case 'u': {
            const std::vector<PickleId> items = pop_to_mark();
            return insert(top(), items);
        }
        case 'a': {
            const PickleId item = pop();
            return append(top(), std::span(&item, 1));
        }
        case 'e': {
            const std::vector<PickleId> items = pop_to_mark();
            return append(top(), items);
        }
        default:
            return references(opcode);
        }
    }

    void references(std::uint8_t opcode) {
        switch (opcode) {
        case 'q':
            memo_[number<std::uint8_t>()] = top();
            return;
        case 'r':
            memo_[number<std::uint32_t>()] = top();
            return;
        case 0x94:
            memo_[static_cast<std::uint32_t>(memo_.size())] = top();
            return;
        case 'h':
            return recall(number<std::uint8_t>());
        case 'j':
            return recall(number<std::uint32_t>());
        case 'c': {
            const std::string_view module = line();
            return global(module, line());
        }
        case 0x93: {
            const std::string name = as<std::string>(pop(), "a name");
            return global(as<std::string>(pop(), "the name of a module"), name);
        }
        case 'Q':
            return persistent_id();
        case 'R':
            return call();
        case 'b': // attributes of an OrderedDict: versions of the layers, of no use here
            pop();
            static_cast<void>(as<PickleDict>(top(), "a dictionary"));
            return;
        default:
            refuse(fmt::format("has the instruction 0x{:02x}, which tensors and plain containers do not need",
                               opcode));
        }
    }

    std::string_view bytes_;
    std::size_t at_ = 0;
    std::size_t opcode_at_ = 0;
    Pickle result_;
    std::vector<PickleId> stack_;
    std::vector<std::size_t> marks_;
    std::unordered_map<std::uint32_t, PickleId> memo_;
};

} // namespace

Result<Pickle> read_pickle(std::string_view bytes) {
    return StackMachine(bytes).run();
}

} // namespace sparsight
