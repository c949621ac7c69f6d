#include "core/domains/sparse/schedule/waco_data.h"

#include "support/test_files.h"

#include <algorithm>
#include <archive.h>
#include <archive_entry.h>
#include <fstream>
#include <iterator>
#include <memory>
#include <stdexcept>

namespace sparsight::testing {
namespace {

std::string decompressed(const std::filesystem::path& path) {
    const std::unique_ptr<archive, decltype(&archive_read_free)> reader(archive_read_new(),
                                                                        &archive_read_free);
    archive_read_support_filter_xz(reader.get());
    archive_read_support_format_raw(reader.get());
    archive_entry* entry = nullptr;
    if (archive_read_open_filename(reader.get(), path.c_str(), 1 << 20) != ARCHIVE_OK ||
        archive_read_next_header(reader.get(), &entry) != ARCHIVE_OK)
        throw std::runtime_error(archive_error_string(reader.get()));
    std::string content;
    std::vector<char> block(1 << 20);
    la_ssize_t bytes = 0;
    while ((bytes = archive_read_data(reader.get(), block.data(), block.size())) > 0)
        content.append(block.data(), static_cast<std::size_t>(bytes));
    if (bytes < 0)
        throw std::runtime_error(archive_error_string(reader.get()));
    return content;
}

} // namespace

std::vector<std::filesystem::path> collected_files(Operator op) {
    constexpr std::array<std::string_view, 3> folders{"SpMM", "SpMV", "SDDMM"};
    std::vector<std::filesystem::path> files;
    const auto folder = shared_path("waco/original") / folders[static_cast<std::size_t>(op)];
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        if (entry.path().extension() == ".txt")
            files.push_back(entry.path());
    return files;
}

void for_each_published_runtime(const std::filesystem::path& table,
                                const std::function<void(const PublishedRuntime&)>& take) {
    const std::string content = decompressed(table);
    std::string_view rest(content);
    rest.remove_prefix(rest.find('\n') + 1);
    while (!rest.empty()) {
        const std::size_t length = std::min(rest.find('\n'), rest.size());
        std::string_view line = rest.substr(0, length);
        rest.remove_prefix(std::min(length + 1, rest.size()));
        if (line.ends_with('\r'))
            line.remove_suffix(1);
        const std::size_t last = line.rfind(',');
        const std::size_t before = line.rfind(',', last - 1);
        take({parse_operator(line.substr(0, line.find(','))).value_or(Operator::SpMM),
              line.substr(before + 1, last - before - 1), line.substr(last + 1)});
    }
}

} // namespace sparsight::testing
