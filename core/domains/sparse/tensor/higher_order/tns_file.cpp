#include "domains/sparse/tensor/higher_order/tns_file.h"

#include "base/files.h"
#include "base/reading/unpacked_file.h"
#include "domains/sparse/tensor/file_formats/matrix_market_header.h"
#include "domains/sparse/tensor/file_formats/text_parsing.h"

#include <algorithm>
#include <array>
#include <fmt/compile.h>
#include <fmt/format.h>
#include <iterator>
#include <new>
#include <utility>
#include <vector>

namespace sparsight {
namespace {

constexpr std::array<std::string_view, 1> tensor_suffixes{".tns"};
constexpr ArchiveMembers tensor_files{"tensor file", tensor_suffixes};

std::size_t words_of_line(const char* p) {
    std::size_t words = 0;
    for (p = skip_blanks(p); *p != '\n'; p = skip_blanks(p)) {
        ++words;
        p += word_at(p).size();
    }
    return words;
}

std::string index_defect(const char* p, std::size_t mode, std::size_t order) {
    const std::string_view word = word_at(p);
    if (word.empty())
        return fmt::format("the line has {} numbers; expected {} indices and a value", mode, order);
    const bool is_whole =
        word.find_first_not_of("0123456789", word.starts_with('-') ? 1 : 0) == std::string_view::npos &&
        word != "-";
    if (!is_whole)
        return fmt::format("index {} is {}; expected a whole number in 1..{}", mode + 1, quote(word),
                           max_extent);
    const bool is_zero = word.find_first_not_of('0') == std::string_view::npos;
    return fmt::format("index {} is {}, outside 1..{}{}", mode + 1, word.substr(0, 60), max_extent,
                       is_zero ? " (indices start at 1; this mode seems to count from 0)" : "");
}

class TnsReader {
public:
    TnsReader(ByteSource& source, const ReadOptions& options)
        : source_(source)
        , options_(options) {}

    Result<LoadedTensor> read() {
        TextBlocks blocks(source_, options_.block_bytes);
        TextBlock block;
        for (;;) {
            if (options_.stop.stop_requested())
                return fail(Fault::Cancelled, "reading was stopped");
            const Result<bool> more = blocks.next(block);
            if (!more)
                return std::unexpected(with_file_line(more.error(), lines_));
            if (!*more)
                break;
            if (auto parsed = parse(block.text()); !parsed)
                return std::unexpected(std::move(parsed).error());
            if (options_.progress)
                options_.progress({"reading", source_.consumed(), source_.total()});
        }
        if (loaded_.tensor.nnz() == 0)
            return defect("the file has no entry; expected lines of 3 or 4 indices and a value");
        for (const std::vector<std::int32_t>& mode : loaded_.tensor.coordinates)
            loaded_.tensor.sizes.push_back(std::int64_t{*std::ranges::max_element(mode)} + 1);
        loaded_.report.stored_entries = loaded_.tensor.nnz();
        loaded_.report.duplicates_merged = sort_entries(loaded_.tensor);
        return std::move(loaded_);
    }

private:
    [[nodiscard]] std::unexpected<Error> defect(std::string message) const {
        return fail_in_file(Fault::Input, {}, lines_, std::move(message));
    }
    [[nodiscard]] std::size_t order() const { return loaded_.tensor.coordinates.size(); }

    Result<void> parse(std::string_view text) {
        const char* p = text.data();
        const char* const end = text.data() + text.size();
        while (p != end) {
            ++lines_;
            p = skip_blanks(p);
            if (*p == '#')
                p = std::find(p, end, '\n');
            if (*p != '\n') {
                if (order() == 0)
                    if (auto known = take_order(p); !known)
                        return known;
                if (auto read = take_entry(p); !read)
                    return read;
            }
            ++p;
        }
        return {};
    }

    Result<void> take_order(const char* line) {
        const std::size_t words = words_of_line(line);
        if (words < least_tensor_order + 1 || words > most_tensor_order + 1)
            return defect(fmt::format("the first line has {} word{}; expected 3 or 4 indices and a value "
                                      "(.tns files of FROSTT have no header)",
                                      words, words == 1 ? "" : "s"));
        loaded_.tensor.coordinates.resize(words - 1);
        return {};
    }

