#include "matrix/matrix_market_reader.h"

#include "base/parallel.h"
#include "matrix/coordinate_blocks.h"
#include "matrix/matrix_market_entries.h"
#include "matrix/matrix_market_header.h"
#include "matrix/text_blocks.h"

#include <algorithm>
#include <condition_variable>
#include <fmt/format.h>
#include <mutex>
#include <utility>

namespace sparsight {

namespace {

/// An error of the block source counts lines from its block's first.
Error at_line(Error error, std::int64_t lines_before) {
    if (error.line > 0)
        error.line += lines_before;
    return error;
}

struct HeaderEnd {
    MatrixMarketHeader header;
    std::int64_t lines = 0; ///< up to the size line
    TextBlock rest;         ///< what follows it in the last block read
};

/// Everything up to the size line.
class HeaderReader {
public:
    HeaderReader(TextBlocks& blocks, const ReadOptions& options)
        : blocks_(blocks)
        , options_(options) {}

    Result<HeaderEnd> read() {
        std::string_view line;
        if (const Result<bool> first = next_line(line); !first || !*first)
            return first ? fail(Fault::Input, "the file is empty; expected a Matrix Market banner")
                         : std::unexpected(first.error());
        const Result<MatrixMarketHeader> banner = parse_banner(line);
        if (!banner)
            return here(banner.error());
        end_.header = *banner;
        do {
            const Result<bool> more = next_line(line);
            if (!more)
                return std::unexpected(more.error());
            if (!*more)
                return here({Fault::Input, "the file ends before the size line", {}, 0});
        } while (is_comment_or_blank(line));
        if (const Result<void> sizes = parse_size_line(line, options_.limits, end_.header); !sizes)
            return here(sizes.error());
        return std::move(end_);
    }

private:
    Result<bool> next_line(std::string_view& line) {
        while (end_.rest.text().empty()) {
            if (options_.stop.stop_requested())
                return fail(Fault::Cancelled, "reading was stopped");
            const Result<bool> more = blocks_.next(end_.rest);
            if (!more)
                return std::unexpected(at_line(more.error(), end_.lines));
            if (!*more)
                return false;
        }
        line = end_.rest.take_line();
        ++end_.lines;
        return true;
    }

    std::unexpected<Error> here(Error error) const {
        error.line = std::max<std::int64_t>(end_.lines, 1);
        return std::unexpected(std::move(error));
    }

    TextBlocks& blocks_;
    const ReadOptions& options_;
    HeaderEnd end_;
};

/// Where the values of an array file stand: column by column, of a symmetric one from the diagonal down.
class ArrayWalk {
public:
    explicit ArrayWalk(const MatrixMarketHeader& header)
        : rows_(header.rows)
        , is_triangle_(header.symmetry != MatrixSymmetry::General)
        , diagonal_gap_(header.symmetry == MatrixSymmetry::SkewSymmetric ? 1 : 0) {}

    /// Row and column of the value number `place`; places must be asked for in ascending order.
    std::pair<std::int32_t, std::int32_t> at(std::int64_t place) {
        while (place - column_start_ >= column_length()) {
            column_start_ += column_length();
            ++column_;
        }
        return {static_cast<std::int32_t>(first_row() + place - column_start_),
                static_cast<std::int32_t>(column_)};
    }

private:
    std::int64_t first_row() const { return is_triangle_ ? column_ + diagonal_gap_ : 0; }
    std::int64_t column_length() const { return rows_ - first_row(); }

    std::int64_t rows_;
    bool is_triangle_;
    std::int64_t diagonal_gap_;
    std::int64_t column_ = 0;
    std::int64_t column_start_ = 0;
};

/// Reads the entries with several threads. Each takes the next block of text, parses it, and waits for its
/// turn to hand it in; so lines and entries are counted in the file's order, and the first defect is the one
/// reported.
class EntryReader {
public:
    EntryReader(ByteSource& source, TextBlocks& blocks, HeaderEnd start, const ReadOptions& options)
        : source_(source)
        , text_blocks_(blocks)
        , header_(start.header)
        , options_(options)
        , first_(std::move(start.rest))
        , lines_(start.lines)
        , walk_(start.header) {}

