#include "base/reading/unpacked_file.h"

#include "base/files.h"
#include "base/quantity.h"
#include "base/reading/packed_file.h"

#include <algorithm>
#include <archive.h>
#include <archive_entry.h>
#include <array>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <optional>
#include <system_error>
#include <vector>

namespace sparsight {

namespace {

struct ArchiveDeleter {
    void operator()(archive* handle) const { archive_read_free(handle); }
};
using ArchiveHandle = std::unique_ptr<archive, ArchiveDeleter>;

/// libarchive's messages are about its own functions and the fields of a format. Those of PackedFile are
/// plain already.
std::string plain_reason(std::string_view reason, int number) {
    const auto has = [&](std::string_view word) { return reason.find(word) != std::string_view::npos; };
    if (reason.starts_with("the file "))
        return std::string(reason);
    if (has("runcated") || has("No progress is possible"))
        return std::string(ends_early);
    if (has("assphrase") || has("ncrypt"))
        return "the archive is encrypted";
    if (has("nsupported"))
        return "its compression is not supported, or the file is damaged";
    // EILSEQ: libarchive's number for a file that is not as its format demands; EINVAL: for a wrong call.
    if (number > 0 && number != EILSEQ && number != EINVAL)
        return number == ENOMEM ? "not enough memory" : std::generic_category().message(number);
    return "the file is damaged: its compressed data are not as they were written";
}

std::unexpected<Error> damaged(archive* handle, std::string_view when) {
    const char* reason = archive_error_string(handle);
    return fail(
        Fault::Input,
        fmt::format("{}: {}", when, plain_reason(reason != nullptr ? reason : "", archive_errno(handle))));
}

/// As libarchive asks for the bytes of a PackedFile: the number of bytes, 0 at the end, a negative number
/// after an error.
la_ssize_t read_packed(archive* handle, void* file, const void** bytes) {
    PackedFile& packed = *static_cast<PackedFile*>(file);
    const std::span<const char> content = packed.unpack();
    *bytes = content.data();
    if (!content.empty() || packed.problem().empty())
        return static_cast<la_ssize_t>(content.size());
    archive_set_error(handle, EILSEQ, "%s", packed.problem().c_str());
    return ARCHIVE_FATAL;
}

/// An open archive, and what it is read through.
struct Archive {
    std::unique_ptr<PackedFile> packed; ///< null: libarchive reads the file itself
    ArchiveHandle handle;

    [[nodiscard]] archive* get() const { return handle.get(); }
};

Result<Archive> open_archive(const std::filesystem::path& path) {
    const auto file = file_source(path);
    const auto head = file ? (*file)->head() : std::unexpected(file.error());
    if (!head)
        return std::unexpected(head.error());
    Archive opened{nullptr, ArchiveHandle(archive_read_new())};
    if (PackedFile::begins_with_magic(*head)) {
        auto packed = PackedFile::open(path);
        if (!packed)
            return std::unexpected(std::move(packed).error());
        opened.packed = *std::move(packed);
    }
    ArchiveHandle& handle = opened.handle;
    if (!handle)
        return fail(Fault::Limit, "not enough memory to unpack it");
    // By name: "all" would include filters that start other programs.
    archive_read_support_filter_xz(handle.get());
    archive_read_support_filter_zstd(handle.get());
    archive_read_support_format_tar(handle.get());
    archive_read_support_format_zip(handle.get());
    archive_read_support_format_raw(handle.get());
    archive_read_support_format_empty(handle.get());
    constexpr std::size_t read_size = std::size_t{1} << 18;
    const int status =
        opened.packed ? archive_read_open(handle.get(), opened.packed.get(), nullptr, &read_packed, nullptr)
                      : archive_read_open_filename(handle.get(), path.c_str(), read_size);
    if (status != ARCHIVE_OK)
        return damaged(handle.get(), "cannot be unpacked");
    return opened;
}

bool is_format(const Archive& opened, int format) {
    return (archive_format(opened.get()) & ARCHIVE_FORMAT_BASE_MASK) == format;
}

class ArchiveSource final : public ByteSource {
public:
    ArchiveSource(Archive opened, std::uint64_t file_bytes, std::uint64_t limit)
        : archive_(std::move(opened))
        , file_bytes_(file_bytes)
        , limit_(limit) {}

