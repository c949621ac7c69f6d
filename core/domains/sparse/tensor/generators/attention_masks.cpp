#include "domains/sparse/tensor/generators/families.h"
#include "domains/sparse/tensor/generators/row_builder.h"

#include <algorithm>

namespace sparsight {

namespace {

// In every mask, row i holds the tokens that token i attends to.

Result<void> check_size(std::int64_t tokens, double attended) {
    const auto rows = static_cast<double>(tokens);
    return refuse_above_limits(rows, rows * std::min(attended, rows));
}

Parameter tokens_parameter() {
    return {.name = "tokens",
            .description = "length of the sequence: rows, and columns",
            .unit = "tokens",
            .default_value = 4096,
            .minimum = 1,
            .maximum = max_generated_rows};
}

Parameter count_parameter(std::string_view name, std::string_view description, std::string_view unit,
                          double default_value, double minimum) {
    return {.name = name,
            .description = description,
            .unit = unit,
            .default_value = default_value,
            .minimum = minimum,
            .maximum = max_generated_rows};
}

Parameter window_parameter() {
    return count_parameter("window", "tokens attended on each side", "tokens", 64, 0);
}

Parameter causal_parameter(bool default_value) {
    return switch_parameter("causal", "1: only the token itself and earlier ones", default_value);
}

/// `window` tokens on each side, `dilation` apart.
Result<CsrPattern> slide_window(std::int64_t tokens, std::int64_t window, std::int64_t dilation, bool causal,
                                const std::stop_token& stop) {
    window = std::min(window, (tokens - 1) / dilation);
    const std::int64_t after = causal ? 0 : window;
    if (auto allowed = check_size(tokens, static_cast<double>(window + after + 1)); !allowed)
        return std::unexpected(allowed.error());
    RowBuilder builder(tokens, tokens, 0, stop);
    for (std::int64_t row = 0; row < tokens; ++row)
        for (std::int64_t step = -window; step <= after; ++step)
            builder.add_if_inside(row, row + step * dilation);
    return builder.finish();
}

Result<CsrPattern> build_window(const Settings& settings, Random&, const std::stop_token& stop) {
    return slide_window(settings.integer("tokens"), settings.integer("window"), 1, settings.flag("causal"),
                        stop);
}

Result<CsrPattern> build_dilated(const Settings& settings, Random&, const std::stop_token& stop) {
    return slide_window(settings.integer("tokens"), settings.integer("window"), settings.integer("dilation"),
                        settings.flag("causal"), stop);
}

Result<CsrPattern> build_strided(const Settings& settings, Random&, const std::stop_token& stop) {
    const std::int64_t tokens = settings.integer("tokens");
    const std::int64_t stride = std::min(settings.integer("stride"), tokens);
    const bool causal = settings.flag("causal");
    const double side =
        static_cast<double>(stride) + static_cast<double>(tokens) / static_cast<double>(stride);
    if (auto allowed = check_size(tokens, side * (causal ? 1 : 2)); !allowed)
        return std::unexpected(allowed.error());
    RowBuilder builder(tokens, tokens, 0, stop);
    for (std::int64_t row = 0; row < tokens; ++row) {
        for (std::int64_t col = row % stride; col <= row - stride; col += stride)
            builder.add(row, col);
        builder.add_range(row, row - stride + 1, causal ? row + 1 : row + stride);
        if (!causal)
            for (std::int64_t col = row + stride; col < tokens; col += stride)
                builder.add(row, col);
    }
    return builder.finish();
}

Result<CsrPattern> build_longformer(const Settings& settings, Random&, const std::stop_token& stop) {
    const std::int64_t tokens = settings.integer("tokens");
    const std::int64_t window = std::min(settings.integer("window"), tokens - 1);
    const std::int64_t global = std::min(settings.integer("global"), tokens);
    if (auto allowed = check_size(tokens, static_cast<double>(2 * window + 1 + 2 * global)); !allowed)
        return std::unexpected(allowed.error());
    RowBuilder builder(tokens, tokens, 0, stop);
    for (std::int64_t row = 0; row < tokens; ++row) {
        if (row < global) {
            builder.add_range(row, 0, tokens);
            continue;
        }
        builder.add_range(row, 0, global);
        builder.add_range(row, std::max(global, row - window), row + window + 1);
    }
    return builder.finish();
}

/// Which blocks block `row` attends to: global ones, a window, and `random_blocks` of the others.
void choose_blocks(std::int64_t row, std::int64_t blocks, std::int64_t global, std::int64_t window,
                   std::int64_t random_blocks, Random& random, std::vector<std::uint64_t>& chosen) {
    chosen.clear();
    const std::int64_t last_global = row < global ? blocks : global;
    const std::int64_t first_near = std::max(last_global, row - window);
    const std::int64_t last_near = std::max(first_near, std::min(blocks, row + window + 1));
    for (std::int64_t block = 0; block < last_global; ++block)
        chosen.push_back(static_cast<std::uint64_t>(block));
    for (std::int64_t block = first_near; block < last_near; ++block)
        chosen.push_back(static_cast<std::uint64_t>(block));
    // The others are those between the global ones and the window, then those after the window.
    const std::int64_t between = first_near - last_global;
    std::vector<std::uint64_t> others;
    sample_sorted(random, static_cast<std::uint64_t>(between + blocks - last_near),
                  static_cast<std::uint64_t>(random_blocks), others);
    for (const std::uint64_t other : others) {
        const auto place = static_cast<std::int64_t>(other);
        chosen.push_back(
            static_cast<std::uint64_t>(place < between ? last_global + place : last_near + place - between));
    }
    std::ranges::sort(chosen);
}

Result<CsrPattern> build_bigbird(const Settings& settings, Random& random, const std::stop_token& stop) {
    const std::int64_t tokens = settings.integer("tokens");
    const std::int64_t block = settings.integer("block");
    const std::int64_t blocks = (tokens + block - 1) / block;
    const std::int64_t global = std::min(settings.integer("global-blocks"), blocks);
    const std::int64_t window = std::min(settings.integer("window-blocks"), blocks - 1);
    const std::int64_t random_blocks = std::min(settings.integer("random-blocks"), blocks);
    const double attended =
        static_cast<double>(2 * global + 2 * window + 1 + random_blocks) * static_cast<double>(block);
    if (auto allowed = check_size(tokens, attended); !allowed)
        return std::unexpected(allowed.error());
    RowBuilder builder(tokens, tokens, 0, stop);
    std::vector<std::uint64_t> chosen;
    for (std::int64_t row = 0; row < blocks; ++row) {
        choose_blocks(row, blocks, global, window, random_blocks, random, chosen);
        builder.add_blocks(row * block, (row + 1) * block, chosen, block);
    }
    return builder.finish();
}

} // namespace

Generator attention_window_generator() {
    return {.name = "attention-window",
            .title = "Attention mask, sliding window",
            .description = "Every token attends to the tokens next to it.",
            .source =
                "Beltagy, Peters and Cohan, Longformer: the long-document transformer, 2020, section 3.1",
            .parameters = {tokens_parameter(), window_parameter(), causal_parameter(false)},
            .build = build_window};
}

Generator attention_dilated_generator() {
    return {.name = "attention-dilated",
            .title = "Attention mask, dilated window",
            .description = "A sliding window with gaps: every dilation-th token on each side.",
            .source =
                "Beltagy, Peters and Cohan, Longformer: the long-document transformer, 2020, section 3.1",
            .parameters = {tokens_parameter(), window_parameter(),
                           count_parameter("dilation", "distance between attended tokens", "tokens", 4, 1),
                           causal_parameter(false)},
            .build = build_dilated};
}

Generator attention_strided_generator() {
    return {.name = "attention-strided",
            .title = "Attention mask, strided",
            .description = "The token itself and the ones right before it, a stride of them in all, and "
                           "every stride-th one. Both heads of the paper in one mask.",
            .source =
                "Child, Gray, Radford and Sutskever, Generating long sequences with sparse transformers, "
                "2019",
            .parameters = {tokens_parameter(),
                           count_parameter("stride", "length of the window, and distance of the others",
                                           "tokens", 64, 1),
                           causal_parameter(true)},
            .build = build_strided};
}

Generator attention_longformer_generator() {
    return {.name = "attention-longformer",
            .title = "Attention mask, Longformer",
            .description =
                "A sliding window, and global tokens at the beginning, which attend to all and are "
                "attended by all.",
            .source = "Beltagy, Peters and Cohan, Longformer: the long-document transformer, 2020",
            .parameters = {tokens_parameter(), window_parameter(),
                           count_parameter("global", "global tokens, at the beginning", "tokens", 16, 0)},
            .build = build_longformer};
}

Generator attention_bigbird_generator() {
    return {
        .name = "attention-bigbird",
        .title = "Attention mask, BigBird",
        .description = "Blocks of tokens: a window, global blocks at the beginning, and random blocks.",
        .source = "Zaheer et al., Big Bird: transformers for longer sequences, 2020",
        .parameters = {tokens_parameter(), count_parameter("block", "tokens of a block", "tokens", 64, 1),
                       count_parameter("window-blocks", "blocks attended on each side", "blocks", 1, 0),
                       count_parameter("global-blocks", "global blocks, at the beginning", "blocks", 2, 0),
                       count_parameter("random-blocks", "random blocks a row of blocks", "blocks", 3, 0)},
        .build = build_bigbird};
}

} // namespace sparsight
