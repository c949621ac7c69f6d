#include "learning/common_start.h"

#include <algorithm>
#include <string_view>

namespace sparsight {

namespace {

constexpr std::string_view train_word = "train";
constexpr std::string_view nothing_word = "nothing";
constexpr std::string_view stopped_word = "stopped";
constexpr std::string_view failed_word = "failed";

std::string_view word_of(const Result<CommonStart>& mine) {
    if (!mine)
        return mine.error().fault == Fault::Cancelled ? stopped_word : failed_word;
    return *mine == CommonStart::Train ? train_word : nothing_word;
}

} // namespace

Result<CommonStart> agree_on_start(ProcessGroup& group, Result<CommonStart> mine,
                                   const std::stop_token& stop) {
    if (group.count() == 1)
        return mine;
    // Whoever failed or was stopped says so, too: the others need not wait for it.
    const auto words = group.exchange(std::string(word_of(mine)), stop);
    if (!mine)
        return mine;
    if (!words)
        return std::unexpected(words.error());
    const auto said = [&](std::string_view word) { return std::ranges::find(*words, word) != words->end(); };
    if (said(failed_word))
        return fail(Fault::Environment, "another of the processes that train together failed");
    if (said(stopped_word))
        return fail(Fault::Cancelled, "another of the processes that train together was stopped");
    return words->front() == nothing_word ? CommonStart::NothingToDo : CommonStart::Train;
}

} // namespace sparsight
