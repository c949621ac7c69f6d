#include "domains/sparse/tensor/matrix_files.h"
#include "support/test_files.h"

#include <archive.h>
#include <archive_entry.h>
#include <cstdint>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <ranges>
#include <set>
#include <sstream>
#include <string>
#include <sys/stat.h>
#include <tuple>
#include <utility>
#include <vector>

namespace sparsight {

// Compressed files and archives, made with libarchive for each test.
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
    EXPECT_TRUE(error.message.starts_with("cannot be unpacked beyond ")) << error.message;
}

TEST(CompressedReader, TakesAShortFileThatIsCutOffForNoEmptyOne) {
    const TemporaryFolder folder;
    write_archive(folder / "a.mtx.gz", {{"", matrix_with(4)}}, [](archive* file) {
        archive_write_set_format_raw(file);
        archive_write_add_filter_gzip(file);
    });
    const std::string whole = file_content(folder / "a.mtx.gz");
    for (const std::size_t missing : {1U, 4U, 8U, 12U}) {
        write_file(folder / "a.mtx.gz", whole.substr(0, whole.size() - missing));
        EXPECT_EQ(error_of(folder / "a.mtx.gz").message, "cannot be unpacked: the file ends too early")
            << missing;
    }
}

TEST(CompressedReader, SaysThatAFileIsPackedTwice) {
    const TemporaryFolder folder;
    const auto packed = [](archive* file) {
        archive_write_set_format_raw(file);
        archive_write_add_filter_gzip(file);
    };
    write_archive(folder / "a.mtx.gz", {{"", matrix_with(4)}}, packed);
    write_archive(folder / "b.mtx.gz", {{"", file_content(folder / "a.mtx.gz")}}, packed);
    EXPECT_EQ(error_of(folder / "b.mtx.gz").message, "is packed twice: unpack it once");
}

TEST(CompressedReader, RefusesAZipWhoseDirectoryIsCutOff) {
    const TemporaryFolder folder;
    write_archive(folder / "a.zip", {{"a.mtx", matrix_with(4)}, {"notes.txt", "lost with the directory"}},
                  [](archive* file) { archive_write_set_format_zip(file); });
    const std::string whole = file_content(folder / "a.zip");
    for (const std::size_t missing : {1U, 20U, 60U}) {
        write_file(folder / "a.zip", whole.substr(0, whole.size() - missing));
        EXPECT_EQ(
            error_of(folder / "a.zip").message,
            "the file ends too early: the directory of the archive is missing, and further files may be "
            "lost")
            << missing;
    }
    std::string commented = whole;
    commented[commented.size() - 2] = 7; // the length of the comment
    expect_read(write_file(folder / "a.zip", commented + "comment"), "a", 4);
}

TEST(CompressedReader, NoticesEveryFlippedBitThatChangesTheContent) {
    const TemporaryFolder folder;
    const std::string text = matrix_with(40);
    const auto raw = [](archive* file) { archive_write_set_format_raw(file); };
    const std::vector<std::tuple<std::string, std::string, std::function<void(archive*)>>> forms{
        {"a.mtx.gz", "", [&](archive* file) { raw(file), archive_write_add_filter_gzip(file); }},
        {"a.mtx.bz2", "", [&](archive* file) { raw(file), archive_write_add_filter_bzip2(file); }},
        {"a.mtx.xz", "", [&](archive* file) { raw(file), archive_write_add_filter_xz(file); }},
        {"a.tar.gz", "a.mtx", &tar_gz},
        {"a.zip", "a.mtx", [](archive* file) { archive_write_set_format_zip(file); }}};
    for (const auto& [name, member, form] : forms) {
        write_archive(folder / name, {{member, text}}, form);
        const auto intact = read_matrix(folder / name);
        ASSERT_TRUE(intact) << intact.error().text();
        const std::string whole = file_content(folder / name);
        for (std::size_t bit = 0; bit < whole.size() * 8; ++bit) {
            std::string flipped = whole;
            flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << (bit % 8)));
            std::filesystem::remove(folder / name); // a file that is overwritten waits for the disk
            const auto read = read_matrix(write_file(folder / name, flipped));
            EXPECT_TRUE(!read || read->pattern == intact->pattern)
                << name << ": bit " << bit << " of " << whole.size() * 8;
        }
    }
}

