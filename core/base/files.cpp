#include "base/files.h"

#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace sparsight {

bool names_file(const std::string& text) {
    std::error_code ignored;
    const auto status = std::filesystem::status(text, ignored);
    return std::filesystem::exists(status) && !std::filesystem::is_directory(status);
}

Result<void> require_regular_file(const std::filesystem::path& path) {
    const auto refuse = [](std::string_view what) {
        return fail(Fault::Environment, fmt::format("is {}, not a file", what));
    };
    std::error_code code;
    switch (std::filesystem::status(path, code).type()) {
    case std::filesystem::file_type::regular:
        return {};
    case std::filesystem::file_type::directory:
        return refuse("a folder");
    case std::filesystem::file_type::fifo:
        return refuse("a pipe");
    case std::filesystem::file_type::character:
    case std::filesystem::file_type::block:
        return refuse("a device");
    case std::filesystem::file_type::socket:
        return refuse("a socket");
    case std::filesystem::file_type::none:
    case std::filesystem::file_type::not_found:
        return fail(Fault::Environment, fmt::format("cannot be opened: {}", code.message()));
    default:
        return refuse("something unknown");
    }
}

Result<std::string> read_whole_file(const std::filesystem::path& path, std::uint64_t most) {
    const std::string name = path.string();
    if (auto regular = require_regular_file(path); !regular)
        return fail_in_file(regular.error().fault, name, 0, std::move(regular.error().message));
    std::error_code code;
    if (const auto size = std::filesystem::file_size(path, code); !code && size > most)
        return fail_in_file(Fault::Limit, name, 0,
                            fmt::format("has {} bytes, where at most {} are expected", size, most));
    std::ifstream file(path, std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(file), {}};
    if (!file.is_open() || file.bad())
        return fail_in_file(Fault::Environment, name, 0, "cannot be read");
    return bytes;
}

namespace {

/// A file that was not there before, with the permissions that any program would give it. Not mkstemp: its
/// files are private, and what the process's umask is can only be asked by changing it.
int create_beside(const std::filesystem::path& target, std::string& name) {
    constexpr int attempts = 1000;
    for (int attempt = 0; attempt < attempts; ++attempt) {
        name = fmt::format("{}.{}-{}.new", target.string(), ::getpid(), attempt);
        const int descriptor = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor >= 0 || errno != EEXIST)
            return descriptor;
    }
    return -1;
}

/// So that the new name, too, survives a power failure. Not every file system can; then there is nothing to
/// do.
void synchronise_folder(const std::filesystem::path& folder) {
    const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0)
        return;
    ::fsync(descriptor);
    ::close(descriptor);
}

} // namespace

AtomicFile::AtomicFile(std::filesystem::path path, std::string temporary, int descriptor)
    : path_(std::move(path))
    , temporary_(std::move(temporary))
    , descriptor_(descriptor) {}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : path_(std::move(other.path_))
    , temporary_(std::exchange(other.temporary_, {}))
    , descriptor_(std::exchange(other.descriptor_, -1)) {}

AtomicFile::~AtomicFile() {
    discard();
}

Result<AtomicFile> AtomicFile::create(const std::filesystem::path& path) {
    // Through a symbolic link: the file it points to is replaced, not the link.
    std::error_code failed;
    const std::filesystem::path resolved = std::filesystem::weakly_canonical(path, failed);
    const std::filesystem::path target = failed ? path : resolved;
    if (std::filesystem::is_directory(target, failed))
        return fail_in_file(Fault::Environment, path.string(), 0, "cannot be written: it is a folder");
    // A pipe or a device (/dev/stdout, /dev/full) is written to directly: no file may replace it.
    const std::filesystem::file_status status = std::filesystem::status(target, failed);
    if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
        AtomicFile stream(path, {}, ::open(path.c_str(), O_WRONLY | O_CLOEXEC));
        if (stream.descriptor_ < 0)
            return stream.failure("cannot be opened");
        return stream;
    }
    std::string temporary;
    const int descriptor = create_beside(target, temporary);
    if (descriptor < 0)
        return AtomicFile(target, {}, -1).failure("cannot be created");
    AtomicFile file(target, std::move(temporary), descriptor);
    struct stat replaced{};
    if (::stat(target.c_str(), &replaced) == 0 && ::fchmod(descriptor, replaced.st_mode & 07777) != 0)
        return file.failure("cannot be given its permissions");
    return file;
}

Result<void> AtomicFile::write(std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return failure("cannot be written");
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return {};
}

Result<void> AtomicFile::commit() {
    const bool is_stream = temporary_.empty();
    if (!is_stream && ::fsync(descriptor_) != 0)
        return failure("cannot be written");
    if (::close(std::exchange(descriptor_, -1)) != 0)
        return failure("cannot be written");
    if (is_stream)
        return {};
    if (::rename(temporary_.c_str(), path_.c_str()) != 0)
        return failure("cannot be put in its place");
    temporary_.clear();
    synchronise_folder(path_.parent_path());
    return {};
}

std::unexpected<Error> AtomicFile::failure(std::string_view what) const {
    const std::error_code code(errno, std::generic_category());
    return fail_in_file(Fault::Environment, path_.string(), 0, fmt::format("{}: {}", what, code.message()));
}

void AtomicFile::discard() noexcept {
    if (descriptor_ >= 0)
        ::close(descriptor_);
    if (!temporary_.empty())
        ::unlink(temporary_.c_str());
}

Result<void> write_whole_file(const std::filesystem::path& path, std::string_view bytes) {
    auto file = AtomicFile::create(path);
    if (!file)
        return std::unexpected(std::move(file).error());
    if (auto written = file->write(bytes); !written)
        return written;
    return file->commit();
}

} // namespace sparsight
