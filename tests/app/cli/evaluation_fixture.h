// What the tests of `evaluate` share: models, matrices, and a program in the place of sparsight-learn.
#pragma once

#include "app/cli/cli_fixture.h"
#include "store/models.h"
#include "store/workspace.h"

#include <filesystem>
#include <string>

namespace sparsight::testing {

/// Beside a copy of sparsight-cli stands a small program that answers as sparsight-learn does, and notes
/// what it was asked.
class Evaluate : public CliTest {
protected:
    Evaluate() {
        std::filesystem::create_directory(folder() / "bin");
        std::error_code elsewhere;
        std::filesystem::create_hard_link(SPARSIGHT_CLI, program(), elsewhere);
        if (elsewhere)
            std::filesystem::copy_file(SPARSIGHT_CLI, program());
        write_learner(R"sh(
echo "$@" >> "$(dirname "$0")/asked"
matrices=
while [ $# -gt 0 ]; do
    case $1 in
    --model) model=$2; shift ;;
    --workload) matrices="$matrices $2"; shift ;;
    esac
    shift
done
[ "$model" = silent ] && { echo '{"event": "error", "file": null, "line": null, "error": "silent can not be read"}'; exit 1; }
first='1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 48 8'
[ "$model" = second ] && first='2 1 8 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 48 4'
echo '{"event": "start", "job": "search"}'
for matrix in $matrices; do
    [ "$matrix" = broken ] && { echo '{"event": "failure", "matrix": "broken", "error": "can not be read"}'; continue; }
    printf '{"event": "choice", "matrix": "%s", "method": "index", "candidates": [' "$matrix"
    printf '{"rank": 1, "schedule": "%s", "score": 0.5},' "$first"
    printf '{"rank": 2, "schedule": "1 1 4 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 48 2", "score": 0.75},'
    echo '{"rank": 3, "schedule": "1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 48 32", "score": null}]}'
done
echo '{"event": "end", "complete": true, "stopped": false}'
)sh");
        for (const char* family : {"banded", "arrow", "stencil-2d"})
            EXPECT_EQ(run({"simulate", family, "--name", family}).exit_code, 0);
        add_models();
    }

    [[nodiscard]] std::filesystem::path program() const { return folder() / "bin" / "sparsight-cli"; }
    void write_learner(const std::string& script) const {
        const auto file = write("bin/sparsight-learn", "#!/bin/sh" + script);
        std::filesystem::permissions(file, std::filesystem::perms::owner_all);
    }

    void add_models() const {
        auto workspace = *Workspace::open(folder() / "workspace.sparsight");
        for (const char* name : {"first", "second", "silent"})
            EXPECT_TRUE(
                add_model(
                    workspace,
                    {name, {}, {}, R"({"input": {"operator": "spmm"}, "training": {"matrices": ["arrow"]}})"},
                    {})
                    .has_value());
        EXPECT_TRUE(add_model(workspace, {"other", {}, {}, R"({"input": {"operator": "spmv"}})"}, {}));
    }

    [[nodiscard]] Outcome evaluate(Words words) const {
        words.insert(words.begin(), {program().string(), "evaluate"});
        words.insert(words.end(), {"--dense", "8", "--threads", "2", "--k", "2"});
        return ChildProcess(words, folder()).finish();
    }
    [[nodiscard]] Json evaluated(Words words) const {
        words.emplace_back("--json");
        const Outcome outcome = evaluate(words);
        EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
        return parsed(outcome.out);
    }
    [[nodiscard]] Words asked() const { return lines(read("bin/asked")); }
};

} // namespace sparsight::testing
