#include "base/reading/packed_file.h"

#include "base/reading/byte_source.h"

#include <bzlib.h>
#include <fmt/format.h>
#include <optional>
#include <utility>
#include <vector>
#include <zlib.h>

namespace sparsight {

namespace {

/// What follows the step of a decoder: more of the same member, its end, or nothing, as it is damaged.
enum class Step { GoesOn, MemberEnds, Fails };

class GzipDecoder {
public:
    static constexpr std::string_view name = "gzip";
    static constexpr std::string_view magic = "\x1f\x8b";
    using Stream = z_stream;
    using Byte = Bytef;

    [[nodiscard]] static bool begin(Stream& stream) {
        constexpr int gzip_with_largest_window = 15 + 16;
        return inflateInit2(&stream, gzip_with_largest_window) == Z_OK;
    }
    static void end(Stream& stream) { inflateEnd(&stream); }
    [[nodiscard]] static bool begin_member(Stream& stream) { return inflateReset(&stream) == Z_OK; }
    [[nodiscard]] static Step step(Stream& stream, std::string& problem) {
        const int status = inflate(&stream, Z_NO_FLUSH);
        if (status == Z_STREAM_END)
            return Step::MemberEnds;
        if (status == Z_OK || status == Z_BUF_ERROR)
            return Step::GoesOn;
        problem = reason_of(status, stream.msg != nullptr ? stream.msg : "");
        return Step::Fails;
    }

private:
    [[nodiscard]] static std::string reason_of(int status, std::string_view reason) {
        if (status == Z_MEM_ERROR)
            return "not enough memory";
        if (reason == "incorrect header check")
            return "what follows is no gzip data";
        if (reason.starts_with("incorrect") && reason.ends_with("check"))
            return "the file is damaged: its content does not fit its checksum";
        return "the file is damaged: its gzip data are not as they were written";
    }
};

class Bzip2Decoder {
public:
    static constexpr std::string_view name = "bzip2";
    static constexpr std::string_view magic = "BZh";
    using Stream = bz_stream;
    using Byte = char;

    [[nodiscard]] static bool begin(Stream& stream) {
        constexpr int silent = 0;
        constexpr int fast_with_more_memory = 0;
        return BZ2_bzDecompressInit(&stream, silent, fast_with_more_memory) == BZ_OK;
    }
    static void end(Stream& stream) { BZ2_bzDecompressEnd(&stream); }
    [[nodiscard]] static bool begin_member(Stream& stream) {
        end(stream);
        return begin(stream);
    }
    [[nodiscard]] static Step step(Stream& stream, std::string& problem) {
        const int status = BZ2_bzDecompress(&stream);
        if (status == BZ_STREAM_END)
            return Step::MemberEnds;
        if (status == BZ_OK)
            return Step::GoesOn;
        problem = status == BZ_MEM_ERROR ? "not enough memory"
                  : status == BZ_DATA_ERROR_MAGIC
                      ? "what follows is no bzip2 data"
                      : "the file is damaged: its bzip2 data are not as they were written";
        return Step::Fails;
    }
};

/// Members one behind the other, as `cat a.gz b.gz` makes them.
template <class Decoder>
class MemberFile final : public PackedFile {
public:
    static Result<std::unique_ptr<PackedFile>> of(std::unique_ptr<ByteSource> source) {
        auto file = std::unique_ptr<MemberFile>(new MemberFile(std::move(source)));
        if (!file->has_begun_)
            return fail(Fault::Limit, "not enough memory to unpack it");
        return file;
    }
    ~MemberFile() override {
        if (has_begun_)
            Decoder::end(stream_);
    }

    [[nodiscard]] std::span<const char> unpack() override {
        stream_.next_out = reinterpret_cast<typename Decoder::Byte*>(unpacked_.data());
        stream_.avail_out = static_cast<unsigned>(unpacked_.size());
        while (stream_.avail_out > 0 && !has_ended_ && problem_.empty()) {
            if (stream_.avail_in == 0 && !take_more())
                problem_ = problem_.empty() ? std::string(ends_early) : problem_;
            else if (Decoder::step(stream_, problem_) == Step::MemberEnds)
                end_member();
        }
        return std::span(unpacked_).first(unpacked_.size() - stream_.avail_out);
    }
    [[nodiscard]] const std::string& problem() const override { return problem_; }
    [[nodiscard]] std::uint64_t consumed() const override { return source_->consumed() - stream_.avail_in; }

private:
    explicit MemberFile(std::unique_ptr<ByteSource> source)
        : source_(std::move(source))
        , has_begun_(Decoder::begin(stream_)) {}

    /// False at the end of the file, and where it can't be read.
    bool take_more() {
        const auto got = source_->read(packed_);
        if (!got)
            problem_ = got.error().message;
        stream_.next_in = reinterpret_cast<typename Decoder::Byte*>(packed_.data());
        stream_.avail_in = static_cast<unsigned>(got.value_or(0));
        return stream_.avail_in > 0;
    }
    /// Another member may follow, or zeros that fill a block of a tape.
    void end_member() {
        if (next_byte() == Decoder::magic.front()) {
            begin_member();
            return;
        }
        has_ended_ = true;
        std::uint64_t others = 0;
        bool are_zeros = true;
        for (; next_byte(); ++others, ++stream_.next_in, --stream_.avail_in)
            are_zeros = are_zeros && *next_byte() == '\0';
        if (!are_zeros && problem_.empty())
            problem_ = fmt::format("{} {} behind the end of the {} data", others,
                                   others == 1 ? "byte stands" : "bytes stand", Decoder::name);
    }
    /// What was read and not used stays where it is.
    void begin_member() {
        const auto next_in = stream_.next_in;
        const auto avail_in = stream_.avail_in;
        const auto next_out = stream_.next_out;
        const auto avail_out = stream_.avail_out;
        has_begun_ = Decoder::begin_member(stream_);
        stream_.next_in = next_in;
        stream_.avail_in = avail_in;
        stream_.next_out = next_out;
        stream_.avail_out = avail_out;
        if (!has_begun_)
            problem_ = "not enough memory";
    }
    std::optional<char> next_byte() {
        return stream_.avail_in > 0 || take_more() ? std::optional(static_cast<char>(*stream_.next_in))
                                                   : std::nullopt;
    }

    static constexpr std::size_t buffer_bytes = std::size_t{1} << 18;
    std::unique_ptr<ByteSource> source_;
    typename Decoder::Stream stream_{};
    std::vector<char> packed_ = std::vector<char>(buffer_bytes);
    std::vector<char> unpacked_ = std::vector<char>(buffer_bytes);
    bool has_begun_ = false; ///< and must be ended
    bool has_ended_ = false;
    std::string problem_;
};

} // namespace

bool PackedFile::begins_with_magic(std::string_view head) {
    return head.starts_with(GzipDecoder::magic) || head.starts_with(Bzip2Decoder::magic);
}

Result<std::unique_ptr<PackedFile>> PackedFile::open(const std::filesystem::path& path) {
    auto source = file_source(path);
    if (!source)
        return std::unexpected(std::move(source).error());
    const Result<std::string_view> head = (*source)->head();
    if (!head)
        return std::unexpected(head.error());
    return head->starts_with(Bzip2Decoder::magic) ? MemberFile<Bzip2Decoder>::of(*std::move(source))
                                                  : MemberFile<GzipDecoder>::of(*std::move(source));
}

} // namespace sparsight