    Result<LoadedMatrix> read(int threads) {
        parallel_parts(threads, threads, [&](int part, std::int64_t, std::int64_t) {
            try {
                work(part == 0);
            } catch (...) {
                stop_all();
                throw;
            }
        });
        if (error_)
            return std::unexpected(*std::move(error_));
        if (entries_ < header_.entries)
            return fail_in_file(Fault::Input, {}, lines_,
                                fmt::format("the file ends after {} of {} {}", entries_, header_.entries,
                                            is_array() ? "values" : "entries"));
        return assemble(threads);
    }

private:
    bool is_array() const { return header_.format == MatrixFileFormat::MatrixMarketArray; }

    struct Ticket {
        std::int64_t number = 0;
        Result<bool> has_text = false;
        std::uint64_t bytes_read = 0;
    };

    Ticket take_text(TextBlock& block) {
        const std::lock_guard lock(source_mutex_);
        Ticket ticket{next_ticket_++, false, 0};
        if (source_ended_)
            return ticket;
        if (!first_.text().empty()) {
            block = std::exchange(first_, {});
            ticket.has_text = true;
        } else if (options_.stop.stop_requested()) {
            ticket.has_text = fail(Fault::Cancelled, "reading was stopped");
        } else {
            ticket.has_text = text_blocks_.next(block);
        }
        source_ended_ = !ticket.has_text || !*ticket.has_text;
        ticket.bytes_read = source_.consumed();
        return ticket;
    }

    void work(bool tells_progress) {
        TextBlock text;
        EntryScratch scratch;
        for (;;) {
            const Ticket ticket = take_text(text);
            ParsedBlock parsed;
            CoordinateBlock block;
            if (ticket.has_text && *ticket.has_text) {
                parsed = parse_entries(text.text(), header_, scratch);
                if (!is_array())
                    block = copy_coordinates(parsed, scratch);
            }
            if (!hand_in(ticket, text.text(), parsed, std::move(block), scratch))
                return;
            if (tells_progress && options_.progress)
                options_.progress({"reading", ticket.bytes_read, source_.total()});
        }
    }

    /// Of exactly the size needed, which the scratch is not.
    CoordinateBlock copy_coordinates(const ParsedBlock& parsed, const EntryScratch& scratch) const {
        const std::int32_t* const rows = scratch.row_ids.get();
        const std::int32_t* const columns = scratch.column_ids.get();
        const float* const values = scratch.values.get();
        CoordinateBlock block{{rows, rows + parsed.kept}, {columns, columns + parsed.kept}, {}};
        if (header_.field != ValueField::Pattern)
            block.values.assign(values, values + parsed.kept);
        return block;
    }

    /// False when there is nothing more to do for this thread.
    bool hand_in(const Ticket& ticket, std::string_view text, const ParsedBlock& parsed,
                 CoordinateBlock&& block, const EntryScratch& scratch) {
        std::unique_lock lock(turn_mutex_);
        turn_changed_.wait(lock, [&] { return is_over_ || turn_ == ticket.number; });
        if (is_over_)
            return false;
        if (!ticket.has_text)
            end_with(at_line(ticket.has_text.error(), lines_));
        else if (!*ticket.has_text)
            is_over_ = true;
        else
            accept(text, parsed, std::move(block), scratch);
        ++turn_;
        turn_changed_.notify_all();
        return !is_over_;
    }

    void accept(std::string_view text, const ParsedBlock& parsed, CoordinateBlock&& block,
                const EntryScratch& scratch) {
        const std::int64_t missing = header_.entries - entries_;
        if (parsed.entries > missing) {
            const EntryLine surplus = find_entry(text, missing);
            return end_with(surplus_error(surplus.text, lines_ + surplus.line));
        }
        if (parsed.defect && parsed.entries == missing)
            return end_with(surplus_error(find_entry(text, missing).text, lines_ + parsed.defect->line));
        if (parsed.defect)
            return end_with({Fault::Input, parsed.defect->message, {}, lines_ + parsed.defect->line});
        coordinates_.push_back(is_array() ? array_coordinates(parsed, scratch) : std::move(block));
        report_.explicit_zeros += is_array() ? 0 : parsed.zeros;
        report_.array_zeros_dropped += is_array() ? parsed.zeros : 0;
        report_.not_finite += parsed.not_finite;
        lines_ += parsed.lines;
        entries_ += parsed.entries;
    }

