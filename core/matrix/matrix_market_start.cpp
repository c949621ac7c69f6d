#include "matrix/matrix_market_start.h"

#include <algorithm>
#include <utility>

namespace sparsight {

namespace {

class StartReader {
public:
    StartReader(TextBlocks& blocks, const ReadOptions& options)
        : blocks_(blocks)
        , options_(options) {}

    Result<MatrixMarketStart> read() {
        std::string_view line;
        if (const Result<bool> first = next_line(line); !first || !*first)
            return first ? here({Fault::Input, "the file is empty; expected a Matrix Market banner", {}, 0})
                         : std::unexpected(first.error());
        const Result<MatrixMarketHeader> banner = parse_banner(line);
        if (!banner)
            return here(banner.error());
        start_.header = *banner;
        do {
            const Result<bool> more = next_line(line);
            if (!more)
                return std::unexpected(more.error());
            if (!*more)
                return here({Fault::Input, "the file ends before the size line", {}, 0});
        } while (is_comment_or_blank(line));
        if (const Result<void> sizes = parse_size_line(line, options_.limits, start_.header); !sizes)
            return here(sizes.error());
        return std::move(start_);
    }

private:
    Result<bool> next_line(std::string_view& line) {
        while (start_.rest.text().empty()) {
            if (options_.stop.stop_requested())
                return fail(Fault::Cancelled, "reading was stopped");
            const Result<bool> more = blocks_.next(start_.rest);
            if (!more)
                return std::unexpected(from_line(more.error(), start_.size_line));
            if (!*more)
                return false;
        }
        line = start_.rest.take_line();
        ++start_.size_line;
        return true;
    }

    std::unexpected<Error> here(Error error) const {
        error.line = std::max<std::int64_t>(start_.size_line, 1);
        return std::unexpected(std::move(error));
    }

    TextBlocks& blocks_;
    const ReadOptions& options_;
    MatrixMarketStart start_;
};

} // namespace

Result<MatrixMarketStart> read_matrix_market_start(TextBlocks& blocks, const ReadOptions& options) {
    return StartReader(blocks, options).read();
}

Error from_line(Error error, std::int64_t lines_before) {
    if (error.line > 0)
        error.line += lines_before;
    return error;
}

} // namespace sparsight