    std::uint64_t consumed() const override {
        if (archive_.packed)
            return archive_.packed->consumed();
        return static_cast<std::uint64_t>(std::max<la_int64_t>(archive_filter_bytes(archive_.get(), -1), 0));
    }
    std::uint64_t total() const override { return file_bytes_; }

private:
    Result<std::size_t> fetch(std::span<char> into) override {
        if (has_ended_)
            return 0;
        const la_ssize_t got = archive_read_data(archive_.get(), into.data(), into.size());
        has_ended_ = got == 0;
        const Result<bool> intact = has_ended_ ? is_rest_intact() : got > 0;
        if (!intact)
            return std::unexpected(intact.error());
        if (!*intact)
            return damaged(archive_.get(),
                           fmt::format("cannot be unpacked beyond {} of content", format_bytes(unpacked_)));
        if (auto counted = count(static_cast<std::size_t>(got)); !counted)
            return std::unexpected(counted.error());
        return static_cast<std::size_t>(got);
    }

    /// The checksum of a compressed archive stands at its end, behind all other members. They may be larger
    /// than the wanted one, but not without end.
    [[nodiscard]] Result<bool> is_rest_intact() {
        const void* bytes = nullptr;
        la_int64_t offset = 0;
        std::size_t size = 0;
        for (archive_entry* entry = nullptr;;) {
            int status = archive_read_next_header(archive_.get(), &entry);
            if (status == ARCHIVE_EOF)
                break;
            while (status >= ARCHIVE_WARN && status != ARCHIVE_EOF) {
                status = archive_read_data_block(archive_.get(), &bytes, &size, &offset);
                if (auto counted = count(status == ARCHIVE_EOF ? 0 : size); !counted)
                    return std::unexpected(counted.error());
            }
            if (status < ARCHIVE_WARN)
                return false;
        }
        la_ssize_t got = 1;
        while (archive_.packed && got > 0) {
            got = read_packed(archive_.get(), archive_.packed.get(), &bytes);
            if (auto counted = count(static_cast<std::size_t>(std::max<la_ssize_t>(got, 0))); !counted)
                return std::unexpected(counted.error());
        }
        return got >= 0;
    }

    [[nodiscard]] Result<void> count(std::size_t bytes) {
        unpacked_ += bytes;
        if (unpacked_ > limit_)
            return fail(Fault::Limit,
                        fmt::format("unpacks to more than {} bytes, which is the limit", limit_));
        return {};
    }