TEST(CompressedReader, SaysThatAFileIsNotWhatItsSuffixPromises) {
    const TemporaryFolder folder;
    EXPECT_EQ(error_of(write_file(folder / "a.mtx.gz", "hello\n")).message, "is not a gzip file");
    EXPECT_EQ(error_of(write_file(folder / "a.mtx.BZ2", "hello\n")).message, "is not a bzip2 file");
    EXPECT_EQ(error_of(write_file(folder / "a.zip", "hello\n")).message, "is not a zip file");
    EXPECT_EQ(error_of(write_file(folder / "empty.mtx.gz", "")).message, "the file is empty");
    expect_read(write_file(folder / "plain.mtx.gz", matrix_with(4)), "plain.mtx", 4);
}

TEST(CompressedReader, NamesADamagedFileOnce) {
    const TemporaryFolder folder;
    write_archive(folder / "a.mtx.gz", {{"", matrix_with(4)}}, [](archive* file) {
        archive_write_set_format_raw(file);
        archive_write_add_filter_gzip(file);
    });
    std::string damaged = file_content(folder / "a.mtx.gz");
    damaged[damaged.size() - 6] = static_cast<char>(~damaged[damaged.size() - 6]); // of the checksum
    write_file(folder / "a.mtx.gz", damaged);
    EXPECT_EQ(error_of(folder / "a.mtx.gz").message,
              "cannot be unpacked: the file is damaged: its content does not fit its checksum");
}

TEST(CompressedReader, RefusesWhatStandsBehindTheEndOfTheCompressedData) {
    const TemporaryFolder folder;
    for (const auto& [name, compression, filter] :
         {std::tuple("a.mtx.gz", "gzip", &archive_write_add_filter_gzip),
          std::tuple("a.mtx.bz2", "bzip2", &archive_write_add_filter_bzip2)}) {
        const std::filesystem::path file = folder / name;
        const auto packed = [&](const std::string& part) {
            write_archive(folder / "part", {{"", part}}, [&](archive* writer) {
                archive_write_set_format_raw(writer);
                filter(writer);
            });
            return file_content(folder / "part");
        };
        const std::string text = matrix_with(4);
        write_file(file, packed(text) + "garbage");
        EXPECT_EQ(
            error_of(file).message,
            fmt::format("cannot be unpacked: 7 bytes stand behind the end of the {} data", compression));
        write_file(file, packed(text) + std::string(512, '\0'));
        expect_read(file, "a", 4);
        write_file(file, packed(text.substr(0, 20)) + packed(text.substr(20)));
        expect_read(file, "a", 4);
    }
}

TEST(CompressedReader, TakesABzip2FileWhoseFirstBlockIsDamagedForNoText) {
    const TemporaryFolder folder;
    write_archive(folder / "a.mtx.bz2", {{"", matrix_with(4)}}, [](archive* file) {
        archive_write_set_format_raw(file);
        archive_write_add_filter_bzip2(file);
    });
    std::string damaged = file_content(folder / "a.mtx.bz2");
    damaged[5] = static_cast<char>(~damaged[5]); // of the mark that every block begins with
    write_file(folder / "a.mtx.bz2", damaged);
    EXPECT_EQ(error_of(folder / "a.mtx.bz2").message,
              "cannot be unpacked: the file is damaged: its bzip2 data are not as they were written");
}

