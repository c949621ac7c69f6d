#include "model/weights_archive.h"

#include "base/quantity.h"
#include "base/regular_file.h"

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>
#include <memory>
#include <optional>
#include <vector>

namespace sparsight {
namespace {

struct ArchiveDeleter {
    void operator()(archive* handle) const { archive_read_free(handle); }
};
using ArchiveHandle = std::unique_ptr<archive, ArchiveDeleter>;

std::unexpected<Error> damaged(archive* handle) {
    const char* reason = archive_error_string(handle);
    return fail(Fault::Input, fmt::format("the zip archive is damaged or breaks off: {}",
                                          reason != nullptr ? reason : "no directory at its end"));
}

Result<std::string> read_member(archive* handle, std::uint64_t limit, std::uint64_t& used) {
    std::string content;
    std::vector<char> block(std::size_t{1} << 16);
    for (;;) {
        const la_ssize_t count = archive_read_data(handle, block.data(), block.size());
        if (count < 0)
            return damaged(handle);
        if (count == 0)
            return content;
        used += static_cast<std::uint64_t>(count);
        if (used > limit)
            return fail(Fault::Limit,
                        fmt::format("unpacks to more than {}, which is the limit", format_bytes(limit)));
        content.append(block.data(), static_cast<std::size_t>(count));
    }
}

struct Members {
    std::map<std::string, std::string> by_path;

    /// "archive/" of "archive/data.pkl".
    [[nodiscard]] std::optional<std::string> prefix() const {
        for (const auto& [path, content] : by_path)
            if (path == "data.pkl" || path.ends_with("/data.pkl"))
                return path.substr(0, path.size() - std::string_view("data.pkl").size());
        return std::nullopt;
    }
};

Result<Members> unpack(const std::filesystem::path& path, std::uint64_t limit) {
    const ArchiveHandle handle(archive_read_new());
    if (!handle)
        return fail(Fault::Limit, "not enough memory to unpack it");
    // The seekable reader alone: it wants the directory at the end, so that a file cut short is noticed.
    archive_read_support_format_zip_seekable(handle.get());
    constexpr std::size_t read_size = std::size_t{1} << 16;
    if (archive_read_open_filename(handle.get(), path.c_str(), read_size) != ARCHIVE_OK)
        return damaged(handle.get());
    Members members;
    std::uint64_t used = 0;
    for (;;) {
        archive_entry* entry = nullptr;
        const int status = archive_read_next_header(handle.get(), &entry);
        if (status == ARCHIVE_EOF)
            return members;
        if (status != ARCHIVE_OK)
            return damaged(handle.get());
        const char* name = archive_entry_pathname(entry);
        if (name == nullptr || archive_entry_filetype(entry) != AE_IFREG)
            continue;
        std::string key = name;
        Result<std::string> content = read_member(handle.get(), limit, used);
        if (!content)
            return std::unexpected(content.error());
        if (!members.by_path.emplace(std::move(key), *std::move(content)).second)
            return fail(Fault::Input, "the zip archive holds a file twice");
    }
}

} // namespace

Result<WeightsArchive> read_weights_archive(const std::filesystem::path& path, std::uint64_t limit) {
    if (auto regular = require_regular_file(path); !regular)
        return std::unexpected(std::move(regular.error()));
    Result<Members> members = unpack(path, limit);
    if (!members)
        return std::unexpected(members.error());
    const std::optional<std::string> prefix = members->prefix();
    if (!prefix)
        return fail(Fault::Input,
                    "is no PyTorch file: the zip archive holds no data.pkl (torch.save of 1.6 and later)");
    auto& by_path = members->by_path;
    if (const auto order = by_path.find(*prefix + "byteorder");
        order != by_path.end() && order->second != "little")
        return fail(Fault::Input, fmt::format("its numbers are {}-endian, expected little", order->second));

    WeightsArchive archive{std::move(by_path[*prefix + "data.pkl"]), {}};
    const std::string folder = *prefix + "data/";
    for (auto& [name, content] : by_path)
        if (name.starts_with(folder))
            archive.storages.emplace(name.substr(folder.size()), std::move(content));
    return archive;
}

} // namespace sparsight
