#include "domains/blocks/simulator/simulator_process.h"

#include "domains/blocks/simulator/table_file.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace sparsight {
namespace {

constexpr std::size_t queries_a_question = 512; // some 0.2 s: a stop waits as long
constexpr std::size_t codes_a_question = 10'000;
constexpr std::string_view head_of_table = "sparsight simulator 1\n";

} // namespace

Result<std::unique_ptr<SimulatorProcess>> SimulatorProcess::start(std::string_view machine, int threads) {
    std::unique_ptr<SimulatorProcess> process(new SimulatorProcess(threads));
    const auto answer = process->ask(fmt::format("table\n{}\n", machine));
    if (!answer)
        return std::unexpected(answer.error());
    if (!answer->starts_with(head_of_table))
        return fail(Fault::Environment, "sparsight-cli, which simulates blocks, is of another version");
    const std::string_view bytes = std::string_view(*answer).substr(head_of_table.size());
    if (constexpr std::string_view refusal = "refused "; bytes.starts_with(refusal))
        return fail(Fault::Input, std::string(bytes.substr(refusal.size())));
    auto table = parse_table_bytes(bytes);
    if (!table)
        return std::unexpected(std::move(table).error());
    process->original_ = *std::move(table);
    return process;
}

Result<std::vector<Result<std::vector<std::size_t>>>>
SimulatorProcess::classes(std::span<const MachineCode* const> codes) {
    std::vector<Result<std::vector<std::size_t>>> all;
    while (!codes.empty()) {
        const auto some = codes.first(std::min(codes.size(), codes_a_question));
        const auto answer = ask(classes_question(original_.machine, some));
        if (!answer)
            return std::unexpected(answer.error());
        auto found = parse_classes(*answer);
        if (!found)
            return std::unexpected(std::move(found).error());
        if (found->size() != some.size())
            return fail(Fault::Internal, "sparsight-cli has answered of other blocks than those asked for");
        std::ranges::move(*found, std::back_inserter(all));
        codes = codes.subspan(some.size());
    }
    return all;
}

Result<std::vector<Result<double>>> SimulatorProcess::cycles(std::span<const SimulationQuery> queries,
                                                             int iterations, const std::stop_token& stop) {
    std::vector<Result<double>> all;
    all.reserve(queries.size());
    while (!queries.empty()) {
        if (stop.stop_requested())
            return fail(Fault::Cancelled, "stopped");
        const auto some = queries.first(std::min(queries.size(), queries_a_question));
        const auto answer = ask(cycles_question(original_.machine, some, iterations));
        if (!answer)
            return std::unexpected(answer.error());
        auto found = parse_cycles(*answer);
        if (!found)
            return std::unexpected(std::move(found).error());
        if (found->size() != some.size())
            return fail(Fault::Internal, "sparsight-cli has simulated other blocks than those asked for");
        std::ranges::move(*found, std::back_inserter(all));
        queries = queries.subspan(some.size());
    }
    return all;
}

Result<std::string> SimulatorProcess::ask(std::string_view question) {
    for (bool was_tried_again = false;; was_tried_again = true) {
        if (!helper_) {
            const auto program = find_sparsight_program("sparsight-cli", "which simulates blocks");
            if (!program)
                return std::unexpected(program.error());
            auto started = HelperProcess::start(
                *program, {"block", "answer-simulations", "--threads", fmt::to_string(threads_)});
            if (!started)
                return std::unexpected(std::move(started).error());
            helper_ = *std::move(started);
        }
        auto answer = helper_->ask(question);
        if (answer || was_tried_again)
            return answer;
        helper_.reset(); // somebody may have ended it since the last question
    }
}

} // namespace sparsight