TEST(CompressedReader, SaysInPlainWordsWhatIsWrongWithAFile) {
    const TemporaryFolder folder;
    std::string random; // too much for one block
    std::uint32_t state = 1;
    for (int line = 0; line < 200'000; ++line) {
        state = state * 1664525 + 1013904223;
        random += fmt::format("% {}\n", state);
    }
    std::string matrix = matrix_with(4);
    matrix.insert(matrix.find('\n') + 1, random);
    for (const auto& [name, filter] : {std::pair("a.mtx.bz2", &archive_write_add_filter_bzip2),
                                       std::pair("a.mtx.xz", &archive_write_add_filter_xz),
                                       std::pair("a.mtx.gz", &archive_write_add_filter_gzip)}) {
        write_archive(folder / name, {{"", matrix}}, [&](archive* file) {
            archive_write_set_format_raw(file);
            filter(file);
        });
        const std::string whole = file_content(folder / name);
        write_file(folder / name, whole.substr(0, whole.size() - 20));
        EXPECT_TRUE(error_of(folder / name).message.ends_with(": the file ends too early"))
            << name << ": " << error_of(folder / name).message;
        std::string damaged = whole;
        damaged[damaged.size() - 6] = static_cast<char>(~damaged[damaged.size() - 6]);
        write_file(folder / name, damaged);
        EXPECT_NE(error_of(folder / name).message.find(": the file is damaged: "), std::string::npos)
            << name << ": " << error_of(folder / name).message;
    }
}

TEST(CompressedReader, SaysInPlainWordsWhatIsWrongWithAnArchive) {
    const TemporaryFolder folder;
    const std::vector<std::pair<std::string, std::string>> members{{"notes.txt", std::string(3000, 'n')},
                                                                   {"a.mtx", matrix_with(200)}};
    write_archive(folder / "a.zip", {members[1]}, [](archive* file) { archive_write_set_format_zip(file); });
    write_archive(folder / "a.tar", {members[0], members[1]},
                  [](archive* file) { archive_write_set_format_ustar(file); });
    for (const char* const name : {"a.zip", "a.tar"}) {
        const std::string whole = file_content(folder / name);
        for (std::size_t at = 0; at < whole.size(); at += 7) {
            std::string damaged = whole;
            damaged[at] = static_cast<char>(~damaged[at]);
            for (const std::string& content : {damaged, whole.substr(0, at)}) {
                const auto read = read_matrix(write_file(folder / name, content));
                if (read)
                    continue; // nothing that counts
                for (const char* const word : {"ZIP", "INTERNAL", "archive_", "Truncated", "CRC", "\n"})
                    EXPECT_EQ(read.error().message.find(word), std::string::npos)
                        << name << ", byte " << at << ": " << read.error().message;
            }
        }
    }
}

TEST(CompressedReader, SaysThatThereIsNothingInIt) {
    const TemporaryFolder folder;
    write_archive(folder / "a.mtx.gz", {{"", ""}}, [](archive* file) {
        archive_write_set_format_raw(file);
        archive_write_add_filter_gzip(file);
    });
    EXPECT_EQ(error_of(folder / "a.mtx.gz").message, "the compressed file is empty");
    write_archive(folder / "zeros.mtx.gz", {{"", std::string(1 << 20, '\0')}}, [](archive* file) {
        archive_write_set_format_raw(file);
        archive_write_add_filter_gzip(file);
    });
    EXPECT_EQ(error_of(folder / "zeros.mtx.gz").message,
              "there is no matrix file in it, only zeros or an empty archive");
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
    EXPECT_EQ(error.message, "is not a matrix file: expected a file that begins with %%MatrixMarket, or the "
                             "suffix .mtx, .csr or .smtx");
}

TEST(ReadMatrix, SaysWhereTuningRecordsAreImported) {
    const TemporaryFolder folder;
    const std::string table = "workload,machine,tile,time_ms\nw,m,1,3\n";
    for (const char* const name : {"full.csv", "full.txt"})
        EXPECT_THAT(
            error_of(write_file(folder / name, table)).message,
            ::testing::EndsWith("; tuning records are imported with --domain records, in the window by "
                                "File > Import Tuning Records"))
            << name;
}