    Result<void> take_entry(const char*& p) {
        for (std::size_t mode = 0; mode < order(); ++mode) {
            const char* const begin = p;
            std::uint64_t index = 0;
            if (!read_whole_number(p, index) || index - 1 >= static_cast<std::uint64_t>(max_extent) ||
                !ends_word(*p)) [[unlikely]]
                return defect(index_defect(begin, mode, order()));
            p = skip_blanks(p);
            loaded_.tensor.coordinates[mode].push_back(static_cast<std::int32_t>(index - 1));
        }
        const char* const begin = p;
        float value = 0;
        if (*p == '\n')
            return defect(
                fmt::format("the line has {} numbers; expected {} indices and a value", order(), order()));
        if (!read_float(p, value) || !ends_word(*p))
            return defect(fmt::format("the value is {}; expected a number", quote(word_at(begin))));
        p = skip_blanks(p);
        if (*p != '\n')
            return defect(
                fmt::format("{} stands behind the value; expected the end of the line", quote(word_at(p))));
        add_value(value);
        if (loaded_.tensor.nnz() > options_.limits.entries)
            return fail_in_file(Fault::Limit, {}, lines_,
                                fmt::format("the limit is {} entries", options_.limits.entries));
        return {};
    }

    void add_value(float value) {
        TensorReport& report = loaded_.report;
        loaded_.tensor.values.push_back(value);
        report.explicit_zeros += value == 0 ? 1 : 0;
        if (!std::isfinite(value)) {
            ++report.not_finite;
            if (report.first_not_finite_line == 0)
                report.first_not_finite_line = lines_;
        }
    }

    ByteSource& source_;
    const ReadOptions& options_;
    LoadedTensor loaded_;
    std::int64_t lines_ = 0;
};

Result<LoadedTensor> read(ByteSource& source, const ReadOptions& options) {
    try {
        return TnsReader(source, options).read();
    } catch (const std::bad_alloc&) {
        return fail(Fault::Limit, "there is not enough memory to read it");
    }
}

Result<LoadedTensor> read_file(const std::filesystem::path& path, const ReadOptions& options) {
    Result<UnpackedFile> file = open_unpacked(path, options.limits.unpacked_bytes, tensor_files);
    if (!file)
        return std::unexpected(std::move(file).error());
    Result<LoadedTensor> loaded = read(*file->bytes, options);
    if (loaded)
        loaded->name = file->name.stem().string();
    else if (file->is_member)
        loaded.error().message += fmt::format(" (in its file {})", file->name.string());
    return loaded;
}

} // namespace

Result<LoadedTensor> read_tensor(const std::filesystem::path& path, const ReadOptions& options) {
    Result<LoadedTensor> loaded = read_file(path, options);
    if (!loaded)
        loaded.error().file = path.string();
    return loaded;
}

Result<LoadedTensor> parse_tns(std::string_view text, const std::string& name, const ReadOptions& options) {
    Result<LoadedTensor> loaded = read(*memory_source(text), options);
    if (loaded)
        loaded->name = name;
    else
        loaded.error().file = name;
    return loaded;
}

Result<void> write_tns(const std::filesystem::path& path, const SparseTensor& tensor,
                       std::string_view comment) {
    Result<AtomicFile> file = AtomicFile::create(path);
    if (!file)
        return std::unexpected(std::move(file).error());
    fmt::memory_buffer buffer;
    auto to = std::back_inserter(buffer);
    while (!comment.empty()) {
        const std::string_view line = comment.substr(0, comment.find('\n'));
        fmt::format_to(to, "# {}\n", line);
        comment.remove_prefix(std::min(line.size() + 1, comment.size()));
    }
    constexpr std::size_t buffer_bytes = std::size_t{1} << 20;
    for (std::size_t entry = 0; entry < static_cast<std::size_t>(tensor.nnz()); ++entry) {
        for (const std::vector<std::int32_t>& mode : tensor.coordinates)
            fmt::format_to(to, FMT_COMPILE("{} "), std::int64_t{mode[entry]} + 1);
        fmt::format_to(to, FMT_COMPILE("{}\n"), tensor.has_values() ? tensor.values[entry] : 1.0F);
        if (buffer.size() < buffer_bytes)
            continue;
        if (auto written = file->write({buffer.data(), buffer.size()}); !written)
            return written;
        buffer.clear();
    }
    if (auto written = file->write({buffer.data(), buffer.size()}); !written)
        return written;
    return file->commit();
}

} // namespace sparsight
