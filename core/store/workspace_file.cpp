#include "store/workspace_file.h"

#include "store/sqlite.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <fmt/format.h>
#include <memory>
#include <span>
#include <string_view>
#include <system_error>
#include <unistd.h>

namespace sparsight {

namespace {

constexpr std::size_t header_size = 100; // https://www.sqlite.org/fileformat2.html#the_database_header
constexpr std::size_t page_size_offset = 16;
constexpr std::size_t application_id_offset = 68;
constexpr std::string_view magic("SQLite format 3\0", 16);

struct CloseFile {
    void operator()(std::FILE* file) const { (void)std::fclose(file); }
};
using FileHandle = std::unique_ptr<std::FILE, CloseFile>;

std::string reason(int number) {
    return std::generic_category().message(number);
}

std::filesystem::path folder_of(const std::filesystem::path& path) {
    const auto folder = path.parent_path();
    return folder.empty() ? std::filesystem::path(".") : folder;
}

} // namespace

bool may_write_beside(const std::filesystem::path& path) {
    return ::access(folder_of(path).c_str(), W_OK) == 0;
}

Result<void> check_path(const std::filesystem::path& path, WorkspaceAccess access) {
    const auto fails = [&](Fault fault, std::string message) {
        return fail_in_file(fault, path.string(), 0, std::move(message));
    };
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    if (status.type() == std::filesystem::file_type::not_found)
        return fails(Fault::Environment, "there is no such workspace");
    if (status.type() == std::filesystem::file_type::directory)
        return fails(Fault::Input, "this is a folder; a workspace is a file NAME.sparsight");
    if (status.type() == std::filesystem::file_type::none)
        return fails(Fault::Environment, fmt::format("the workspace can't be read: {}", error.message()));
    if (status.type() != std::filesystem::file_type::regular)
        return fails(Fault::Input, "this is not a regular file; a workspace is a file NAME.sparsight");
    if (access == WorkspaceAccess::Read)
        return {};
    if (::access(path.c_str(), W_OK) != 0)
        return fails(
            Fault::Environment,
            fmt::format("the workspace is read-only: this user may not write the file ({})", reason(errno)));
    if (!may_write_beside(path))
        return fails(
            Fault::Environment,
            fmt::format("the workspace is read-only: this user may not write into its folder {} ({})",
                        folder_of(path).string(), reason(errno)));
    return {};
}

Result<void> check_header(Database& database) {
    const auto fails = [&](std::string message) {
        return fail_in_file(Fault::Input, database.path().string(), 0, std::move(message));
    };
    std::array<unsigned char, header_size> header{};
    const auto big_endian = [&](std::size_t offset, std::size_t bytes) {
        std::uint32_t number = 0;
        for (std::size_t byte = 0; byte < bytes; ++byte)
            number = number << 8 | header[offset + byte];
        return number;
    };
    const auto size = database.read_raw(std::as_writable_bytes(std::span(header)));
    if (!size)
        return std::unexpected(size.error());
    if (*size == 0)
        return fails("this file is empty, not a workspace (an interrupted creation leaves one: delete it and "
                     "create it anew)");
    const std::string_view start(reinterpret_cast<const char*>(header.data()),
                                 std::min<std::uint64_t>(*size, magic.size()));
    if (start != magic)
        return fails("this is not a Sparsight workspace: it is not an SQLite file");
    if (*size < header.size())
        return fails(fmt::format("the workspace is damaged or cut off: it has only {} bytes", *size));
    const std::uint32_t id = big_endian(application_id_offset, 4);
    if (id != workspace_application_id)
        return fails(fmt::format("this is not a Sparsight workspace: it is an SQLite file of another program "
                                 "(application id {:#010x}, a workspace has {:#010x})",
                                 id, workspace_application_id));
    // SQLite takes a cut last page for a page of zeros. Unfinished writes beside the file are another matter:
    // it completes them.
    const std::uint32_t page = big_endian(page_size_offset, 2) == 1 ? 65536 : big_endian(page_size_offset, 2);
    std::error_code ignored;
    const bool writes_pending = std::filesystem::exists(database.path().string() + "-wal", ignored);
    if (!writes_pending && (page == 0 || *size % page != 0))
        return fails(fmt::format(
            "the workspace is damaged or cut off: its {} bytes are no whole number of pages of {}", *size,
            page));
    return {};
}

Result<void> claim_new_file(const std::filesystem::path& path) {
    const FileHandle file(std::fopen(path.c_str(), "wbx"));
    if (file)
        return {};
    const int number = errno;
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored))
        return fail_in_file(Fault::Input, path.string(), 0, "there is a folder of this name already");
    if (number == EEXIST)
        return fail_in_file(Fault::Input, path.string(), 0,
                            "there is a file of this name already; choose another or delete it");
    if (number == ENOENT)
        return fail_in_file(Fault::Environment, path.string(), 0,
                            fmt::format("there is no folder {}", folder_of(path).string()));
    return fail_in_file(Fault::Environment, path.string(), 0,
                        fmt::format("the workspace can't be created: {}", reason(number)));
}

} // namespace sparsight