    Archive archive_;
    std::uint64_t file_bytes_;
    std::uint64_t limit_;
    std::uint64_t unpacked_ = 0;
    bool has_ended_ = false;
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

bool is_wanted(archive_entry* entry, const ArchiveMembers& members) {
    const std::filesystem::path name = member_name(entry);
    // "._x.mtx" is what macOS adds to archives beside every file.
    return archive_entry_filetype(entry) == AE_IFREG && !name.filename().string().starts_with("._") &&
           std::ranges::any_of(members.suffixes,
                               [&](std::string_view suffix) { return has_suffix(name, suffix); });
}

/// A zip archive ends with a directory of its files, and that with a record of at least 22 bytes and a
/// comment. libarchive does without it where the file can't be moved about in, and so does not miss it in a
/// file that is cut off.
bool ends_with_directory(const std::filesystem::path& path, std::uint64_t file_bytes) {
    constexpr std::string_view record_magic{"PK\x05\x06"};
    constexpr std::uint64_t record_bytes = 22;
    constexpr std::uint64_t longest_comment = 65'535;
    std::string end(std::min(file_bytes, record_bytes + longest_comment), '\0');
    std::ifstream file(path, std::ios::binary);
    file.seekg(static_cast<std::streamoff>(file_bytes - end.size()));
    if (!file.read(end.data(), std::ssize(end)))
        return true; // reading it says why
    const std::size_t record = end.rfind(record_magic);
    return record != std::string::npos && end.size() - record >= record_bytes;
}

/// Moves on to the next wanted file in the archive; null at its end.
Result<archive_entry*> next_wanted(archive* handle, const ArchiveMembers& members) {
    for (;;) {
        archive_entry* entry = nullptr;
        const int status = archive_read_next_header(handle, &entry);
        if (status == ARCHIVE_EOF)
            return nullptr;
        if (status < ARCHIVE_WARN)
            return damaged(handle, "cannot be unpacked");
        if (is_wanted(entry, members))
            return entry;
    }
}

Result<std::filesystem::path> choose(const std::vector<std::filesystem::path>& candidates,
                                     const ArchiveMembers& members) {
    if (candidates.empty())
        return fail(Fault::Input, fmt::format("the archive holds no {} ({})", members.noun,
                                              fmt::join(members.suffixes, ", ")));
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
    return fail(Fault::Input,
                fmt::format("the archive holds {} {}s and none is named like the archive, so unpack the one "
                            "that is meant: {}",
                            names.size(), members.noun, fmt::join(names, ", ")));
}

Result<UnpackedFile> open_member(const std::filesystem::path& path, Archive opened, archive_entry* entry,
                                 std::uint64_t file_bytes, std::uint64_t limit,
                                 const ArchiveMembers& members) {
    const std::filesystem::path wanted = without_suffixes(path, archive_suffixes);
    std::vector<std::filesystem::path> candidates;
    bool found = false;
    auto take = [&] {
        candidates.push_back(member_name(entry));
        found = candidates.back().stem() == wanted;
    };
    if (is_wanted(entry, members))
        take();
    // The one named like the archive is taken when it comes by, so that a large tar is unpacked only once.
    while (!found) {
        const Result<archive_entry*> next = next_wanted(opened.get(), members);
        if (!next)
            return std::unexpected(next.error());
        entry = *next;
        if (entry == nullptr)
            break;
        take();
    }
    if (found)
        return UnpackedFile{candidates.back(), true,
                            std::make_unique<ArchiveSource>(std::move(opened), file_bytes, limit)};
    const Result<std::filesystem::path> chosen = choose(candidates, members);
    if (!chosen)
        return std::unexpected(chosen.error());
    Result<Archive> again = open_archive(path);
    if (!again)
        return std::unexpected(again.error());
    for (;;) {
        const Result<archive_entry*> next = next_wanted(again->get(), members);
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

std::string_view compression_of_name(const std::filesystem::path& name) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 10> compressions{{{".gz", "gzip"},
                                                                                          {".tgz", "gzip"},
                                                                                          {".bz2", "bzip2"},
                                                                                          {".tbz2", "bzip2"},
                                                                                          {".xz", "xz"},
                                                                                          {".txz", "xz"},
                                                                                          {".zst", "zstd"},
                                                                                          {".tzst", "zstd"},
                                                                                          {".tar", "tar"},
                                                                                          {".zip", "zip"}}};
    for (const auto& [suffix, compression] : compressions)
        if (has_suffix(name, suffix))
            return compression;
    return {};
}

bool is_compressed(std::string_view head) {
    using namespace std::string_view_literals;
    constexpr std::size_t tar_magic_offset = 257;
    constexpr std::array magics{"\xfd"
                                "7zXZ\0"sv,
                                "\x28\xb5\x2f\xfd"sv, "PK\x03\x04"sv, "PK\x05\x06"sv};
    return PackedFile::begins_with_magic(head) ||
           std::ranges::any_of(magics, [&](std::string_view magic) { return head.starts_with(magic); }) ||
           (head.size() > tar_magic_offset && head.substr(tar_magic_offset).starts_with("ustar"sv));
}

Result<UnpackedFile> open_compressed(const std::filesystem::path& path, std::uint64_t limit,
                                     const ArchiveMembers& members) {
    std::error_code ignored;
    const std::uintmax_t size = std::filesystem::file_size(path, ignored);
    const std::uint64_t file_bytes = ignored ? 0 : size;
    Result<Archive> opened = open_archive(path);
    if (!opened)
        return std::unexpected(opened.error());
    archive_entry* entry = nullptr;
    const int status = archive_read_next_header(opened->get(), &entry);
    if (opened->packed && !opened->packed->problem().empty())
        return fail(Fault::Input, "cannot be unpacked: " + opened->packed->problem());
    if (status ==
        ARCHIVE_EOF) // a tar archive ends with zeros, so that nothing but zeros is one without files
        return fail(Fault::Input,
                    is_format(*opened, ARCHIVE_FORMAT_EMPTY)
                        ? "the compressed file is empty"
                        : fmt::format("there is no {} in it, only zeros or an empty archive", members.noun));
    if (status < ARCHIVE_WARN)
        return damaged(opened->get(), "cannot be unpacked");
    if (is_format(*opened, ARCHIVE_FORMAT_RAW))
        return UnpackedFile{without_suffixes(path, compression_suffixes), false,
                            std::make_unique<ArchiveSource>(*std::move(opened), file_bytes, limit)};
    const bool is_zip = is_format(*opened, ARCHIVE_FORMAT_ZIP) && !opened->packed;
    if (is_zip && !ends_with_directory(path, file_bytes))
        return fail(Fault::Input,
                    fmt::format("{}: the directory of the archive is missing, and further files may be lost",
                                ends_early));
    return open_member(path, *std::move(opened), entry, file_bytes, limit, members);
}

Result<UnpackedFile> open_unpacked(const std::filesystem::path& path, std::uint64_t limit,
                                   const ArchiveMembers& members) {
    Result<std::unique_ptr<ByteSource>> file = file_source(path);
    if (!file)
        return std::unexpected(std::move(file.error()));
    const Result<std::string_view> head = (*file)->head();
    if (!head)
        return std::unexpected(head.error());
    if (is_compressed(*head))
        return open_compressed(path, limit, members);
    return UnpackedFile{path.filename(), false, *std::move(file)};
}

} // namespace sparsight
