#include "model/tree_shape.h"

#include <cstdint>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace sparsight {
namespace {

using Nodes = std::vector<std::int64_t>;

constexpr std::int64_t no_child = -1;
constexpr std::int64_t no_parent = 2147483647; // as xgboost marks the root

bool is_tree(const Nodes& left, const Nodes& right, const Nodes& parents) {
    const auto count = static_cast<std::int64_t>(left.size());
    std::vector<std::int64_t> found(left.size(), no_parent);
    for (std::int64_t node = 0; node < count; ++node) {
        const auto at = static_cast<std::size_t>(node);
        if ((left[at] == no_child) != (right[at] == no_child))
            return false;
        for (const std::int64_t child : {left[at], right[at]}) {
            if (child == no_child)
                continue;
            // The root is nobody's child, and no node has two parents: so there is no way around in a circle
            // that could be reached from the root.
            if (child <= 0 || child >= count || found[static_cast<std::size_t>(child)] != no_parent)
                return false;
            found[static_cast<std::size_t>(child)] = node;
        }
    }
    return found == parents;
}

/// What is wrong with a tree; empty: nothing.
std::string tree_defect(const nlohmann::json& tree, std::int64_t features) {
    const auto left = tree.at("left_children").get<Nodes>();
    const auto right = tree.at("right_children").get<Nodes>();
    const auto parents = tree.at("parents").get<Nodes>();
    const auto split_features = tree.at("split_indices").get<Nodes>();
    const std::size_t count = left.size();
    if (count == 0 || right.size() != count || parents.size() != count || split_features.size() != count ||
        tree.at("tree_param").at("num_nodes").get<std::string>() != std::to_string(count))
        return "has lists of different lengths";
    if (!is_tree(left, right, parents))
        return "has nodes that do not make a tree";
    for (const std::int64_t feature : split_features)
        if (feature < 0 || feature >= features)
            return fmt::format("looks at feature {} of {}", feature, features);
    for (const char* categories : {"categories", "categories_nodes"})
        if (!tree.at(categories).empty())
            return "splits by categories, which none of ours does";
    return {};
}

} // namespace

Result<void> check_tree_shapes(std::string_view text, std::size_t features) {
    const nlohmann::json json = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
    try {
        const nlohmann::json& booster = json.at("learner").at("gradient_booster");
        const nlohmann::json& trees = booster.at("model").at("trees");
        if (booster.at("name").get<std::string>() != "gbtree" ||
            booster.at("model").at("tree_info").size() != trees.size())
            return fail(Fault::Input, "are no trees of xgboost");
        for (std::size_t tree = 0; tree < trees.size(); ++tree)
            if (const std::string wrong = tree_defect(trees[tree], static_cast<std::int64_t>(features));
                !wrong.empty())
                return fail(Fault::Input, fmt::format("tree {} {}", tree + 1, wrong));
    } catch (const nlohmann::json::exception&) {
        return fail(Fault::Input, "are no trees of xgboost");
    }
    return {};
}

} // namespace sparsight
