#include "domains/blocks/code/instruction_bytes.h"

#include <cstdint>
#include <cstring>
#include <optional>
#include <type_traits>
#include <utility>

namespace sparsight {
namespace {

// Each member is written and read by the same function: a member that one of both forgot can't be.

class Writer {
public:
    explicit Writer(std::string& bytes)
        : bytes_(bytes) {}

    template <typename Number>
        requires std::is_arithmetic_v<Number>
    void member(const Number& number) {
        bytes_.append(reinterpret_cast<const char*>(&number), sizeof(number));
    }
    void member(const bool& is_set) { bytes_ += static_cast<char>(is_set ? 1 : 0); }
    void member(const OperandKind& kind) { bytes_ += static_cast<char>(kind); }
    void member(const std::string& text) {
        member(static_cast<std::uint32_t>(text.size()));
        bytes_.append(text);
    }
    /// Whether there is a value; calls `write` where there is one.
    template <typename Value, typename Write>
    void member(const std::optional<Value>& value, const Write& write) {
        member(value.has_value());
        if (value)
            write(*value);
    }
    template <typename Value, typename Write>
    void list(const std::vector<Value>& values, const Write& write) {
        member(static_cast<std::uint32_t>(values.size()));
        for (const Value& value : values)
            write(value);
    }

private:
    std::string& bytes_;
};

class Reader {
public:
    explicit Reader(std::string_view bytes)
        : bytes_(bytes) {}

    [[nodiscard]] bool is_at_end() const { return bytes_.empty(); }
    /// Nothing that was read counts any more.
    [[nodiscard]] bool is_cut_short() const { return is_cut_short_; }

    template <typename Number>
        requires std::is_arithmetic_v<Number>
    void member(Number& number) {
        if (const auto bytes = take(sizeof(number)))
            std::memcpy(&number, bytes->data(), sizeof(number));
    }
    void member(bool& is_set) {
        if (const auto byte = take(1))
            is_set = byte->front() != 0;
    }
    void member(OperandKind& kind) {
        const auto byte = take(1);
        const int number = byte ? byte->front() : -1;
        if (number < 0 || number > static_cast<int>(OperandKind::Target))
            is_cut_short_ = true;
        else
            kind = static_cast<OperandKind>(number);
    }
    void member(std::string& text) {
        std::uint32_t size = 0;
        member(size);
        if (const auto bytes = take(size))
            text = *bytes;
    }
    template <typename Value, typename Read>
    void member(std::optional<Value>& value, const Read& read) {
        bool is_there = false;
        member(is_there);
        if (is_there)
            read(value.emplace());
    }
    template <typename Value, typename Read>
    void list(std::vector<Value>& values, const Read& read) {
        std::uint32_t size = 0;
        member(size);
        for (std::uint32_t at = 0; at < size && !is_cut_short_; ++at)
            read(values.emplace_back());
    }

private:
    std::optional<std::string_view> take(std::size_t size) {
        if (size > bytes_.size()) {
            is_cut_short_ = true;
            bytes_ = {};
            return std::nullopt;
        }
        const std::string_view taken = bytes_.substr(0, size);
        bytes_.remove_prefix(size);
        return taken;
    }

    std::string_view bytes_;
    bool is_cut_short_ = false;
};

// `Of` is const where it is written.

template <typename Archive, typename Of>
void pass_register(Archive& archive, Of& reg) {
    archive.member(reg.name);
    archive.member(reg.whole);
    archive.member(reg.bits);
}

template <typename Archive, typename Of>
void pass_operand(Archive& archive, Of& operand) {
    archive.member(operand.kind);
    archive.member(operand.bits);
    archive.member(operand.is_read);
    archive.member(operand.is_written);
    const auto reg = [&](auto& each) { pass_register(archive, each); };
    if (operand.kind == OperandKind::Register) {
        reg(operand.reg);
    } else if (operand.kind == OperandKind::Memory) {
        archive.member(operand.address.segment, reg);
        archive.member(operand.address.base, reg);
        archive.member(operand.address.index, reg);
        archive.member(operand.address.scale);
        archive.member(operand.address.displacement);
    } else {
        archive.member(operand.value);
    }
}

template <typename Archive, typename Of>
void pass_instruction(Archive& archive, Of& instruction) {
    archive.member(instruction.offset);
    archive.member(instruction.size);
    archive.member(instruction.opcode);
    archive.member(instruction.mnemonic);
    archive.member(instruction.text);
    archive.list(instruction.prefixes, [&](auto& each) { archive.member(each); });
    archive.list(instruction.operands, [&](auto& each) { pass_operand(archive, each); });
    archive.list(instruction.implicit, [&](auto& each) {
        pass_register(archive, each.reg);
        archive.member(each.is_read);
        archive.member(each.is_written);
    });
    archive.member(instruction.reads_memory);
    archive.member(instruction.writes_memory);
}

} // namespace

void append(std::string& bytes, const Decoded& block) {
    Writer writer(bytes);
    writer.member(block.has_value());
    if (block)
        writer.list(*block, [&](const Instruction& each) { pass_instruction(writer, each); });
    else
        writer.member(block.error().message);
}

Result<std::vector<Decoded>> parse_decoded(std::string_view bytes) {
    Reader reader(bytes);
    std::vector<Decoded> blocks;
    while (!reader.is_at_end()) {
        bool is_decoded = false;
        reader.member(is_decoded);
        std::vector<Instruction> instructions;
        std::string message;
        if (is_decoded)
            reader.list(instructions, [&](Instruction& each) { pass_instruction(reader, each); });
        else
            reader.member(message);
        if (reader.is_cut_short())
            return fail(Fault::Internal, "the decoded blocks end too early");
        if (is_decoded)
            blocks.emplace_back(std::move(instructions));
        else
            blocks.emplace_back(fail(Fault::Input, std::move(message)));
    }
    return blocks;
}

} // namespace sparsight
