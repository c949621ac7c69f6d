#include "domains/blocks/decoder/object_code.h"

#include "base/reading/csv_table.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <llvm/Object/ELFObjectFile.h>
#include <memory>
#include <optional>
#include <utility>

namespace sparsight {
namespace {

/// LLVM's errors end the program unless they are looked at.
template <typename Value>
std::optional<Value> taken(llvm::Expected<Value> expected) {
    if (expected)
        return std::move(*expected);
    llvm::consumeError(expected.takeError());
    return std::nullopt;
}

/// Absent for a symbol that is no function, or whose code is elsewhere.
std::optional<ObjectFunction> function_of(const llvm::object::ELFSymbolRef& symbol) {
    const auto name = taken(symbol.getName());
    const auto type = taken(symbol.getType());
    const auto address = taken(symbol.getAddress());
    const auto section = taken(symbol.getSection());
    if (!name || type != llvm::object::SymbolRef::ST_Function || !address || !section ||
        *section == symbol.getObject()->section_end())
        return std::nullopt;
    const auto bytes = taken((*section)->getContents());
    const std::uint64_t begin = *address - (*section)->getAddress();
    if (!bytes || symbol.getSize() == 0 || begin > bytes->size() || symbol.getSize() > bytes->size() - begin)
        return std::nullopt;
    const llvm::StringRef code = bytes->substr(begin, symbol.getSize());
    return ObjectFunction{name->str(), MachineCode(code.bytes_begin(), code.bytes_end())};
}

std::string names_of(const std::vector<ObjectFunction>& functions) {
    constexpr std::size_t most = 20;
    std::vector<std::string> names;
    for (const ObjectFunction& each : functions)
        names.push_back(each.name);
    std::ranges::sort(names);
    const std::size_t more = names.size() - std::min(names.size(), most);
    names.resize(names.size() - more);
    return fmt::format("{}{}", fmt::join(names, ", "), more > 0 ? fmt::format(" and {} more", more) : "");
}

} // namespace

bool is_object_file(std::string_view bytes) {
    constexpr std::string_view magic{"\x7f"
                                     "ELF"};
    return bytes.starts_with(magic);
}

Result<std::vector<ObjectFunction>> functions_of_object(std::string_view bytes) {
    auto file = llvm::object::ObjectFile::createELFObjectFile(
        llvm::MemoryBufferRef(llvm::StringRef(bytes.data(), bytes.size()), "object"));
    if (!file)
        return fail(Fault::Input,
                    fmt::format("is no object file that can be read: {}", llvm::toString(file.takeError())));
    if ((*file)->getArch() != llvm::Triple::x86_64)
        return fail(Fault::Input, fmt::format("is an object file of {}, expected one of x86_64",
                                              llvm::Triple::getArchTypeName((*file)->getArch()).str()));
    std::vector<ObjectFunction> functions;
    constexpr std::size_t bytes_of_symbol = 24; // of ELF64; a damaged table may claim to have more
    std::size_t left = bytes.size() / bytes_of_symbol;
    for (const llvm::object::SymbolRef& symbol : (*file)->symbols()) {
        if (left-- == 0)
            return fail(Fault::Input, "the object file has a damaged table of symbols");
        if (auto found = function_of(llvm::object::ELFSymbolRef(symbol)))
            functions.push_back(*std::move(found));
    }
    if (functions.empty())
        return fail(Fault::Input, "the object file has no function with code");
    return functions;
}

Result<MachineCode> read_object_code(std::string_view bytes, std::string_view function) {
    auto functions = functions_of_object(bytes);
    if (!functions)
        return std::unexpected(std::move(functions).error());
    if (function.empty() && functions->size() > 1)
        return fail(Fault::Input,
                    fmt::format("the object file has {} functions, expected the name of one: {}",
                                functions->size(), names_of(*functions)));
    const auto found = function.empty() ? functions->begin()
                                        : std::ranges::find(*functions, function, &ObjectFunction::name);
    if (found == functions->end())
        return fail(Fault::Input, fmt::format("the object file has no function {}, expected one of: {}",
                                              quoted_excerpt(function), names_of(*functions)));
    return std::move(found->code);
}

} // namespace sparsight
