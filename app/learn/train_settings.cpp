#include "base/parallel.h"
#include "command/train_presets.h"
#include "learn/train_request.h"

#include <fmt/format.h>

namespace sparsight {

namespace {

/// Defaults are those of learning/training_options.h.
Json default_of(const char* option) {
    static const Json defaults = Json::parse(to_json(TrainingOptions()));
    return defaults.at(option);
}

SettingDefinition option(const char* name, std::string placeholder, std::string help) {
    const Json fallback = default_of(name);
    help +=
        fmt::format(" (default {})", fallback.is_string() ? fallback.get<std::string>() : fallback.dump());
    return {name, fallback, std::move(placeholder), std::move(help)};
}

} // namespace

std::span<const Preset> train_presets() {
    return train_preset_table;
}

std::vector<SettingDefinition> train_settings() {
    return {
        {"machines", Json::array(), "NAMES",
         "machines to learn from, with commas (default: all);\n"
         "none: the imagined ones alone, to adapt the model to a\n"
         "machine that it does not know yet (finetune)"},
        {"simulated", Json::array(), "NAMES",
         "imagined machines besides, with the schedules of the first\n"
         "machine: family:N are N sampled ones; presets and machines\n"
         "of the workspace are simulated mechanistically; A and B,\n"
         "the report's, by its formula, which changes no order"},
        {"operator", "spmm", "OPERATOR", "spmm (default), spmv or sddmm"},
        {"dense", 256, "N", "extent of the dense index (default 256)"},
        {"architecture", "statistics", "NAME",
         "statistics (default): a perceptron over a pattern's\n"
         "statistics; waconet: sparse convolutions over the\n"
         "pattern; trees: boosted trees over statistics"},
        option("method", "METHOD",
               "supervised, or meta-learning over machines:\n"
               "maml, fomaml, reptile, anil, meta-sgd, report"),
        option("loss", "LOSS", "margin, logistic, listmle or log-squared"),
        option("epochs", "N", "passes over the training matrices"),
        option("rate", "RATE", "length of Adam's steps"),
        option("rate_schedule", "NAME", "constant, or cosine: falls to none"),
        option("schedules_per_matrix", "N", "drawn anew for every step"),
        option("weight_decay", "SHARE", "of the weights that a step at rate 1 takes away"),
        option("longest_gradient", "NORM", "gradients are cut to this norm; 0: never"),
        option("patience", "N",
               "epochs without a better validation loss\nafter which training ends; 0: never"),
        option("inner_steps", "N",
               "meta-learning: steps on a machine's examples\nbefore the loss that counts"),
        option("inner_rate", "RATE", "meta-learning: length of an inner step"),
        option("support_matrices", "N", "meta-learning: matrices of the inner steps"),
        option("query_matrices", "N", "meta-learning: matrices of the loss behind them"),
        option("tasks_per_step", "N", "meta-learning: machines whose gradients are averaged"),
        {"split", "", "NAME",
         "matrices to train, validate and test with, as the\n"
         "workspace has them (default: by the shares, families of\n"
         "resized and transposed matrices on one side)"},
        {"validation_share", 0.1, "SHARE", "of the matrices (default 0.1)"},
        {"test_share", 0.1, "SHARE", "of the matrices (default 0.1)"},
        {"machine_features", false, "", "the description of a machine is an input of the network"},
        {"baseline", true, "", "do not train boosted trees on the same data for\ncomparison"},
        {"parent", "", "MODEL", "begin with the weights of this model"},
        {"seed", 1, "", ""},
        {"threads", available_threads(), "N", "threads of LibTorch (default: all)"},
        {"device", "cpu", "DEVICE",
         "what computes: cpu (default), cuda, or a GPU by its\nnumber, as in cuda:1"},
    };
}

std::map<std::string, std::string> settings_in_effect(const RunSettings& settings,
                                                      const TrainRequest& request) {
    std::map<std::string, std::string> texts = settings.texts();
    // How it was computed, and beside what, is nothing of the model.
    for (const char* other : {"threads", "device", "baseline"})
        texts.erase(other);
    if (!is_meta(request.options.method))
        for (const char* other :
             {"inner_steps", "inner_rate", "support_matrices", "query_matrices", "tasks_per_step"})
            texts.erase(other);
    return texts;
}

} // namespace sparsight
