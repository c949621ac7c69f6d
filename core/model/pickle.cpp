#include "model/pickle_machine.h"

#include <array>
#include <bit>

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

} // namespace sparsight
