// Compressed files and archives, made with libarchive for each test.
#include "matrix/reading.h"
#include "support/temporary_folder.h"

#include <archive.h>
#include <archive_entry.h>
#include <functional>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <utility>
#include <vector>

namespace sparsight {
namespace {

using testing::file_content;
using testing::TemporaryFolder;
using testing::write_file;

using Members = std::vector<std::pair<std::string, std::string>>;

void write_archive(const std::filesystem::path& path, const Members& members,
                   const std::function<void(archive*)>& set_up) {
    archive* const file = archive_write_new();
    set_up(file);
    ASSERT_EQ(archive_write_open_filename(file, path.c_str()), ARCHIVE_OK) << archive_error_string(file);
    for (const auto& [name, content] : members) {
        archive_entry* const entry = archive_entry_new();
        archive_entry_set_pathname(entry, name.c_str());
        archive_entry_set_size(entry, static_cast<la_int64_t>(content.size()));
        archive_entry_set_filetype(entry, name.ends_with('/') ? AE_IFDIR : AE_IFREG);
        archive_entry_set_perm(entry, 0644);
        EXPECT_EQ(archive_write_header(file, entry), ARCHIVE_OK) << archive_error_string(file);
        archive_write_data(file, content.data(), content.size());
        archive_entry_free(entry);
    }
    archive_write_free(file);
}

void tar_gz(archive* file) {
    archive_write_set_format_ustar(file);
    archive_write_add_filter_gzip(file);
}

std::string matrix_with(int entries) {
    std::string text = "%%MatrixMarket matrix coordinate pattern general\n" + std::to_string(entries) +
                       " 1 " + std::to_string(entries) + "\n";
    for (int row = 1; row <= entries; ++row)
        text += std::to_string(row) + " 1\n";
    return text;
}

void expect_read(const std::filesystem::path& path, const std::string& name, std::int64_t nnz) {
    const Result<LoadedMatrix> loaded = read_matrix(path);
    ASSERT_TRUE(loaded) << loaded.error().text();
    EXPECT_EQ(loaded->name, name);
    EXPECT_EQ(loaded->pattern.nnz(), nnz);
}

Error error_of(const std::filesystem::path& path, const ReadOptions& options = {}) {
    const Result<LoadedMatrix> loaded = read_matrix(path, options);
    if (loaded) {
        ADD_FAILURE() << path << " was read";
        return {};
    }
    EXPECT_EQ(loaded.error().file, path.string());
    return loaded.error();
}

TEST(CompressedReader, ReadsFilesCompressedInEveryWay) {
    const TemporaryFolder folder;
    const std::vector<std::pair<std::string, int (*)(archive*)>> filters{
        {".gz", &archive_write_add_filter_gzip},
        {".bz2", &archive_write_add_filter_bzip2},
        {".xz", &archive_write_add_filter_xz},
        {".zst", &archive_write_add_filter_zstd}};
    for (const auto& [suffix, filter] : filters) {
        write_archive(folder / ("a.b.mtx" + suffix), {{"", matrix_with(1000)}}, [&](archive* file) {
            archive_write_set_format_raw(file);
            filter(file);
        });
        expect_read(folder / ("a.b.mtx" + suffix), "a.b", 1000);
    }
}

TEST(CompressedReader, KnowsACompressedFileByItsContent) {
    const TemporaryFolder folder;
    write_archive(folder / "a.mtx", {{"", matrix_with(3)}}, [](archive* file) {
        archive_write_set_format_raw(file);
        archive_write_add_filter_gzip(file);
    });
    expect_read(folder / "a.mtx", "a", 3);
}

TEST(CompressedReader, KnowsAMatrixMarketFileByItsBanner) {
    const TemporaryFolder folder;
    expect_read(write_file(folder / "matrix.txt", matrix_with(2)), "matrix", 2);
    expect_read(write_file(folder / "marked.txt", "\xef\xbb\xbf" + matrix_with(2)), "marked", 2);
}

TEST(CompressedReader, TakesTheMemberNamedLikeTheArchive) {
    const TemporaryFolder folder;
    const Members members{{"bcsstk/", ""},
                          {"bcsstk/bcsstk_b.mtx", matrix_with(5)},
                          {"bcsstk/README.txt", "hello"},
                          {"bcsstk/bcsstk.mtx", matrix_with(7)},
                          {"bcsstk/bcsstk_x.mtx", matrix_with(6)}};
    write_archive(folder / "bcsstk.tar.gz", members, &tar_gz);
    expect_read(folder / "bcsstk.tar.gz", "bcsstk", 7);
    write_archive(folder / "bcsstk.tgz", members, &tar_gz);
    expect_read(folder / "bcsstk.tgz", "bcsstk", 7);
    write_archive(folder / "bcsstk.tar", members,
                  [](archive* file) { archive_write_set_format_ustar(file); });
    expect_read(folder / "bcsstk.tar", "bcsstk", 7);
    write_archive(folder / "bcsstk.zip", members, [](archive* file) { archive_write_set_format_zip(file); });
    expect_read(folder / "bcsstk.zip", "bcsstk", 7);
}

TEST(CompressedReader, TakesTheMemberNamedLikeItsFolderWhenTheArchiveWasRenamed) {
    const TemporaryFolder folder;
    write_archive(folder / "download.tar.gz",
                  {{"bcsstk/bcsstk_b.mtx", matrix_with(5)}, {"bcsstk/bcsstk.mtx", matrix_with(7)}}, &tar_gz);
    expect_read(folder / "download.tar.gz", "bcsstk", 7);
}

TEST(CompressedReader, TakesTheOnlyMatrixThereIs) {
    const TemporaryFolder folder;
    write_archive(folder / "download.zip",
                  {{"notes.txt", "hello"}, {"some.mtx", matrix_with(2)}, {"._some.mtx", "mac"}},
                  [](archive* file) { archive_write_set_format_zip(file); });
    expect_read(folder / "download.zip", "some", 2);
}

TEST(CompressedReader, ListsTheCandidatesWhenItCannotChoose) {
    const TemporaryFolder folder;
    write_archive(folder / "all.tar.gz", {{"one.mtx", matrix_with(1)}, {"two.mtx", matrix_with(2)}}, &tar_gz);
    EXPECT_EQ(error_of(folder / "all.tar.gz").message, "the archive holds 2 matrix files and none is named "
                                                       "like the archive, so unpack the one that is meant: "
                                                       "one.mtx, two.mtx");
    write_archive(folder / "none.tar.gz", {{"readme", "hello"}}, &tar_gz);
    EXPECT_EQ(error_of(folder / "none.tar.gz").message,
              "the archive holds no matrix file (.mtx, .csr, .smtx)");
}

TEST(CompressedReader, NamesTheMemberThatIsWrong) {
    const TemporaryFolder folder;
    write_archive(folder / "a.tar.gz",
                  {{"a/a.mtx", "%%MatrixMarket matrix coordinate pattern general\n1 1 1\n2 1\n"}}, &tar_gz);
    const Error error = error_of(folder / "a.tar.gz");
    EXPECT_EQ(error.line, 3);
    EXPECT_EQ(error.message, "row 2 is outside 1..1 (in its file a/a.mtx)");
}

TEST(CompressedReader, SaysThatTheDataBreakOff) {
    const TemporaryFolder folder;
    std::string text = "%%MatrixMarket matrix coordinate integer general\n100000 1 100000\n";
    for (int row = 1; row <= 100'000; ++row)
        text += std::to_string(row) + " 1 " + std::to_string(row * 7919 % 10007) + "\n";
    write_archive(folder / "a.mtx.gz", {{"", text}}, [](archive* file) {
        archive_write_set_format_raw(file);
        archive_write_add_filter_gzip(file);
    });
    const std::string whole = file_content(folder / "a.mtx.gz");
    write_file(folder / "a.mtx.gz", whole.substr(0, whole.size() / 2));
    const Error error = error_of(folder / "a.mtx.gz");
    EXPECT_EQ(error.fault, Fault::Input);
    EXPECT_TRUE(error.message.starts_with("the compressed data break off after ")) << error.message;
}

TEST(CompressedReader, SaysThatThereIsNothingInIt) {
    const TemporaryFolder folder;
    write_archive(folder / "a.mtx.gz", {{"", ""}}, [](archive* file) {
        archive_write_set_format_raw(file);
        archive_write_add_filter_gzip(file);
    });
    EXPECT_EQ(error_of(folder / "a.mtx.gz").message, "the compressed file is empty");
}

TEST(CompressedReader, StopsUnpackingAtTheLimit) {
    const TemporaryFolder folder;
    std::string bomb = matrix_with(1);
    bomb.insert(bomb.find('\n') + 1, [] {
        std::string comments;
        for (int line = 0; line < 100'000; ++line)
            comments += "% nothing but comments\n";
        return comments;
    }());
    write_archive(folder / "a.mtx.gz", {{"", bomb}}, [](archive* file) {
        archive_write_set_format_raw(file);
        archive_write_add_filter_gzip(file);
    });
    expect_read(folder / "a.mtx.gz", "a", 1);
    const Error error =
        error_of(folder / "a.mtx.gz", {.limits = {.unpacked_bytes = 1'000'000}, .block_bytes = 4096});
    EXPECT_EQ(error.fault, Fault::Limit);
    EXPECT_EQ(error.message, "unpacks to more than 1000000 bytes, which is the limit");
}

TEST(ReadMatrix, SaysWhyAFileCannotBeOpened) {
    const TemporaryFolder folder;
    EXPECT_EQ(error_of(folder / "missing.mtx").message, "cannot be opened: No such file or directory");
    EXPECT_EQ(error_of(folder / "missing.mtx").fault, Fault::Environment);
    EXPECT_EQ(error_of(folder.path()).message, "is a folder, not a file");
    ASSERT_EQ(::mkfifo((folder / "pipe.mtx").c_str(), 0600), 0);
    EXPECT_EQ(error_of(folder / "pipe.mtx").message, "is a pipe, not a file")
        << "and nobody waits for a writer";
    EXPECT_EQ(error_of("/dev/zero").message, "is a device, not a file");
}

TEST(ReadMatrix, SaysThatItDoesNotKnowTheKindOfAFile) {
    const TemporaryFolder folder;
    const Error error = error_of(write_file(folder / "picture.jpg", "JFIF"));
    EXPECT_EQ(error.fault, Fault::Input);
    EXPECT_EQ(
        error.message,
        "\"picture.jpg\" is no known kind of matrix file: it does not begin with %%MatrixMarket and its "
        "suffix is none of .mtx, .csr, .smtx");
}

TEST(ReadMatrix, KnowsOtherFormatsByTheirSuffix) {
    const TemporaryFolder folder;
    expect_read(write_file(folder / "layer.smtx", "1, 2, 1\n0 1\n1\n"), "layer", 1);
    expect_read(write_file(folder / "layer.CSR", std::string("\1\0\0\0\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 20)),
                "layer", 0);
}

} // namespace
} // namespace sparsight
