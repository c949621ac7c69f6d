#include "domains/sparse/workflow/explanation/explain_study.h"

#include "base/files.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "collection/measuring_domain.h"
#include "domains/sparse/explanation/pattern/pattern_change.h"
#include "domains/sparse/explanation/simulated_clock.h"
#include "domains/sparse/explanation/varied_schedules.h"
#include "domains/sparse/schedule/schedule_space.h"
#include "domains/sparse/schedule/text.h"
#include "domains/sparse/simulator/schedule_ranking.h"
#include "domains/sparse/sparse_domain.h"
#include "domains/sparse/storage/schedules.h"
#include "evaluation/time_differences.h"
#include "machine/probe/system_files.h"
#include "workflow/machines/measuring_turn.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>
#include <system_error>
#include <tuple>

namespace sparsight {

namespace {

/// Neighbours that are measured for a counterfactual; simulated ones cost nothing.
constexpr std::size_t measured_steps = 24;

struct Subject {
    NamedMatrix matrix;
    std::optional<Workspace> workspace;
    NamedMachine machine;
    int threads = 1;
    KnownTimes known;
    std::set<std::int64_t> other_extents{}; ///< where nothing is known of this one: dense extents with times
};

ResultFilter filter_of(const ExplainRequest& request, const Subject& subject) {
    ResultFilter filter{.matrix = subject.matrix.name,
                        .machine = subject.machine.fingerprint,
                        .op = request.op,
                        .dense = dense_index(request.op) ? request.dense : 1};
    if (request.measured) {
        filter.protocol = name(Protocol::Adaptive);
        filter.threads = request.threads;
    }
    return filter;
}

Result<Subject> find_subject(const WorkspaceLocation& location, const ExplainRequest& request) {
    auto matrix = load_named_matrix(location, request.matrix);
    if (!matrix)
        return std::unexpected(std::move(matrix.error()));
    auto machine =
        request.machine.empty() ? this_named_machine(location) : named_machine(location, request.machine);
    if (!machine)
        return std::unexpected(std::move(machine.error()));
    Subject subject{std::move(*matrix), {}, std::move(*machine), request.threads, {}};
    if (!request.measured) {
        const auto parameters = resolve_parameters(subject.machine.machine).values;
        subject.threads = std::min(static_cast<int>(parameters[MachineParameter::Threads]), maximum_threads);
    }
    const bool is_of_workspace = !names_file(request.matrix);
    if (!is_of_workspace)
        return subject;
    auto workspace = location.open(request.measured ? WorkspaceAccess::ReadWrite : WorkspaceAccess::Read);
    if (!workspace)
        return std::unexpected(std::move(workspace.error()));
    subject.workspace = std::move(*workspace);
    if (subject.machine.fingerprint.empty())
        return subject;
    auto known = known_times(*subject.workspace, *make_sparse_domain(), filter_of(request, subject));
    if (!known)
        return std::unexpected(std::move(known.error()));
    subject.known = std::move(*known);
    if (subject.known.best() != nullptr)
        return subject;
    ResultFilter any_extent = filter_of(request, subject);
    any_extent.dense.reset();
    const auto others = list_results(*subject.workspace, any_extent);
    if (!others)
        return std::unexpected(others.error());
    for (const ResultRow& each : *others)
        if (each.status == MeasurementStatus::Measured)
            subject.other_extents.insert(each.dense);
    return subject;
}

/// " with a dense extent of 256 (some were with 32, 64)"; empty where there are no others.
std::string extents_text(const ExplainRequest& request, const Subject& subject) {
    return subject.other_extents.empty() ? std::string()
                                         : fmt::format(" with a dense extent of {} (some were with {})",
                                                       request.dense, fmt::join(subject.other_extents, ", "));
}

/// Of those that `whatif` would rank.
Result<SuperSchedule> best_simulated(const ExplainRequest& request, Subject& subject,
                                     const ProfiledPattern& pattern) {
    std::vector<ResultRow> measured;
    if (subject.workspace) {
        ResultFilter filter = filter_of(request, subject);
        filter.machine.clear();
        auto rows = measured_rows(*subject.workspace, filter);
        if (!rows)
            return std::unexpected(std::move(rows.error()));
        measured = std::move(*rows);
    }
    constexpr std::size_t ranked = 20;
    const auto set =
        schedule_set(pattern, varied_schedules(request.op, request.dense, measured, ranked, request.seed),
                     {.threads = available_threads()});
    if (!set)
        return std::unexpected(set.error());
    const auto winner =
        rank(simulate(resolve_parameters(subject.machine.machine).values, set->profiles)).winner();
    return set->schedules[winner.value_or(0)];
}

Result<SuperSchedule> schedule_named(const std::string& option, const std::string& text,
                                     const ExplainRequest& request, Subject& subject,
                                     const ProfiledPattern& pattern, std::vector<std::string>& remarks) {
    if (text == "csr")
        return fixed_csr(request.op, subject.threads);
    if (text != "best") {
        auto schedule = parse_schedule(request.op, text);
        if (!schedule)
            return fail(Fault::Input, fmt::format("--{}: expected csr, best or a schedule on one line: {}",
                                                  option, schedule.error().message));
        return schedule;
    }
    if (const ResultRecord* best = subject.known.first_in_lists())
        return parse_schedule(request.op, best->configuration);
    const std::string extents = extents_text(request, subject);
    if (request.measured)
        return fail(Fault::Input,
                    fmt::format("--{} best: no schedule of {} was measured with {}{} and {} threads on this "
                                "computer: expected some from `collect`",
                                option, subject.matrix.name, name(request.op), extents, request.threads));
    remarks.push_back(fmt::format(
        "no schedule of {} was measured on {}{}: best is the fastest of 20 that were "
        "simulated{}",
        subject.matrix.name, subject.machine.machine.name, extents,
        subject.workspace ? other_machines_hint(*subject.workspace, subject.matrix.name, request.op,
                                                request.dense, subject.machine.machine.name)
                          : ""));
    return best_simulated(request, subject, pattern);
}

ExplanationRequest make_request(const ExplainRequest& request, const Subject& subject, Observer& observer,
                                const std::stop_token& stop) {
    ExplanationRequest made{.from = {},
                            .to = {},
                            .dense = request.dense,
                            .machine = subject.machine.machine,
                            .threads = available_threads()};
    made.blame.seed = request.seed;
    made.blame.progress = observer.sink();
    made.blame.stop = stop;
    if (request.measured) {
        made.kernel_threads = request.threads;
        made.blame.budget = request.budget;
        made.tried_steps = measured_steps;
    }
    return made;
}

Result<ExplainAnswer> explain_simulated(const ProfiledPattern& pattern, const ExplanationRequest& request) {
    SimulatedClock simulated(pattern, request.dense, resolve_parameters(request.machine).values,
                             request.threads);
    auto explanation = explain(pattern, simulated, request);
    if (!explanation)
        return std::unexpected(std::move(explanation.error()));
    return ExplainAnswer{.explanation = std::move(*explanation)};
}

Result<std::optional<MeasurementStore>> store_of(const ExplainRequest& request, Subject& subject) {
    if (!subject.workspace)
        return std::nullopt;
    const auto machine = this_machine(*subject.workspace);
    if (!machine)
        return std::unexpected(machine.error());
    const auto matrix = find_matrix(*subject.workspace, subject.matrix.name);
    if (!matrix)
        return std::unexpected(matrix.error());
    // Times of another code generator say nothing about the code that is measured now.
    const bool is_current = subject.known.engine() == code_version(KernelTarget::of_this_computer());
    return MeasurementStore{&*subject.workspace,
                            {(*matrix)->id, machine->id, dense_index(request.op) ? request.dense : 1,
                             std::string(name(Protocol::Adaptive))},
                            subject.matrix.name,
                            request.again || !is_current ? KnownTimes() : subject.known};
}

Result<ExplainAnswer> explain_with(KernelInputs& workload, KernelCompiler& compiler,
                                   const ProfiledPattern& pattern, const ExplanationRequest& request,
                                   int threads, std::optional<MeasurementStore> store) {
    const bool is_stored = store.has_value();
    const auto counters = HardwareCounters::open(); // before the team, whose threads it shall count
    try {
        Team team(threads);
        MeasuredClock measured(workload, compiler, team, std::move(store), request.blame.stop);
        const MillisecondClock clock = request.blame.clock;
        const Milliseconds start = clock();
        auto explanation = explain(pattern, measured, request);
        if (!explanation)
            return std::unexpected(std::move(explanation.error()));
        PatternVerification verification{.dense = request.dense, .stop = request.blame.stop};
        if (request.blame.budget)
            verification.is_over = [&] { return clock() - start >= *request.blame.budget; };
        verification.tell = [&] {
            if (!request.blame.budget)
                return;
            const auto all = static_cast<std::uint64_t>(Milliseconds(*request.blame.budget).count());
            const auto spent = static_cast<std::uint64_t>((clock() - start).count());
            request.blame.progress({"measuring a changed pattern in turns", std::min(spent, all), all});
        };
        if (auto verified = verify_pattern_changes(explanation->pattern_changes, pattern.pattern(),
                                                   request.from, request.to, compiler, team, verification);
            !verified)
            return std::unexpected(std::move(verified.error()));
        if (auto counted =
                count_both_sides(counters, *explanation, workload, compiler, team, request.blame.stop);
            !counted)
            return std::unexpected(std::move(counted.error()));
        return ExplainAnswer{.explanation = std::move(*explanation),
                             .measured = measured.measured(),
                             .reused = measured.reused(),
                             .repeated = measured.repeated(),
                             .is_stored = is_stored};
    } catch (const std::system_error& error) {
        return fail(Fault::Environment,
                    fmt::format("{} threads can't be started: {}", threads, error.what()));
    }
}

Result<ExplainAnswer> explain_measured(const ProfiledPattern& pattern, const ExplainRequest& asked,
                                       ExplanationRequest request, Subject& subject, Observer& observer) {
    keep_freed_memory();
    const auto turn = measuring_turn(observer, request.blame.stop, request.blame.budget);
    if (!turn)
        return std::unexpected(turn.error());
    request.blame.budget = turn->budget;
    auto store = store_of(asked, subject);
    if (!store)
        return std::unexpected(std::move(store.error()));
    auto workload =
        KernelInputs::make(pattern.pattern(), asked.op, asked.dense, asked.threads, operand_limit());
    if (!workload)
        return std::unexpected(std::move(workload.error()));
    auto compiler = KernelCompiler::make();
    if (!compiler)
        return std::unexpected(std::move(compiler.error()));
    const BackgroundLoad others;
    auto answer = explain_with(*workload, *compiler, pattern, request, asked.threads, std::move(*store));
    if (const double taken = others.share().value_or(0);
        answer && answer->measured > 0 && taken > disturbing_share)
        answer->busy_share = taken;
    return answer;
}

ClockTime clock_time_of(const ResultRecord* known) {
    if (known == nullptr || !has_time(known->status) || known->protocol == simulated_protocol)
        return {};
    return {.milliseconds = known->median_ms,
            .spread_ms = known->spread_ms.value_or(0),
            .is_at_least = known->status == MeasurementStatus::GaveUp};
}

/// Of schedules that are known by their times there, against the baseline at its moment, as in lists of
/// results; simulated ones say nothing new.
std::optional<KnownPair> known_pair(const KnownTimes& known, const ExplanationRequest& request) {
    const ResultRecord* const to = known.find(configuration_of(request.to));
    const ResultRecord* const from = known.find(configuration_of(request.from));
    const bool are_known = request.machine.source != MachineSource::Simulated && to != nullptr &&
                           from != nullptr && to->status == MeasurementStatus::Measured &&
                           from->status == MeasurementStatus::Measured;
    if (!are_known)
        return std::nullopt;
    KnownPair pair{clock_time_of(from), clock_time_of(to)};
    if (!pair.against.milliseconds || !pair.schedule.milliseconds)
        return std::nullopt;
    if (from == known.baseline() && to->speedup)
        pair.against.milliseconds = *to->speedup * *to->median_ms;
    return pair;
}

/// Of the schedule, or else of the other one.
std::string far_off(const Subject& subject, const Explanation& explanation, const ExplanationRequest& request,
                    const ExplainRequest& asked) {
    if (request.machine.source == MachineSource::Simulated)
        return {};
    for (const auto& [schedule, simulated, what, in_turns_ms] :
         {std::tuple(&request.to, &explanation.to, "the schedule", asked.schedule_in_turns_ms),
          std::tuple(&request.from, &explanation.from,
                     is_fixed_csr(request.from) ? "fixed CSR" : "the other schedule",
                     asked.against_in_turns_ms)})
        if (std::string text = far_off_text(
                simulated->parts.total(), simulation_error(request.machine),
                clock_time_of(subject.known.find(configuration_of(*schedule))),
                is_recording(subject.machine.fingerprint) ? "recorded" : "measured", what, in_turns_ms);
            !text.empty())
            return text;
    return {};
}

} // namespace

Result<NamedSubject> named_subject(const WorkspaceLocation& location, const ExplainRequest& request) {
    auto subject = find_subject(location, request);
    if (!subject)
        return std::unexpected(std::move(subject.error()));
    std::vector<std::string> remarks;
    auto schedule = schedule_named("schedule", request.schedule, request, *subject,
                                   ProfiledPattern(subject->matrix.pattern), remarks);
    if (!schedule)
        return std::unexpected(std::move(schedule.error()));
    schedule->threads = subject->threads;
    return NamedSubject{std::move(subject->matrix), std::move(subject->machine), *schedule,
                        std::move(remarks)};
}

Result<ExplainAnswer> answer_explain(const WorkspaceLocation& location, const ExplainRequest& request,
                                     Observer& observer, const std::stop_token& stop) {
    auto subject = find_subject(location, request);
    if (!subject)
        return std::unexpected(std::move(subject.error()));
    const ProfiledPattern pattern(subject->matrix.pattern);
    ExplanationRequest made = make_request(request, *subject, observer, stop);
    std::vector<std::string> remarks;
    for (const auto& [option, text, schedule] : {std::tuple{"schedule", &request.schedule, &made.to},
                                                 std::tuple{"against", &request.against, &made.from}}) {
        auto named = schedule_named(option, *text, request, *subject, pattern, remarks);
        if (!named)
            return std::unexpected(std::move(named.error()));
        *schedule = *named;
        schedule->threads = subject->threads;
    }
    auto answer = request.measured ? explain_measured(pattern, request, made, *subject, observer)
                                   : explain_simulated(pattern, made);
    if (!answer)
        return answer;
    if (!request.measured) {
        answer->known = known_pair(subject->known, made);
        answer->far_off = far_off(*subject, answer->explanation, made, request);
    }
    if (request.measured) {
        const Blame& blame = answer->explanation.blame;
        answer->schedule_moved = machine_time_drift(subject->known.find(configuration_of(made.to)), blame.to);
        answer->against_moved =
            machine_time_drift(subject->known.find(configuration_of(made.from)), blame.from);
    }
    answer->matrix = subject->matrix.name;
    answer->machine = subject->machine.machine;
    answer->threads = subject->threads;
    answer->remarks.insert(answer->remarks.begin(), remarks.begin(), remarks.end());
    return answer;
}

} // namespace sparsight
