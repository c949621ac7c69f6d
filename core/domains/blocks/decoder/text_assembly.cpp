#include "domains/blocks/decoder/text_assembly.h"

#include "base/reading/csv_table.h"
#include "base/text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <llvm/MC/MCAsmBackend.h>
#include <llvm/MC/MCCodeEmitter.h>
#include <llvm/MC/MCObjectFileInfo.h>
#include <llvm/MC/MCObjectWriter.h>
#include <llvm/MC/MCParser/MCAsmParser.h>
#include <llvm/MC/MCParser/MCTargetAsmParser.h>
#include <llvm/MC/MCStreamer.h>
#include <llvm/Object/ELFObjectFile.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>
#include <optional>

namespace sparsight {
namespace {

struct Defect {
    int line = 0;
    std::string message;
    std::string found; ///< the line
};

/// Of the diagnostics of a parser, the first error.
class FirstDefect {
public:
    void listen_to(llvm::SourceMgr& source) {
        source.setDiagHandler([](const llvm::SMDiagnostic& diagnostic,
                                 void* to) { static_cast<FirstDefect*>(to)->take(diagnostic); },
                              this);
    }
    /// `lines_before` are those that the user did not write.
    [[nodiscard]] std::unexpected<Error> error(int lines_before) const {
        if (!defect_)
            return fail(Fault::Input, "this is no assembly of x86-64");
        return std::unexpected(
            Error{Fault::Input,
                  fmt::format("line {}: found {}, expected an instruction: {}", defect_->line - lines_before,
                              quoted_excerpt(trimmed(defect_->found)), defect_->message),
                  {},
                  defect_->line - lines_before});
    }
    [[nodiscard]] bool is_found() const { return defect_.has_value(); }

    void take(const llvm::SMDiagnostic& diagnostic) {
        if (defect_ || diagnostic.getKind() != llvm::SourceMgr::DK_Error)
            return;
        defect_ = {diagnostic.getLineNo(), diagnostic.getMessage().str(), diagnostic.getLineContents().str()};
    }

private:
    std::optional<Defect> defect_;
};

Result<MachineCode> code_of_object(llvm::StringRef object) {
    auto file = llvm::object::ObjectFile::createELFObjectFile(llvm::MemoryBufferRef(object, "assembled"));
    if (!file)
        return fail(Fault::Internal,
                    "LLVM does not read the object that it made: " + llvm::toString(file.takeError()));
    MachineCode code;
    for (const llvm::object::SectionRef& section : (*file)->sections()) {
        if (section.relocation_begin() != section.relocation_end()) {
            const auto symbol = section.relocation_begin()->getSymbol();
            std::string name;
            if (symbol != (*file)->symbol_end())
                if (auto text = symbol->getName())
                    name = text->str();
            return fail(Fault::Input,
                        fmt::format("found the name {}, which only a linker knows, expected a number or a "
                                    "label of this code",
                                    quoted_excerpt(name)));
        }
        if (!section.isText())
            continue;
        auto bytes = section.getContents();
        if (!bytes)
            return fail(Fault::Internal, llvm::toString(bytes.takeError()));
        code.insert(code.end(), bytes->bytes_begin(), bytes->bytes_end());
    }
    return code;
}

/// LLVM's parser does not know this mark of GNU's assembler.
constexpr std::string_view load_mark = "{load}";

/// The bytes of a marked instruction in its place: "{load} cmp ecx, eax" is ".byte 0x3b, 0xc8". Errors: those
/// of assembly; (Input) the instruction has only one form.
Result<std::string> in_loading_form(const CodeTarget& target, std::string_view instruction,
                                    AssemblySyntax syntax, int line) {
    const auto usual = assemble_text(target, instruction.substr(load_mark.size()), syntax);
    if (!usual)
        return std::unexpected(usual.error());
    const auto decoded = target.decode(*usual, 0);
    const auto bytes =
        decoded && decoded->size == usual->size() ? target.encode_loading(*decoded) : std::nullopt;
    if (!bytes)
        return fail_in_file(
            Fault::Input, {}, line,
            fmt::format("line {}: found {}, expected an instruction that has a form for loads", line,
                        quoted_excerpt(instruction)));
    return fmt::format(".byte {}", fmt::join(*bytes, ", "));
}

/// In Intel's syntax the parser does not know the place of an instruction either: "jne .-7" is
/// ".Lhere3: jne .Lhere3 -7".
std::string with_place(std::string_view instruction, int line) {
    const std::size_t place = instruction.rfind(" .");
    if (place == std::string_view::npos || place + 2 >= instruction.size() ||
        (instruction[place + 2] != '+' && instruction[place + 2] != '-'))
        return std::string(instruction);
    return fmt::format(".Lhere{0}: {1} .Lhere{0} {2}", line, instruction.substr(0, place),
                       instruction.substr(place + 2));
}

/// Directives of compilers that add no code of their own: such lines are passed over.
bool adds_nothing(std::string_view directive) {
    constexpr std::array<std::string_view, 16> known{
        ".text", ".globl",   ".global", ".type", ".size",   ".align", ".p2align", ".file",
        ".loc",  ".section", ".ident",  ".weak", ".hidden", ".local", ".addrsig", ".addrsig_sym"};
    return std::ranges::find(known, directive) != known.end() || directive.starts_with(".cfi_");
}

/// Those that are left to LLVM. Others repeat or include text, read files, or change what code means.
bool is_understood(std::string_view directive) {
    return directive == ".byte" || directive == ".intel_syntax" || directive == ".att_syntax";
}

/// Without a comment.
std::string_view code_of_line(std::string_view line) {
    return trimmed(line.substr(0, std::min(line.find('#'), line.size())));
}

/// The first word that is a directive and is not understood, wherever it stands in the line. Names that
/// compilers make begin with ".L".
std::string_view foreign_directive(std::string_view line) {
    constexpr std::string_view between = " \t:;,";
    while (!line.empty()) {
        const std::size_t begin = std::min(line.find_first_not_of(between), line.size());
        const std::size_t end = std::min(line.find_first_of(between, begin), line.size());
        const std::string_view word = line.substr(begin, end - begin);
        const bool is_directive = word.size() > 1 && word[0] == '.' && !word.starts_with(".L") &&
                                  std::isalpha(static_cast<unsigned char>(word[1])) != 0;
        if (is_directive && !is_understood(word))
            return word;
        line.remove_prefix(end);
    }
    return {};
}

/// The text as LLVM's parser takes it. Lines stay where they are. Errors: those of in_loading_form(); a
/// directive that is not understood.
Result<std::string> prepared(const CodeTarget& target, std::string_view text, AssemblySyntax syntax) {
    std::string result;
    for (int line = 1; !text.empty(); ++line) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view instruction = code_of_line(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        const std::string_view first =
            instruction.substr(0, std::min(instruction.find_first_of(" \t"), instruction.size()));
        const std::string_view foreign = foreign_directive(instruction);
        if (adds_nothing(first)) {
            result += '\n';
            continue;
        }
        if (!foreign.empty())
            return fail_in_file(Fault::Input, {}, line,
                                fmt::format("line {}: found the directive {}, expected instructions", line,
                                            quoted_excerpt(foreign)));
        if (instruction.starts_with(load_mark)) {
            auto bytes = in_loading_form(target, instruction, syntax, line);
            if (!bytes)
                return std::unexpected(std::move(bytes).error());
            result += *bytes;
        } else {
            result +=
                syntax == AssemblySyntax::Intel ? with_place(instruction, line) : std::string(instruction);
        }
        result += '\n';
    }
    return result;
}

} // namespace

Result<MachineCode> assemble_text(const CodeTarget& target, std::string_view text, AssemblySyntax syntax) {
    const std::string head = syntax == AssemblySyntax::Intel ? ".intel_syntax noprefix\n" : ".att_syntax\n";
    const auto lines = prepared(target, text, syntax);
    if (!lines)
        return std::unexpected(lines.error());
    const std::string source_text = head + *lines;
    llvm::SourceMgr source;
    FirstDefect defect;
    source.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBuffer(source_text), llvm::SMLoc());
    defect.listen_to(source);

