#include "learn/published_operator.h"

#include "store/runtimes.h"
#include "store/workspace.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <vector>

namespace sparsight {

namespace {

std::vector<Operator> fitting(Operator shape) {
    std::vector<Operator> fit;
    for (const Operator op : all_operators)
        if (loop_count(op) == loop_count(shape))
            fit.push_back(op);
    return fit;
}

/// The one that the text names; nothing where it names none or several.
std::optional<Operator> named_in(std::string text, const std::vector<Operator>& operators) {
    std::ranges::transform(text, text.begin(),
                           [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
    std::optional<Operator> found;
    for (const Operator op : operators) {
        if (!text.contains(name(op)))
            continue;
        if (found)
            return std::nullopt;
        found = op;
    }
    return found;
}

Result<std::optional<Operator>> alone_measured(Workspace& workspace, const std::vector<Operator>& operators) {
    const auto settings = runtime_settings(workspace);
    if (!settings)
        return std::unexpected(settings.error());
    std::optional<Operator> found;
    for (const CountedSetting& setting : *settings) {
        if (setting.measurements == 0 || std::ranges::find(operators, setting.op) == operators.end() ||
            found == setting.op)
            continue;
        if (found)
            return std::optional<Operator>();
        found = setting.op;
    }
    return found;
}

} // namespace

Result<PublishedOperator> published_operator(Workspace& workspace, const std::filesystem::path& file,
                                             Operator shape) {
    const std::vector<Operator> fit = fitting(shape);
    if (fit.size() == 1)
        return PublishedOperator{shape, "its shape", false};
    for (const std::filesystem::path& named : {file.stem(), file.parent_path().filename()})
        if (const auto op = named_in(named.string(), fit))
            return PublishedOperator{*op, "the name of the file or its folder", false};
    if (shape == Operator::SDDMM) {
        const auto measured = alone_measured(workspace, fit);
        if (!measured)
            return std::unexpected(measured.error());
        if (*measured)
            return PublishedOperator{**measured, "the runtimes of the workspace", true};
    }
    return PublishedOperator{shape, "its shape", true};
}

std::string operator_guessed_by(const ModelDescription& model) {
    const auto& settings = model.training.settings;
    const auto found = settings.find(std::string(guessed_operator_setting));
    return found == settings.end() ? std::string() : found->second;
}

} // namespace sparsight
