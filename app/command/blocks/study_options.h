// The options of the study of blocks, which both programs have: sparsight-cli starts it, and hands them to
// sparsight-learn.
#pragma once

#include "domains/blocks/study/study_plan.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
} // namespace CLI

namespace sparsight {

/// The command of sparsight-learn.
inline constexpr std::string_view block_study_command = "blocks-study";

/// Sizes as they were asked for: those that are not given are the usual ones, or those of a small study.
class StudyOptions {
public:
    void add_to(CLI::App& command);
    [[nodiscard]] StudySizes sizes() const;
    /// The same for the other program; without the machines that sizes() has none of.
    [[nodiscard]] std::vector<std::string> arguments() const;

    int threads = 1;
    double hours = 0;

private:
    template <typename Value>
    void add(CLI::App& command, const char* name, Value StudySizes::* member, const char* type,
             const char* help, Value least);

    bool is_small_ = false;
    StudySizes given_;
    std::vector<std::function<void(StudySizes&)>> changes_; ///< of what was given
};

} // namespace sparsight
