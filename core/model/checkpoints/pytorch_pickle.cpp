#include "model/checkpoints/pytorch_pickle.h"

#include <algorithm>
#include <array>

namespace sparsight {
namespace {

/// Does what each instruction says.
class PickleProgram {
public:
    explicit PickleProgram(std::string_view bytes)
        : bytes_(bytes) {}

    Result<Pickle> run() {
        try {
            while (!step()) {
            }
            return stack_.take();
        } catch (const PickleDefect& defect) {
            return fail(Fault::Input, fmt::format("{} (byte {} of the pickle)", defect.text, opcode_at_));
        }
    }

private:
    void long_integer() {
        const std::string_view digits = bytes_.take(bytes_.number<std::uint8_t>());
        if (digits.size() > sizeof(std::int64_t))
            refuse_pickle("holds a whole number of more than 64 bits");
        const bool negative = !digits.empty() && (digits.back() & 0x80) != 0;
        std::uint64_t value = negative ? ~std::uint64_t{0} : 0;
        for (std::size_t i = digits.size(); i-- > 0;)
            value = value << 8U | static_cast<std::uint8_t>(digits[i]);
        stack_.push(static_cast<std::int64_t>(value));
    }

    /// True at the end of the program.
    bool step() {
        opcode_at_ = bytes_.at();
        switch (const auto opcode = bytes_.number<std::uint8_t>(); opcode) {
        case 0x80: // PROTO
            if (const auto protocol = bytes_.number<std::uint8_t>(); protocol < 2 || protocol > 5)
                refuse_pickle(fmt::format("is of protocol {}, expected 2 to 5", protocol));
            return false;
        case 0x95: // FRAME
            bytes_.take(8);
            return false;
        case '.': // STOP
            return true;
        case '(': // MARK
            stack_.mark();
            return false;
        case 'N':
            stack_.push(PickleNone{});
            return false;
        case 0x88:
        case 0x89:
            stack_.push(opcode == 0x88);
            return false;
        case 'J':
            stack_.push(std::int64_t{bytes_.number<std::int32_t>()});
            return false;
        case 'K':
            stack_.push(std::int64_t{bytes_.number<std::uint8_t>()});
            return false;
        case 'M':
            stack_.push(std::int64_t{bytes_.number<std::uint16_t>()});
            return false;
        case 0x8a:
            long_integer();
            return false;
        case 'G': // big-endian
            stack_.push(std::bit_cast<double>(__builtin_bswap64(bytes_.number<std::uint64_t>())));
            return false;
        case 'X':
            stack_.push(std::string(bytes_.take(bytes_.number<std::uint32_t>())));
            return false;
        case 0x8c:
            stack_.push(std::string(bytes_.take(bytes_.number<std::uint8_t>())));
            return false;
        case 0x8d:
            stack_.push(std::string(bytes_.take(bytes_.number<std::uint64_t>())));
            return false;
        default:
            return containers(opcode), false;
        }
    }

    void containers(std::uint8_t opcode) {
        switch (opcode) {
        case '}':
            return stack_.push(PickleDict{});
        case ']':
        case ')':
            return stack_.push(PickleList{});
        case 't':
            return stack_.push(PickleList{stack_.pop_to_mark()});
        case 0x85:
        case 0x86:
        case 0x87:
            return stack_.push_tuple(opcode - 0x84U);
        case 's': {
            const PickleId value = stack_.pop();
            const std::array item{stack_.pop(), value};
            return stack_.insert(stack_.top(), item);
        }
        case 'u': {
            const std::vector<PickleId> items = stack_.pop_to_mark();
            return stack_.insert(stack_.top(), items);
        }
        case 'a': {
            const PickleId item = stack_.pop();
            return stack_.append(stack_.top(), std::span(&item, 1));
        }
        case 'e': {
            const std::vector<PickleId> items = stack_.pop_to_mark();
            return stack_.append(stack_.top(), items);
        }
        default:
            return references(opcode);
        }
    }

    void references(std::uint8_t opcode) {
        switch (opcode) {
        case 'q':
            stack_.keep(bytes_.number<std::uint8_t>());
            return;
        case 'r':
            stack_.keep(bytes_.number<std::uint32_t>());
            return;
        case 0x94:
            stack_.keep();
            return;
        case 'h':
            return stack_.recall(bytes_.number<std::uint8_t>());
        case 'j':
            return stack_.recall(bytes_.number<std::uint32_t>());
        case 'c': {
            const std::string_view module = bytes_.line();
            return stack_.push_global(module, bytes_.line());
        }
        case 0x93: {
            const std::string name = stack_.as<std::string>(stack_.pop(), "a name");
            return stack_.push_global(stack_.as<std::string>(stack_.pop(), "the name of a module"), name);
        }
        case 'Q':
            return stack_.push_storage();
        case 'R':
            return stack_.call();
        case 'b': // attributes of an OrderedDict: versions of the layers, of no use here
            stack_.pop();
            static_cast<void>(stack_.as<PickleDict>(stack_.top(), "a dictionary"));
            return;
        default:
            refuse_pickle(fmt::format(
                "has the instruction 0x{:02x}, which tensors and plain containers do not need", opcode));
        }
    }

    PickleBytes bytes_;
    PickleStack stack_;
    std::size_t opcode_at_ = 0;
};

} // namespace

Result<Pickle> read_pickle(std::string_view bytes) {
    return PickleProgram(bytes).run();
}

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

} // namespace

