#include "matrix/archive_source.h"

#include "base/quantity.h"

#include <algorithm>
#include <archive.h>
#include <archive_entry.h>
#include <array>
#include <fmt/ranges.h>
#include <vector>

namespace sparsight {

namespace {

struct ArchiveDeleter {
    void operator()(archive* handle) const { archive_read_free(handle); }
};
using ArchiveHandle = std::unique_ptr<archive, ArchiveDeleter>;

std::unexpected<Error> damaged(archive* handle, std::string_view when) {
    const char* reason = archive_error_string(handle);
    return fail(Fault::Input,
                fmt::format("{}: {}", when, reason != nullptr ? reason : "the compressed data are damaged"));
}

Result<ArchiveHandle> open_archive(const std::filesystem::path& path) {
    ArchiveHandle handle(archive_read_new());
    if (!handle)
        return fail(Fault::Limit, "not enough memory to unpack it");
    // By name: "all" would include filters that start other programs.
    archive_read_support_filter_gzip(handle.get());
    archive_read_support_filter_bzip2(handle.get());
    archive_read_support_filter_xz(handle.get());
    archive_read_support_filter_zstd(handle.get());
    archive_read_support_format_tar(handle.get());
    archive_read_support_format_zip(handle.get());
    archive_read_support_format_raw(handle.get());
    archive_read_support_format_empty(handle.get());
    constexpr std::size_t read_size = std::size_t{1} << 18;
    if (archive_read_open_filename(handle.get(), path.c_str(), read_size) != ARCHIVE_OK)
        return damaged(handle.get(), "cannot be unpacked");
    return handle;
}

class ArchiveSource final : public ByteSource {
public:
    ArchiveSource(ArchiveHandle handle, std::uint64_t file_bytes, std::uint64_t limit)
        : handle_(std::move(handle))
        , file_bytes_(file_bytes)
        , limit_(limit) {}

    std::uint64_t consumed() const override {
        return static_cast<std::uint64_t>(std::max<la_int64_t>(archive_filter_bytes(handle_.get(), -1), 0));
    }
    std::uint64_t total() const override { return file_bytes_; }

private:
    Result<std::size_t> fetch(std::span<char> into) override {
        const la_ssize_t count = archive_read_data(handle_.get(), into.data(), into.size());
        if (count < 0)
            return damaged(handle_.get(), fmt::format("the compressed data break off after {} of content",
                                                      format_bytes(unpacked_)));
        unpacked_ += static_cast<std::uint64_t>(count);
        if (unpacked_ > limit_)
            return fail(Fault::Limit,
                        fmt::format("unpacks to more than {} bytes, which is the limit", limit_));
        return static_cast<std::size_t>(count);
    }

