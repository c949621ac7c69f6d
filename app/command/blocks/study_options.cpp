#include "command/blocks/study_options.h"

#include "command/options.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>

namespace sparsight {

template <typename Value>
void StudyOptions::add(CLI::App& command, const char* name, Value StudySizes::* member, const char* type,
                       const char* help, Value least) {
    CLI::Option* const option = command.add_option(name, given_.*member, help)->type_name(type);
    option->check(whole_numbers(static_cast<std::int64_t>(least), 1'000'000));
    changes_.emplace_back([this, option, member](StudySizes& sizes) {
        if (option->count() > 0)
            sizes.*member = given_.*member;
    });
}

void StudyOptions::add_to(CLI::App& command) {
    const auto add_list = [&](const char* name, auto member, const char* type, const char* help) {
        CLI::Option* const option =
            command.add_option(name, given_.*member, help)->type_name(type)->delimiter(',');
        changes_.emplace_back([this, option, member](StudySizes& sizes) {
            if (option->count() > 0)
                sizes.*member = given_.*member;
        });
    };
    given_.shots.clear(); // otherwise what is given would stand behind the usual ones
    command.add_flag("--quick", is_small_, "a small study, which only shows that all works");
    add_list("--machines", &StudySizes::machines, "NAMES", "microarchitectures (default: all but zenp)");
    add_list("--parts", &StudySizes::parts, "NAMES",
             "accuracy, ablations, transfer, explanations\n(default: all)");
    add(command, "--width", &StudySizes::width, "N", "width of networks (default 64)", 1);
    add(command, "--ithemal-epochs", &StudySizes::ithemal_epochs, "N", "of Ithemal (default 40)", 1);
    add(command, "--granite-epochs", &StudySizes::granite_epochs, "N", "of GRANITE (default 30)", 1);
    add(command, "--seeds", &StudySizes::seeds, "N", "trainings of at most ten minutes (default 5)", 1);
    add(command, "--long-seeds", &StudySizes::long_seeds, "N", "longer trainings (default 2)", 1);
    add(command, "--transfer-epochs", &StudySizes::transfer_epochs, "N",
        "of models that are adapted to a new machine (default 40)", 1);
    add_list("--shots", &StudySizes::shots, "N,N", "blocks of the new machine (default 0,100,1000)");
    add(command, "--draws", &StudySizes::draws, "N", "draws of these blocks (default 5)", 1);
    add(command, "--explained", &StudySizes::explained, "N",
        "blocks whose predictions are explained (default 200)", std::size_t{1});
    command.add_option("--hours", hours, "stops after so many hours (default: never)")
        ->type_name("HOURS")
        ->check(CLI::PositiveNumber);
    add_threads_option(command, threads, "threads of a training (default 1)");
}

StudySizes StudyOptions::sizes() const {
    StudySizes sizes = is_small_ ? small_study() : StudySizes();
    for (const auto& change : changes_)
        change(sizes);
    return sizes;
}

std::vector<std::string> StudyOptions::arguments() const {
    const StudySizes all = sizes();
    std::vector<std::string> arguments;
    const auto add_text = [&](const char* name, std::string value) {
        if (!value.empty())
            arguments.insert(arguments.end(), {name, std::move(value)});
    };
    add_text("--machines", fmt::format("{}", fmt::join(all.machines, ",")));
    add_text("--parts", fmt::format("{}", fmt::join(all.parts, ",")));
    add_text("--shots", fmt::format("{}", fmt::join(all.shots, ",")));
    add_text("--width", fmt::to_string(all.width));
    add_text("--ithemal-epochs", fmt::to_string(all.ithemal_epochs));
    add_text("--granite-epochs", fmt::to_string(all.granite_epochs));
    add_text("--seeds", fmt::to_string(all.seeds));
    add_text("--long-seeds", fmt::to_string(all.long_seeds));
    add_text("--transfer-epochs", fmt::to_string(all.transfer_epochs));
    add_text("--draws", fmt::to_string(all.draws));
    add_text("--explained", fmt::to_string(all.explained));
    add_text("--threads", fmt::to_string(threads));
    if (hours > 0)
        add_text("--hours", fmt::to_string(hours));
    return arguments;
}

} // namespace sparsight
