#include "learn/serving/served_answers.h"

#include "workflow/learning/reasons/time_prediction.h"

#include <algorithm>
#include <fmt/format.h>
#include <malloc.h>
#include <new>
#include <utility>

namespace sparsight {
namespace {

Result<std::string> required_text(const Json& members, const char* name) {
    auto text = text_member(members, name);
    if (text && text->empty())
        return fail(Fault::Input, fmt::format("\"{}\" is missing, expected text", name));
    return text;
}

Result<std::vector<std::pair<std::string, std::string>>> pairs_of(const Json& pairs) {
    std::vector<std::pair<std::string, std::string>> read;
    const auto wrong = [&] {
        return fail(Fault::Input,
                    fmt::format("\"pairs\" number {} is not [WORKLOAD, CONFIGURATION]", read.size() + 1));
    };
    if (!pairs.is_array() || pairs.empty())
        return fail(Fault::Input, "\"pairs\" is no list of [WORKLOAD, CONFIGURATION]");
    for (const Json& pair : pairs) {
        if (!pair.is_array() || pair.size() != 2 || !pair[0].is_string() || !pair[1].is_string())
            return wrong();
        read.emplace_back(pair[0].get<std::string>(), pair[1].get<std::string>());
    }
    return read;
}

} // namespace

Result<Json> ServedAnswers::answer(const ServedQuestion& question, const std::stop_token& stop) {
    Result<Json> answer = fail(Fault::Input, fmt::format("\"ask\" is \"{}\", expected open, load, predict or "
                                                         "cancel",
                                                         question.ask));
    try {
        if (question.ask == "open")
            answer = open(question.members);
        else if (question.ask == "load")
            answer = load(question.members);
        else if (question.ask == "predict")
            answer = predict(question.members, stop);
    } catch (const std::bad_alloc&) {
        answer = fail(Fault::Limit, "there is not enough memory for this question");
    } catch (const std::exception& error) { // of a library
        answer = fail(Fault::Internal, error.what());
    }
    if (models_.keep_within_limit())
        ::malloc_trim(0);
    return answer;
}

Result<Json> ServedAnswers::open(const Json& members) {
    const auto path = required_text(members, "workspace");
    if (!path)
        return std::unexpected(path.error());
    if (auto opened = models_.open(*path); !opened)
        return std::unexpected(std::move(opened).error());
    return Json{{"workspace", *path}};
}

/// Opens the workspace of the question, where it names one.
Result<ModelQuery> ServedAnswers::query_of(const Json& members) {
    const auto workspace = text_member(members, "workspace");
    const auto model = required_text(members, "model");
    const auto machine = text_member(members, "machine");
    const auto setting = text_member(members, "setting");
    for (const auto* const text : {&workspace, &model, &machine, &setting})
        if (!*text)
            return std::unexpected(text->error());
    if (!workspace->empty())
        if (auto opened = models_.open(*workspace); !opened)
            return std::unexpected(std::move(opened).error());
    return ModelQuery{.model = *model,
                      .machine = *machine,
                      .setting = {.domain = {}, .text = *setting},
                      .threads = threads_};
}

Result<Json> ServedAnswers::load(const Json& members) {
    const auto query = query_of(members);
    if (!query)
        return std::unexpected(query.error());
    const auto model = models_.find(*query);
    if (!model)
        return std::unexpected(model.error());
    const StoredModel& stored = (*model)->stored();
    return Json{{"model", query->model},
                {"domain", (*model)->domain().name()},
                {"architecture", stored.architecture().name},
                {"setting", (*model)->setting().text},
                {"machines", stored.checkpoint.model.training.machines},
                {"models_in_memory", models_.loaded()}};
}

Result<Json> ServedAnswers::predict(const Json& members, const std::stop_token& stop) {
    const auto query = query_of(members);
    if (!query)
        return std::unexpected(query.error());
    const auto model = models_.find(*query);
    if (!model)
        return std::unexpected(model.error());
    if (const auto pairs = members.find("pairs"); pairs != members.end()) {
        auto read = pairs_of(*pairs);
        if (!read)
            return std::unexpected(std::move(read).error());
        Observer nobody;
        const auto told = predict_times(**model, {*query, *std::move(read)}, nobody, stop);
        if (!told)
            return std::unexpected(told.error());
        return predicted_times_json(told->times, told->domain->words());
    }
    const auto part =
        std::ranges::find(given_, (*model)->domain().name(), [](const auto& each) { return each->domain(); });
    if (part == given_.end())
        return fail(Fault::Input, "\"pairs\" is missing, expected [[WORKLOAD, CONFIGURATION], …]");
    return (*part)->predict({**model, *query, members, stop});
}

} // namespace sparsight