TEST(ReadMatrix, KnowsOtherFormatsByTheirSuffix) {
    const TemporaryFolder folder;
    expect_read(write_file(folder / "layer.smtx", "1, 2, 1\n0 1\n1\n"), "layer", 1);
    expect_read(write_file(folder / "layer.CSR", std::string("\1\0\0\0\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 20)),
                "layer", 0);
}

} // namespace

// Every matrix that lies beside the checkout: broken ones, tiny ones of every kind, and real ones. What the
// manifests say was said by another reader; the two tables below are our own judgement of every file.
namespace {

using testing::shared_path;

struct Broken {
    const char* file;
    std::int64_t line;
    const char* fragment;
};

struct Legal {
    const char* file;
    std::int64_t rows;
    std::int64_t cols;
    std::int64_t stored;
    std::int64_t nnz;
    std::int64_t duplicates = 0;
    std::int64_t zeros = 0;
};

constexpr Broken broken_files[]{
    {"matrices-malformed/cecnyb_empty_file.mtx", 1, "the file is empty"},
    {"matrices-malformed/cholmod_mangle1.mtx", 1, "object is \"junk\""},
    {"matrices-malformed/cholmod_mangle3.mtx", 1, "field is \"junk\""},
    {"matrices-malformed/cholmod_mangle4.mtx", 1, "symmetry is \"junk\""},
    {"matrices-malformed/fasp_gre_115_noheader.mtx", 1,
     "the first line is \"115 115 421\"; expected the banner"},
    {"matrices-malformed/gunrock_Wei_test2.mtx", 1, "the first line is \"17 17 130\"; expected the banner"},
    {"matrices-malformed/lagraph_cam_upper.mtx", 4, "row 1, column 2 is above the diagonal"},
    {"matrices-malformed/lagraph_full_noheader.mtx", 1, "the first line is \"3 3\"; expected the banner"},
    {"matrices-malformed/lagraph_mangled10.mtx", 6, "the file ends after 2 of 3 entries"},
    {"matrices-malformed/lagraph_mangled11.mtx", 5, "the column is \"zero\""},
    {"matrices-malformed/lagraph_mangled13.mtx", 7, "column 9999 is outside 1..4"},
    {"matrices-malformed/lagraph_mangled16.mtx", 5, "\".959\" stands behind the value"},
    {"matrices-malformed/lagraph_mangled2.mtx", 1, "format is \"mangled\""},
    {"matrices-malformed/lagraph_mangled4.mtx", 1, "symmetry is \"mangled\""},
    // Its size line is right and its one entry has two columns too many, but the banner is wrong already.
    {"matrices-malformed/lagraph_mangled5.mtx", 1, "pattern and hermitian"},
    {"matrices-malformed/lagraph_mangled7.mtx", 5, "the value is missing"},
    {"matrices-malformed/lagraph_mangled8.mtx", 4, "the size line \"3\" has 1 number"},
    {"matrices-malformed/lagraph_mangled_format.mtx", 1, "array and pattern"},
    {"matrices-malformed/lagraph_west0067_noheader.mtx", 1, "expected the banner"},
    {"matrices-malformed/mongoose_bad_header.mtx", 1, "symmetry is \"bogus\""},
    {"matrices-malformed/mongoose_bad_matrix_type.mtx", 3, "the real part is missing"},
    {"matrices-malformed/paru_Tina_AskCal_perm.mtx", 6, "the banner says pattern, which has no values"},
    {"matrices-malformed/paru_a1_zero_based.mtx", 11, "row 0 is outside 1..4 (indices start at 1"},
    {"matrices-malformed/paru_row0.mtx", 1, "the first line is blank; expected the banner"},
    {"matrices-malformed/tfdp_USPowerGrid_upper.mtx", 3, "row 1, column 387 is above the diagonal"},
    {"matrices-malformed/tfdp_grid17_zero_based.mtx", 3, "column 0 is outside 1..289 (indices start at 1"},
    {"matrices-malformed/tfdp_lesmis_zero_based.mtx", 3, "column 0 is outside 1..77 (indices start at 1"},
    {"matrices-malformed/tfdp_netscience_zero_based.mtx", 3,
     "column 0 is outside 1..379 (indices start at 1"},
    {"matrices-malformed/tfdp_price_1000_zero_based.mtx", 3,
     "column 0 is outside 1..1000 (indices start at 1"},
    {"matrices-malformed/waco_EX1_8x8_4_truncated.csr", 0, "promises 4096 rows and 1151680 entries"},
    {"matrices-malformed/waco_encoder_empty.csr", 0, "promises 3072 rows and 34742 entries"},
    // A hypergraph with weights, which is no matrix.
    {"matrices-small/kahypar_WeightedMtxExample.mtx", 1, "object is \"weightedmatrix\""},
};

constexpr Legal legal_files[]{
    // A "%%GraphBLAS type" line is a comment for anyone but GraphBLAS, so values beyond that type are right;
    // and
    // entries given twice are added.
    {"matrices-malformed/lagraph_mangled14.mtx", 3, 4, 3, 2, 1, 0},
    {"matrices-malformed/lagraph_mangled_bool.mtx", 7, 7, 12, 12, 0, 5},
    {"matrices-malformed/lagraph_mangled_int32.mtx", 7, 7, 12, 12, 0, 1},
    {"matrices-malformed/lagraph_mangled_int8.mtx", 7, 7, 12, 12, 0, 1},
    {"matrices-malformed/lagraph_mangled_uint16.mtx", 7, 7, 12, 12, 0, 2},
    {"matrices-malformed/lagraph_mangled_uint32.mtx", 7, 7, 12, 12, 0, 2},
    {"matrices-malformed/lagraph_west0067_jumbled.mtx", 67, 67, 294, 294},
    {"matrices-small/attoparsec_mm0.mtx", 5, 5, 8, 8},
    {"matrices-small/attoparsec_mm01.mtx", 5, 5, 8, 8},
    {"matrices-small/cholmod_cha.mtx", 3, 3, 6, 9},
    {"matrices-small/cholmod_cs.mtx", 3, 3, 5, 7},
    {"matrices-small/cholmod_cza.mtx", 3, 3, 3, 6},
    {"matrices-small/cholmod_fullcha.mtx", 2, 2, 3, 4},
    {"matrices-small/cholmod_fullcza.mtx", 2, 2, 1, 2},
    {"matrices-small/cholmod_fullrsa.mtx", 2, 2, 3, 4},
    {"matrices-small/kahypar_CoordinateGeneral.mtx", 5, 5, 8, 8},
    {"matrices-small/kahypar_CoordinateSymmetric.mtx", 3, 3, 4, 5},
    {"matrices-small/lagraph_LFAT5.mtx", 14, 14, 30, 46},
    {"matrices-small/lagraph_LFAT5_two.mtx", 28, 28, 60, 92},
    {"matrices-small/lagraph_bc_demo.mtx", 5, 5, 8, 8},
    {"matrices-small/lagraph_complex.mtx", 3, 3, 9, 9},
    {"matrices-small/lagraph_cover.mtx", 7, 7, 12, 12},
    {"matrices-small/lagraph_full.mtx", 3, 3, 9, 9},
    {"matrices-small/lagraph_full_symmetric.mtx", 4, 4, 10, 16},
    {"matrices-small/lagraph_lp_afiro.mtx", 27, 51, 102, 102},
    {"matrices-small/lagraph_matrix_bool.mtx", 7, 7, 12, 12, 0, 5},
    {"matrices-small/lagraph_matrix_fp32_structure.mtx", 7, 7, 12, 12},
    {"matrices-small/lagraph_matrix_fp64.mtx", 7, 7, 12, 12, 0, 1},
    {"matrices-small/lagraph_matrix_int32.mtx", 7, 7, 12, 12, 0, 1},
    {"matrices-small/lagraph_matrix_int64.mtx", 7, 7, 12, 12, 0, 1},
    {"matrices-small/lagraph_matrix_uint16.mtx", 7, 7, 12, 12, 0, 2},
    {"matrices-small/lagraph_matrix_uint32.mtx", 7, 7, 12, 12, 0, 2},
    {"matrices-small/lagraph_matrix_uint8.mtx", 7, 7, 12, 12, 0, 2},
    {"matrices-small/lagraph_mcl.mtx", 10, 10, 18, 18},
    {"matrices-small/lagraph_sample.mtx", 8, 8, 12, 12},
    {"matrices-small/lagraph_skew_fp32.mtx", 6, 6, 10, 20},
    {"matrices-small/lagraph_skew_int64.mtx", 6, 6, 10, 20, 0, 1},
    {"matrices-small/lagraph_skew_int8.mtx", 6, 6, 10, 20, 0, 1},
    {"matrices-small/lagraph_west0067.mtx", 67, 67, 294, 294},
    {"matrices-small/taco_2tensor.mtx", 32, 32, 3, 3},
    {"matrices-small/taco_ds33.mtx", 3, 3, 3, 5},
    {"matrices-small/taco_rua_32.mtx", 32, 32, 126, 126},
};

/// A comma-separated table, by its first column; quoted fields may hold commas.
std::map<std::string, std::map<std::string, std::string>> read_manifest(const std::filesystem::path& path) {
    auto fields_of = [](const std::string& line) {
        std::vector<std::string> fields(1);
        bool is_quoted = false;
        for (const char c : line) {
            if (c == '"')
                is_quoted = !is_quoted;
            else if (c == ',' && !is_quoted)
                fields.emplace_back();
            else if (c != '\r')
                fields.back() += c;
        }
        return fields;
    };
    std::ifstream file(path);
    std::string line;
    std::getline(file, line);
    const std::vector<std::string> names = fields_of(line);
    std::map<std::string, std::map<std::string, std::string>> table;
    while (std::getline(file, line)) {
        const std::vector<std::string> fields = fields_of(line);
        for (std::size_t i = 0; i < std::min(names.size(), fields.size()); ++i)
            table[fields[0]][names[i]] = fields[i];
    }
    return table;
}

std::int64_t number(const std::string& text) {
    return std::strtoll(text.c_str(), nullptr, 10);
}

TEST(SharedMatrices, BrokenOnesAreRefusedWithTheirLine) {
    SPARSIGHT_NEEDS_SHARED("matrices-malformed");
    SPARSIGHT_NEEDS_SHARED("matrices-small");
    for (const Broken& expected : broken_files) {
        const std::filesystem::path path = shared_path(expected.file);
        for (const int threads : {1, 4}) {
            const auto loaded = read_matrix(path, {.threads = threads, .block_bytes = 64});
            ASSERT_FALSE(loaded) << expected.file;
            EXPECT_EQ(loaded.error().file, path.string());
            EXPECT_EQ(loaded.error().line, expected.line) << loaded.error().text();
            EXPECT_NE(loaded.error().message.find(expected.fragment), std::string::npos)
                << loaded.error().text();
        }
    }
}

TEST(SharedMatrices, LegalOnesAreReadWithTheirSizes) {
    SPARSIGHT_NEEDS_SHARED("matrices-malformed");
    SPARSIGHT_NEEDS_SHARED("matrices-small");
    for (const Legal& expected : legal_files) {
        for (const int threads : {1, 4}) {
            const auto loaded =
                read_matrix(shared_path(expected.file), {.threads = threads, .block_bytes = 64});
            ASSERT_TRUE(loaded) << loaded.error().text();
            EXPECT_TRUE(is_well_formed(loaded->pattern)) << expected.file;
            EXPECT_EQ(loaded->pattern.rows, expected.rows) << expected.file;
            EXPECT_EQ(loaded->pattern.cols, expected.cols) << expected.file;
            EXPECT_EQ(loaded->pattern.nnz(), expected.nnz) << expected.file;
            EXPECT_EQ(loaded->report.stored_entries, expected.stored) << expected.file;
            EXPECT_EQ(loaded->report.duplicates_merged, expected.duplicates) << expected.file;
            EXPECT_EQ(loaded->report.explicit_zeros, expected.zeros) << expected.file;
        }
    }
}

TEST(SharedMatrices, EverySmallAndMalformedOneIsJudged) {
    std::set<std::string> judged;
    for (const Broken& file : broken_files)
        judged.insert(file.file);
    for (const Legal& file : legal_files)
        judged.insert(file.file);
    for (const std::string folder : {"matrices-malformed", "matrices-small"}) {
        SPARSIGHT_NEEDS_SHARED(folder);
        for (const auto& entry : std::filesystem::directory_iterator(shared_path(folder))) {
            const bool is_manifest = entry.path().extension() == ".csv";
            EXPECT_TRUE(is_manifest || judged.contains(folder + "/" + entry.path().filename().string()))
                << entry.path();
        }
    }
}

TEST(SharedMatrices, SmallOnesAgreeWithTheirManifestWhereItCouldReadThem) {
    SPARSIGHT_NEEDS_SHARED("matrices-small");
    const auto manifest = read_manifest(shared_path("matrices-small/manifest.csv"));
    for (const Legal& file : legal_files) {
        const auto row = manifest.find(std::filesystem::path(file.file).filename().string());
        if (row == manifest.end() || row->second.at("mtxcheck_says") != "ok")
            continue;
        EXPECT_EQ(number(row->second.at("rows")), file.rows) << file.file;
        EXPECT_EQ(number(row->second.at("cols")), file.cols) << file.file;
        EXPECT_EQ(number(row->second.at("stored")), file.stored) << file.file;
        EXPECT_EQ(number(row->second.at("expanded")), file.nnz) << file.file;
    }
}

TEST(SharedMatrices, AJumbledFileHoldsTheSameMatrix) {
    SPARSIGHT_NEEDS_SHARED("matrices-malformed");
    const auto jumbled = read_matrix(shared_path("matrices-malformed/lagraph_west0067_jumbled.mtx"));
    const auto sorted = read_matrix(shared_path("matrices-small/lagraph_west0067.mtx"));
    ASSERT_TRUE(jumbled && sorted);
    EXPECT_EQ(jumbled->pattern, sorted->pattern);
}

TEST(SharedMatrices, RealOnesAgreeWithTheirManifest) {
    SPARSIGHT_NEEDS_SHARED("matrices/manifest.csv");
    const auto manifest = read_manifest(shared_path("matrices/manifest.csv"));
    EXPECT_EQ(manifest.size(), 187U);
    for (const auto& [name, row] : manifest) {
        const auto loaded = read_matrix(shared_path("matrices/" + name + ".mtx.gz"));
        ASSERT_TRUE(loaded) << loaded.error().text();
        EXPECT_TRUE(is_well_formed(loaded->pattern)) << name;
        EXPECT_EQ(loaded->name, name);
        EXPECT_EQ(loaded->pattern.rows, number(row.at("rows"))) << name;
        EXPECT_EQ(loaded->pattern.cols, number(row.at("cols"))) << name;
        EXPECT_EQ(loaded->report.stored_entries, number(row.at("stored"))) << name;
        EXPECT_EQ(to_text(loaded->report.symmetry), row.at("symmetry")) << name;
        EXPECT_EQ(to_text(loaded->report.field), row.at("field")) << name;
        // The manifest counts entries given twice as two.
        const std::int64_t duplicates = loaded->report.duplicates_merged;
        EXPECT_EQ(duplicates, name == "musae_twitch_features" ? 535 : 0) << name;
        EXPECT_EQ(loaded->pattern.nnz() + duplicates, number(row.at("nnz_expanded"))) << name;
    }
}

TEST(SharedMatrices, WacoFilesAreRead) {
    SPARSIGHT_NEEDS_SHARED("waco/original");
    const auto loaded = read_matrix(shared_path("waco/original/nemspmm1_16x4_0.csr"));
    ASSERT_TRUE(loaded) << loaded.error().text();
    EXPECT_EQ(loaded->pattern.rows, 4096);
    EXPECT_EQ(loaded->pattern.cols, 8192);
    EXPECT_EQ(loaded->pattern.nnz(), 701760);
    EXPECT_TRUE(is_well_formed(loaded->pattern));
}

} // namespace
} // namespace sparsight