    Error surplus_error(std::string_view line, std::int64_t number) const {
        return {Fault::Input,
                fmt::format("{} follows the {} {} that the size line promises; expected the end of the file",
                            quote(line), header_.entries, is_array() ? "values" : "entries"),
                {},
                number};
    }

    CoordinateBlock array_coordinates(const ParsedBlock& parsed, const EntryScratch& scratch) {
        CoordinateBlock block;
        const auto count = static_cast<std::size_t>(parsed.kept);
        block.row_ids.resize(count);
        block.column_ids.resize(count);
        block.values.assign(scratch.values.get(), scratch.values.get() + count);
        for (std::size_t e = 0; e < count; ++e)
            std::tie(block.row_ids[e], block.column_ids[e]) = walk_.at(entries_ + scratch.places[e]);
        return block;
    }

    void end_with(Error error) {
        error_ = std::move(error);
        is_over_ = true;
    }

    void stop_all() {
        const std::lock_guard lock(turn_mutex_);
        is_over_ = true;
        turn_changed_.notify_all();
    }

    Mirroring mirroring() const {
        switch (header_.symmetry) {
        case MatrixSymmetry::General:
            return Mirroring::None;
        case MatrixSymmetry::SkewSymmetric:
            return Mirroring::Negated;
        case MatrixSymmetry::Symmetric:
        case MatrixSymmetry::Hermitian:
            break;
        }
        return Mirroring::Same;
    }

    Result<LoadedMatrix> assemble(int threads) {
        std::int64_t coordinates = 0;
        for (const CoordinateBlock& block : coordinates_)
            coordinates += static_cast<std::int64_t>(block.row_ids.size());
        if (const Result<void> allowed = check_row_pointers(header_.rows, coordinates, options_.limits);
            !allowed)
            return std::unexpected(allowed.error());
        CompressedRows compressed =
            compress_blocks(header_.rows, header_.cols, std::move(coordinates_), mirroring(), threads);
        report_.format = header_.format;
        report_.field = header_.field;
        report_.symmetry = header_.symmetry;
        report_.stored_entries = entries_;
        report_.duplicates_merged = header_.symmetry == MatrixSymmetry::General
                                        ? compressed.duplicates
                                        : coordinates - entries_in_lower_triangle(compressed.pattern);
        return LoadedMatrix{{}, std::move(compressed.pattern), report_};
    }

    /// Distinct positions stored in a symmetric file, whose duplicates are found once more above the
    /// diagonal.
    static std::int64_t entries_in_lower_triangle(const CsrPattern& pattern) {
        std::int64_t entries = 0;
        for (std::int64_t row = 0; row < pattern.rows; ++row) {
            const auto begin =
                pattern.column_ids.begin() + pattern.row_pointers[static_cast<std::size_t>(row)];
            const auto end =
                pattern.column_ids.begin() + pattern.row_pointers[static_cast<std::size_t>(row) + 1];
            entries += std::upper_bound(begin, end, row) - begin;
        }
        return entries;
    }

    ByteSource& source_;
    TextBlocks& text_blocks_;
    const MatrixMarketHeader header_;
    const ReadOptions& options_;

    std::mutex source_mutex_;
    TextBlock first_; ///< the lines that were read together with the header
    bool source_ended_ = false;
    std::int64_t next_ticket_ = 0;

    std::mutex turn_mutex_;
    std::condition_variable turn_changed_;
    std::int64_t turn_ = 0;
    bool is_over_ = false;
    std::optional<Error> error_;
    std::int64_t lines_;
    std::int64_t entries_ = 0;
    ArrayWalk walk_;
    std::vector<CoordinateBlock> coordinates_;
    ReadReport report_;
};

} // namespace

Result<LoadedMatrix> read_matrix_market(ByteSource& source, const ReadOptions& options) {
    TextBlocks blocks(source, options.block_bytes);
    Result<HeaderEnd> start = HeaderReader(blocks, options).read();
    if (!start)
        return std::unexpected(start.error());
    const int threads = options.threads > 0 ? options.threads : available_threads();
    return EntryReader(source, blocks, *std::move(start), options).read(threads);
}

} // namespace sparsight
