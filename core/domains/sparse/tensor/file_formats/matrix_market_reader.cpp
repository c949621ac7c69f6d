#include "domains/sparse/tensor/file_formats/matrix_market_reader.h"

#include "base/parallel.h"
#include "domains/sparse/tensor/coordinate_blocks.h"
#include "domains/sparse/tensor/file_formats/matrix_market_entries.h"
#include "domains/sparse/tensor/file_formats/matrix_market_header.h"

#include <algorithm>
#include <condition_variable>
#include <fmt/format.h>
#include <mutex>

namespace sparsight {

namespace {

/// Reads the entries with several threads. Each takes the next block of text, parses it, and waits for its
/// turn to hand it in; so lines and entries are counted in the file's order, and the first defect is the one
/// reported.
class EntryReader {
public:
    EntryReader(ByteSource& source, TextBlocks& blocks, MatrixMarketStart start, const ReadOptions& options)
        : source_(source)
        , text_blocks_(blocks)
        , header_(start.header)
        , options_(options)
        , first_(std::move(start.rest))
        , size_line_(start.size_line)
        , lines_(start.size_line)
        , walk_(start.header.rows, start.header.symmetry) {}

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
        const auto count = static_cast<std::size_t>(parsed.kept);
        CoordinateBlock block{IdSequence::packed({scratch.row_ids.get(), count}),
                              IdSequence::packed({scratch.column_ids.get(), count}),
                              {}};
        if (header_.field != ValueField::Pattern)
            block.values.assign(scratch.values.get(), scratch.values.get() + count);
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
            end_with(with_file_line(ticket.has_text.error(), lines_));
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
        const auto count = static_cast<std::size_t>(parsed.kept);
        for (std::size_t e = 0; e < count; ++e)
            std::tie(scratch.row_ids[e], scratch.column_ids[e]) = walk_.at(entries_ + scratch.places[e]);
        return copy_coordinates(parsed, scratch);
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
            return fail_in_file(Fault::Limit, {}, size_line_, allowed.error().message);
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
    std::int64_t size_line_;
    std::int64_t lines_;
    std::int64_t entries_ = 0;
    ArrayWalk walk_;
    std::vector<CoordinateBlock> coordinates_;
    ReadReport report_;
};

/// No more than there are blocks of text; a compressed file unpacks to about eight times its size at most.
int useful_threads(const ByteSource& source, const ReadOptions& options) {
    const int threads = options.threads > 0 ? options.threads : available_threads();
    if (source.total() == 0)
        return threads;
    const std::uint64_t blocks = source.total() / std::max<std::size_t>(options.block_bytes / 8, 1) + 1;
    return static_cast<int>(std::min<std::uint64_t>(blocks, static_cast<std::uint64_t>(threads)));
}

} // namespace

Result<LoadedMatrix> read_matrix_market(ByteSource& source, const ReadOptions& options) {
    TextBlocks blocks(source, options.block_bytes);
    Result<MatrixMarketStart> start = read_matrix_market_start(blocks, options);
    if (!start)
        return std::unexpected(start.error());
    const int threads = useful_threads(source, options);
    return EntryReader(source, blocks, *std::move(start), options).read(threads);
}

} // namespace sparsight
