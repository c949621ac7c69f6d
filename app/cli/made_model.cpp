#include "cli/made_model.h"

#include "cli/learner_child.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace sparsight {

namespace {

std::uint64_t number(const Json& event, const char* key) {
    const auto found = event.find(key);
    return found != event.end() && found->is_number_unsigned() ? found->get<std::uint64_t>() : 0;
}

} // namespace

Result<void> make_model(const Session& session, const std::string& model, std::vector<std::string> arguments,
                        JobEvents& events, ProgressDisplay& display, const std::stop_token& stop) {
    arguments.insert(arguments.end(), {"--name", model, "--renew"});
    std::uint64_t epochs = 0;
    const auto end = follow_learner(
        session, std::move(arguments),
        [&](const Json& event) {
            const std::string what = event.value("event", "");
            if (what == "start") {
                epochs = number(event, "epochs");
                if (const auto why = event.find("replaces"); why != event.end() && why->is_string())
                    session.remark(why->get<std::string>());
            }
            if (what != "epoch")
                return;
            const std::string stage = fmt::format("training {}", model);
            const std::uint64_t done = number(event, "epoch");
            const std::uint64_t total = std::max(epochs, done);
            events.progress(stage, done, total);
            display.show(
                {.what = fmt::format("{}, epoch {}", stage, done), .done = done, .total = total, .left = {}});
        },
        stop);
    display.clear();
    if (!end)
        return std::unexpected(end.error());
    if (const auto made = end->find("model"); made == end->end() || !made->is_string())
        return fail(Fault::Cancelled, fmt::format("stopped before there was a model {}", model));
    return {};
}

} // namespace sparsight
