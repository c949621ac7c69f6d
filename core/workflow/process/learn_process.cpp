#include "workflow/process/learn_process.h"

#include "base/library_settings.h"
#include "workflow/learning_settings.h"
#include "workflow/process/worker_program.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <utility>

namespace sparsight {

namespace {

std::string text_of(const Json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::int64_t line_of(const Json& object) {
    const auto found = object.find("line");
    return found != object.end() && found->is_number_integer() ? found->get<std::int64_t>() : 0;
}

void add_setting(const LearnerSetting& setting, std::vector<std::string>& arguments) {
    arguments.insert(arguments.end(), {"--workspace", setting.workspace, "--seed",
                                       fmt::format("{}", setting.seed), "--quiet"});
}

/// It ended without telling why.
Error unexplained(const ChildEnd& end) {
    return {Fault::Internal,
            end.last_words.empty() ? fmt::format("{} ended with exit code {}", learner_program, end.exit_code)
                                   : end.last_words,
            {},
            0};
}

} // namespace

Result<std::filesystem::path> find_learner() {
    return find_sparsight_program(learner_program, "which trains and searches");
}

Result<Json> follow_learner(const LearnerSetting& setting, std::vector<std::string> arguments,
                            const std::function<void(const Json& event)>& on_event,
                            const std::stop_token& stop) {
    const auto program = find_learner();
    if (!program)
        return std::unexpected(program.error());
    add_setting(setting, arguments);
    arguments.insert(arguments.end(), {"--progress", "json"});
    Json last;
    const auto end = run_child(
        *program, arguments, missing_library_settings(),
        [&](std::string_view line) {
            Json event = Json::parse(line, nullptr, /*allow_exceptions=*/false);
            if (!event.is_object())
                return;
            on_event(event);
            last = std::move(event);
        },
        stop);
    if (!end)
        return std::unexpected(end.error());
    const std::string what = last.is_object() ? text_of(last, "event") : "";
    if (what == "end")
        return last;
    if (stop.stop_requested())
        return std::unexpected(Error{Fault::Cancelled, "stopped", {}, 0});
    if (what == "error")
        return fail_in_file(Fault::Input, text_of(last, "file"), line_of(last), text_of(last, "error"));
    return std::unexpected(unexplained(*end));
}

namespace {

std::uint64_t number(const Json& event, const char* key) {
    const auto found = event.find(key);
    return found != event.end() && found->is_number_unsigned() ? found->get<std::uint64_t>() : 0;
}

} // namespace

Result<void> make_model(const LearnerSetting& setting, const std::string& model,
                        std::vector<std::string> arguments, Observer& observer, const std::stop_token& stop) {
    arguments.insert(arguments.end(), {"--name", model, "--renew"});
    std::uint64_t epochs = 0;
    const auto end = follow_learner(
        setting, std::move(arguments),
        [&](const Json& event) {
            const std::string what = event.value("event", "");
            if (what == "start") {
                epochs = number(event, "epochs");
                if (const auto why = event.find("replaces"); why != event.end() && why->is_string())
                    observer.remark(why->get<std::string>());
            }
            if (what != "epoch")
                return;
            const std::string stage = fmt::format("training {}", model);
            const std::uint64_t done = number(event, "epoch");
            const std::uint64_t total = std::max(epochs, done);
            observer.progress({.stage = stage,
                               .done = done,
                               .total = total,
                               .details = fmt::format("{}, epoch {}", stage, done)});
        },
        stop);
    if (!end)
        return std::unexpected(end.error());
    if (const auto made = end->find("model"); made == end->end() || !made->is_string())
        return fail(Fault::Cancelled, fmt::format("stopped before there was a model {}", model));
    return {};
}

} // namespace sparsight
