// What must hold for any bytes that a reader is given; the build says which reader.

#include "domains/sparse/tensor/matrix_files.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace sparsight {
namespace {

using Parser = Result<LoadedMatrix> (*)(std::string_view, const std::string&, const ReadOptions&);

/// Ends the fuzzer when what was found does not hold.
void require(bool holds, const char* what) {
    if (holds)
        return;
    std::fprintf(stderr, "does not hold: %s\n", what);
    std::abort();
}

/// A matrix is well formed and its counts add up, an error has a text; and neither depends on how the bytes
/// were cut into blocks for how many threads.
void check_reader(Parser parse, const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    // Small limits keep legal, but large matrices from taking the fuzzer's time.
    const ReadLimits limits{.rows = 1 << 16, .cols = 1 << 16, .entries = 1 << 20};
    const Result<LoadedMatrix> whole =
        parse(bytes, "input", {.threads = 1, .limits = limits, .block_bytes = 1 << 13});
    const Result<LoadedMatrix> pieces =
        parse(bytes, "input", {.threads = 2, .limits = limits, .block_bytes = 11});
    require(whole.has_value() == pieces.has_value(), "the same outcome for any blocks");
    if (!whole) {
        require(!whole.error().message.empty(), "an error has a text");
        require(whole.error().text() == pieces.error().text(), "the same error for any blocks");
        require(whole.error().fault == Fault::Input || whole.error().fault == Fault::Limit,
                "it is the input's fault");
        return;
    }
    const ReadReport& report = whole->report;
    require(is_well_formed(whole->pattern), "the pattern is well formed");
    require(whole->pattern.row_pointers == pieces->pattern.row_pointers &&
                whole->pattern.column_ids == pieces->pattern.column_ids && report == pieces->report,
            "the same matrix for any blocks");
    const std::int64_t distinct =
        report.stored_entries - report.duplicates_merged - report.array_zeros_dropped;
    require(report.symmetry == MatrixSymmetry::General
                ? whole->pattern.nnz() == distinct
                : whole->pattern.nnz() >= distinct && whole->pattern.nnz() <= 2 * distinct,
            "the counts add up");
}

} // namespace
} // namespace sparsight

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    sparsight::check_reader(&sparsight::SPARSIGHT_PARSER, data, size);
    return 0;
}