    ArchiveHandle handle_;
    std::uint64_t file_bytes_;
    std::uint64_t limit_;
    std::uint64_t unpacked_ = 0;
};

std::string lower_case(std::string text) {
    std::ranges::transform(text, text.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
    return text;
}

bool has_suffix(const std::filesystem::path& name, std::string_view suffix) {
    return lower_case(name.filename().string()).ends_with(suffix);
}

/// "west0067.tar.gz" → "west0067".
std::filesystem::path without_suffixes(const std::filesystem::path& path,
                                       std::span<const std::string_view> suffixes) {
    std::filesystem::path name = path.filename();
    while (std::ranges::any_of(suffixes, [&](std::string_view suffix) { return has_suffix(name, suffix); }) &&
           !name.stem().empty() && name.stem() != name)
        name = name.stem();
    return name;
}

constexpr std::array<std::string_view, 4> compression_suffixes{".gz", ".bz2", ".xz", ".zst"};
constexpr std::array<std::string_view, 10> archive_suffixes{".gz",  ".bz2",  ".xz",  ".zst",  ".tar",
                                                            ".tgz", ".tbz2", ".txz", ".tzst", ".zip"};

std::filesystem::path member_name(archive_entry* entry) {
    const char* name = archive_entry_pathname(entry);
    if (name == nullptr)
        name = archive_entry_pathname_utf8(entry);
    return name != nullptr ? name : "";
}

bool is_matrix_file(archive_entry* entry) {
    const std::filesystem::path name = member_name(entry);
    // "._x.mtx" is what macOS adds to archives beside every file.
    return archive_entry_filetype(entry) == AE_IFREG && !name.filename().string().starts_with("._") &&
           (has_suffix(name, ".mtx") || has_suffix(name, ".csr") || has_suffix(name, ".smtx"));
}

/// Moves on to the next matrix file in the archive; null at its end.
Result<archive_entry*> next_matrix_file(archive* handle) {
    for (;;) {
        archive_entry* entry = nullptr;
        const int status = archive_read_next_header(handle, &entry);
        if (status == ARCHIVE_EOF)
            return nullptr;
        if (status < ARCHIVE_WARN)
            return damaged(handle, "cannot be unpacked");
        if (is_matrix_file(entry))
            return entry;
    }
}

Result<std::filesystem::path> choose(const std::vector<std::filesystem::path>& candidates) {
    if (candidates.empty())
        return fail(Fault::Input, "the archive holds no matrix file (.mtx, .csr, .smtx)");
    if (candidates.size() == 1)
        return candidates.front();
    std::vector<std::filesystem::path> named_like_folder;
    std::ranges::copy_if(
        candidates, std::back_inserter(named_like_folder),
        [](const std::filesystem::path& name) { return name.stem() == name.parent_path().filename(); });
    if (named_like_folder.size() == 1)
        return named_like_folder.front();
    std::vector<std::string> names;
    std::ranges::transform(candidates, std::back_inserter(names),
                           [](const auto& name) { return name.string(); });
    return fail(
        Fault::Input,
        fmt::format("the archive holds {} matrix files and none is named like the archive, so unpack the one "
                    "that is meant: {}",
                    names.size(), fmt::join(names, ", ")));
}

Result<UnpackedFile> open_member(const std::filesystem::path& path, ArchiveHandle handle,
                                 archive_entry* entry, std::uint64_t file_bytes, std::uint64_t limit) {
    const std::filesystem::path wanted = without_suffixes(path, archive_suffixes);
    std::vector<std::filesystem::path> candidates;
    bool found = false;
    auto take = [&] {
        candidates.push_back(member_name(entry));
        found = candidates.back().stem() == wanted;
    };
    if (is_matrix_file(entry))
        take();
    // The one named like the archive is taken when it comes by, so that a large tar is unpacked only once.
    while (!found) {
        const Result<archive_entry*> next = next_matrix_file(handle.get());
        if (!next)
            return std::unexpected(next.error());
        entry = *next;
        if (entry == nullptr)
            break;
        take();
    }
    if (found)
        return UnpackedFile{candidates.back(), true,
                            std::make_unique<ArchiveSource>(std::move(handle), file_bytes, limit)};
    const Result<std::filesystem::path> chosen = choose(candidates);
    if (!chosen)
        return std::unexpected(chosen.error());
    Result<ArchiveHandle> again = open_archive(path);
    if (!again)
        return std::unexpected(again.error());
    for (;;) {
        const Result<archive_entry*> next = next_matrix_file(again->get());
        if (!next)
            return std::unexpected(next.error());
        if (*next == nullptr)
            return fail(Fault::Environment, "the archive changed while it was read");
        if (member_name(*next) == *chosen)
            return UnpackedFile{*chosen, true,
                                std::make_unique<ArchiveSource>(*std::move(again), file_bytes, limit)};
    }
}

} // namespace

bool is_compressed(std::string_view head) {
    using namespace std::string_view_literals;
    constexpr std::size_t tar_magic_offset = 257;
    constexpr std::array magics{"\x1f\x8b"sv,
                                "BZh"sv,
                                "\xfd"
                                "7zXZ\0"sv,
                                "\x28\xb5\x2f\xfd"sv,
                                "PK\x03\x04"sv,
                                "PK\x05\x06"sv};
    return std::ranges::any_of(magics, [&](std::string_view magic) { return head.starts_with(magic); }) ||
           (head.size() > tar_magic_offset && head.substr(tar_magic_offset).starts_with("ustar"sv));
}

Result<UnpackedFile> open_compressed(const std::filesystem::path& path, std::uint64_t limit) {
    std::error_code ignored;
    const std::uintmax_t size = std::filesystem::file_size(path, ignored);
    const std::uint64_t file_bytes = ignored ? 0 : size;
    Result<ArchiveHandle> handle = open_archive(path);
    if (!handle)
        return std::unexpected(handle.error());
    archive_entry* entry = nullptr;
    const int status = archive_read_next_header(handle->get(), &entry);
    if (status == ARCHIVE_EOF)
        return fail(Fault::Input, "the compressed file is empty");
    if (status < ARCHIVE_WARN)
        return damaged(handle->get(), "cannot be unpacked");
    if ((archive_format(handle->get()) & ARCHIVE_FORMAT_BASE_MASK) == ARCHIVE_FORMAT_RAW)
        return UnpackedFile{without_suffixes(path, compression_suffixes), false,
                            std::make_unique<ArchiveSource>(*std::move(handle), file_bytes, limit)};
    return open_member(path, *std::move(handle), entry, file_bytes, limit);
}

Result<UnpackedFile> open_unpacked(const std::filesystem::path& path, std::uint64_t limit) {
    Result<std::unique_ptr<ByteSource>> file = file_source(path);
    if (!file)
        return std::unexpected(std::move(file.error()));
    const Result<std::string_view> head = (*file)->head();
    if (!head)
        return std::unexpected(head.error());
    if (is_compressed(*head))
        return open_compressed(path, limit);
    return UnpackedFile{path.filename(), false, *std::move(file)};
}

} // namespace sparsight