std::string_view PickleBytes::take(std::uint64_t count) {
    if (count > bytes_.size() - at_)
        refuse_pickle("the pickle breaks off");
    const std::string_view taken = bytes_.substr(at_, static_cast<std::size_t>(count));
    at_ += taken.size();
    return taken;
}

std::string_view PickleBytes::line() {
    const std::size_t end = bytes_.find('\n', at_);
    if (end == std::string_view::npos)
        refuse_pickle("the pickle breaks off");
    const std::string_view text = bytes_.substr(at_, end - at_);
    at_ = end + 1;
    return text;
}

void PickleStack::push(PickleValue value) {
    if (result_.values.size() >= max_values)
        refuse_pickle(fmt::format("holds more than {} values", max_values));
    result_.values.push_back(std::move(value));
    stack_.push_back(static_cast<PickleId>(result_.values.size() - 1));
}

PickleId PickleStack::pop() {
    if (stack_.size() <= (marks_.empty() ? 0 : marks_.back()))
        refuse_pickle("takes a value from an empty stack");
    const PickleId top = stack_.back();
    stack_.pop_back();
    return top;
}

PickleId PickleStack::top() {
    const PickleId value = pop();
    stack_.push_back(value);
    return value;
}

std::vector<PickleId> PickleStack::pop_to_mark() {
    if (marks_.empty())
        refuse_pickle("goes back to a mark that is not there");
    const auto first = stack_.begin() + static_cast<std::ptrdiff_t>(marks_.back());
    std::vector<PickleId> items(first, stack_.end());
    stack_.erase(first, stack_.end());
    marks_.pop_back();
    return items;
}

void PickleStack::push_tuple(std::size_t count) {
    std::vector<PickleId> items(count);
    for (std::size_t i = count; i-- > 0;)
        items[i] = pop();
    push(PickleList{std::move(items)});
}

void PickleStack::recall(std::uint32_t slot) {
    const auto found = memo_.find(slot);
    if (found == memo_.end())
        refuse_pickle(fmt::format("recalls value {}, which was never kept", slot));
    stack_.push_back(found->second);
}

std::vector<std::int64_t> PickleStack::integers(PickleId id) {
    std::vector<std::int64_t> numbers;
    for (const PickleId item : as<PickleList>(id, "a tuple of numbers").items)
        numbers.push_back(as<std::int64_t>(item, "a number"));
    return numbers;
}

void PickleStack::push_global(std::string_view module, std::string_view name) {
    const std::string full = fmt::format("{}.{}", module, name);
    const auto known = std::ranges::find(known_globals, full, &GlobalName::name);
    if (known == known_globals.end())
        refuse_pickle(fmt::format("asks for {}, which is refused: only tensors and plain containers are read",
                                  printable(full)));
    push(known->global);
}

void PickleStack::insert(PickleId target, std::span<const PickleId> items) {
    auto& dict = as<PickleDict>(target, "a dictionary");
    if (items.size() % 2 != 0)
        refuse_pickle("has a key without a value");
    for (std::size_t i = 0; i < items.size(); i += 2)
        dict.items.emplace_back(items[i], items[i + 1]);
}

void PickleStack::append(PickleId target, std::span<const PickleId> items) {
    auto& list = as<PickleList>(target, "a list");
    list.items.insert(list.items.end(), items.begin(), items.end());
}

void PickleStack::push_storage() {
    const PickleList parts = as<PickleList>(pop(), "the description of a storage");
    if (parts.items.size() != 5 || as<std::string>(parts.items[0], "\"storage\"") != "storage")
        refuse_pickle("refers to something outside of it that is no storage");
    const PickleGlobal type = as<PickleGlobal>(parts.items[1], "the type of a storage");
    if (!is_storage(type))
        refuse_pickle("has a storage without a type");
    push(PickleStorage{type, as<std::string>(parts.items[2], "the name of a storage"),
                       as<std::int64_t>(parts.items[4], "the size of a storage")});
}

void PickleStack::call() {
    const std::vector<PickleId> arguments = as<PickleList>(pop(), "a tuple of arguments").items;
    const PickleGlobal function = as<PickleGlobal>(pop(), "a function");
    if (function == PickleGlobal::OrderedDict)
        return push_ordered_dict(arguments);
    if (function == PickleGlobal::RebuildParameter) {
        if (arguments.empty())
            refuse_pickle("has a parameter without a tensor");
        static_cast<void>(as<PickleTensor>(arguments[0], "a tensor"));
        stack_.push_back(arguments[0]);
        return;
    }
    if (function != PickleGlobal::RebuildTensor || arguments.size() < 4)
        refuse_pickle("calls what builds neither a tensor nor a container");
    PickleTensor tensor{as<PickleStorage>(arguments[0], "a storage"),
                        as<std::int64_t>(arguments[1], "an offset"), integers(arguments[2]),
                        integers(arguments[3])};
    push(std::move(tensor));
}

void PickleStack::push_ordered_dict(std::span<const PickleId> arguments) {
    PickleDict dict;
    if (!arguments.empty()) {
        for (const PickleId item : as<PickleList>(arguments[0], "a list of pairs").items) {
            const auto& pair = as<PickleList>(item, "a pair").items;
            if (pair.size() != 2)
                refuse_pickle("has something else where a pair was expected");
            dict.items.emplace_back(pair[0], pair[1]);
        }
    }
    push(std::move(dict));
}

Pickle PickleStack::take() {
    result_.root = pop();
    return std::move(result_);
}

} // namespace sparsight