    const std::unique_ptr<llvm::MCAsmInfo> form(
        target.target().createMCAsmInfo(target.registers(), target.triple().str(), target.options()));
    llvm::MCContext context(target.triple(), form.get(), &target.registers(), &target.subtarget(), &source);
    const std::unique_ptr<llvm::MCObjectFileInfo> sections(
        target.target().createMCObjectFileInfo(context, false));
    context.setObjectFileInfo(sections.get());
    context.setDiagnosticHandler([&defect](const llvm::SMDiagnostic& diagnostic, bool, const llvm::SourceMgr&,
                                           std::vector<const llvm::MDNode*>&) { defect.take(diagnostic); });

    llvm::SmallVector<char, 256> object;
    llvm::raw_svector_ostream stream(object);
    std::unique_ptr<llvm::MCAsmBackend> backend(
        target.target().createMCAsmBackend(target.subtarget(), target.registers(), target.options()));
    std::unique_ptr<llvm::MCObjectWriter> writer = backend->createObjectWriter(stream);
    std::unique_ptr<llvm::MCCodeEmitter> emitter(
        target.target().createMCCodeEmitter(target.instructions(), context));
    const std::unique_ptr<llvm::MCStreamer> streamer(
        target.target().createMCObjectStreamer(target.triple(), context, std::move(backend),
                                               std::move(writer), std::move(emitter), target.subtarget()));
    const std::unique_ptr<llvm::MCAsmParser> parser(
        llvm::createMCAsmParser(source, context, *streamer, *form));
    const std::unique_ptr<llvm::MCTargetAsmParser> dialect(target.target().createMCAsmParser(
        target.subtarget(), *parser, target.instructions(), target.options()));
    if (!dialect)
        return fail(Fault::Environment, "LLVM was built without a parser of x86 assembly");
    parser->setTargetParser(*dialect);
    streamer->initSections(false, target.subtarget());
    if (parser->Run(/*NoInitialTextSection=*/true) || defect.is_found())
        return defect.error(1);

    auto code = code_of_object(llvm::StringRef(object.data(), object.size()));
    if (code && code->empty())
        return fail(Fault::Input, "found no instruction, expected one a line");
    return code;
}

} // namespace sparsight
