// compiled_against_c_benchmark [--out FILE] [--count N] [--dense N] [--seed N] [--threads N] [--minutes N]
//                              [--operator NAME] [--schedule TEXT]... MATRIX...
// compiled_against_c_benchmark --dense 32 [--schedule TEXT]... TENSOR.tns...
// compiled_against_c_benchmark --sweep [--threads N] MATRIX...
// Our kernels against what GCC makes of the same loops: of the text that print_c() shows for the nest, and
// of the plain loops of the schedule, which update C in memory, as TACO prints them. N schedules in all,
// drawn as WACO draws them and spread over the matrices and the three operators; or the schedules given. Of a
// tensor it is MTTKRP along each of its modes, by default with fixed CSF.
// FILE gets a JSON object a line as soon as it is measured; what it has already is not measured again.
// --sweep: fixed CSR for many numbers of dense columns, in time for each column, beside its plain loops in C.

#include "base/memory.h"
#include "base/random.h"
#include "domains/sparse/clock/compiled_kernel.h"
#include "domains/sparse/kernel/measurement/kernel_inputs.h"
#include "domains/sparse/kernel/storage/packing.h"
#include "domains/sparse/schedule/sampler.h"
#include "domains/sparse/schedule/text.h"
#include "domains/sparse/tensor/higher_order/tns_file.h"
#include "domains/sparse/tensor/matrix_files.h"
#include "study/measurement.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <dlfcn.h>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <unistd.h>

namespace {

using namespace sparsight;
using Json = nlohmann::ordered_json;

struct BenchmarkSettings {
    std::filesystem::path out;
    int count = 300;
    std::int64_t dense = 256;
    std::uint64_t seed = 1;
    int threads = 1;
    double minutes = 30;
    bool sweep = false;
    std::vector<Operator> operators{all_operators.begin(), all_operators.end()};
    std::vector<std::string> schedules;
    std::vector<std::string> matrices;
};

BenchmarkSettings parse(int count, char** words) {
    BenchmarkSettings settings;
    for (int at = 1; at < count; ++at) {
        const std::string word = words[at];
        if (word == "--sweep") {
            settings.sweep = true;
        } else if (word.starts_with("--") && at + 1 < count) {
            const std::string value = words[++at];
            if (word == "--out")
                settings.out = value;
            else if (word == "--count")
                settings.count = std::stoi(value);
            else if (word == "--dense")
                settings.dense = std::stoll(value);
            else if (word == "--seed")
                settings.seed = std::stoull(value);
            else if (word == "--threads")
                settings.threads = std::stoi(value);
            else if (word == "--minutes")
                settings.minutes = std::stod(value);
            else if (word == "--schedule")
                settings.schedules.push_back(value);
            else if (const auto op = parse_operator(value); word == "--operator" && op)
                settings.operators = {*op};
        } else {
            settings.matrices.push_back(word);
        }
    }
    return settings;
}

/// Of the lines "if …, tile …": what the innermost statements are made of.
void describe(const Body& body, const LoopNest& nest, std::vector<std::string>& parts) {
    const auto named = [&](Variable variable) { return nest.variables[static_cast<std::size_t>(variable)]; };
    for (const KernelStatement& statement : body) {
        if (const auto* loop = std::get_if<Loop>(&statement.node)) {
            parts.push_back(
                fmt::format("{}{}{}{}{}{}", named(loop->coordinate),
                            loop->kind == LoopKind::Compressed ? "(C)" : fmt::format("({})", loop->extent),
                            loop->clip ? "clipped" : "", loop->sunk ? "sunk " : "",
                            loop->vectorised ? "vectors" : "", loop->parallel ? "||" : ""));
            describe(loop->body, nest, parts);
        } else if (const auto* tile = std::get_if<Tile>(&statement.node)) {
            parts.emplace_back(tile->overwrites ? "tile=" : "tile+=");
            describe(tile->body, nest, parts);
        } else if (const auto* branch = std::get_if<Branch>(&statement.node)) {
            describe(branch->full, nest, parts);
        } else if (const auto* stored = std::get_if<IfStored>(&statement.node)) {
            parts.emplace_back("if stored");
            describe(stored->body, nest, parts);
        }
    }
}

std::string shape_of(const LoopNest& nest) {
    std::vector<std::string> parts;
    describe(nest.body, nest, parts);
    return fmt::format("{}", fmt::join(parts, " "));
}

/// Printed functions, compiled by GCC into one library.
class GccLibrary {
public:
    explicit GccLibrary(const std::vector<LoopNest>& nests) {
        const auto stem = std::filesystem::temp_directory_path() /
                          fmt::format("sparsight-against-c-{}-{}", getpid(), libraries_++);
        {
            std::ofstream file(stem.string() + ".c");
            for (std::size_t at = 0; at < nests.size(); ++at) {
                std::string text = print_c(nests[at]);
                const std::string declared = fmt::format("void {}(", name(nests[at].op));
                text.replace(text.find(declared), declared.size(), fmt::format("void nest_{}(", at));
                file << text;
            }
        }
        const std::string command = fmt::format(
            "gcc -std=c99 -O3 -march=native -fopenmp -shared -fPIC {0}.c -o {0}.so", stem.string());
        if (std::system(command.c_str()) == 0)
            library_ = dlopen((stem.string() + ".so").c_str(), RTLD_NOW | RTLD_NODELETE);
        for (const char* ending : {".c", ".so"})
            std::filesystem::remove(stem.string() + ending);
    }
    [[nodiscard]] void* find(std::size_t nest) const {
        return library_ == nullptr ? nullptr : dlsym(library_, fmt::format("nest_{}", nest).c_str());
    }

private:
    static inline int libraries_ = 0;
    void* library_ = nullptr;
};

void call(void* function, Operator op, const KernelOperands& operands) {
    std::array<const void*, 16> arrays{}; // of six compressed levels and four operands
    std::size_t next = 0;
    for (std::size_t level = 0; level < operands.a.levels.size(); ++level)
        if (operands.a.format.levels[level].format == LevelFormat::Compressed) {
            arrays[next++] = operands.a.levels[level].pos.data();
            arrays[next++] = operands.a.levels[level].crd.data();
        }
    arrays[next++] = operands.a.values.data();
    arrays[next++] = operands.b.data();
    if (!operands.d.empty())
        arrays[next++] = operands.d.data();
    arrays[next++] = operands.c.data();
    if (op == Operator::SDDMM)
        // NOLINTNEXTLINE(performance-no-int-to-ptr): an int64_t goes the same way
        arrays[next++] = reinterpret_cast<const void*>(std::ssize(operands.c));
    using AnyArrays = void (*)(const void*, const void*, const void*, const void*, const void*, const void*,
                               const void*, const void*, const void*, const void*, const void*, const void*,
                               const void*, const void*, const void*, const void*);
    reinterpret_cast<AnyArrays>(function)(arrays[0], arrays[1], arrays[2], arrays[3], arrays[4], arrays[5],
                                          arrays[6], arrays[7], arrays[8], arrays[9], arrays[10], arrays[11],
                                          arrays[12], arrays[13], arrays[14], arrays[15]);
}

/// Of the calling thread's own time where it runs alone: it does not go on while others use the processor.
MillisecondClock clock_for(int threads) {
    if (threads > 1)
        return steady_clock();
    return [] {
        timespec time{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
        return Milliseconds(static_cast<double>(time.tv_sec) * 1e3 +
                            static_cast<double>(time.tv_nsec) * 1e-6);
    };
}

/// The shortest of several runs of each, in turns, so that all have the same luck with this computer.
std::vector<double> shortest_in_turns(const std::vector<std::function<void()>>& runs, int threads) {
    constexpr double least_ms = 2; // of one reading
    constexpr double enough_ms = 500;
    constexpr int most_rounds = 25;
    constexpr int least_rounds = 3;
    const MillisecondClock now = clock_for(threads);
    std::vector<double> shortest(runs.size(), std::numeric_limits<double>::infinity());
    std::vector<int> repeats(runs.size(), 1);
    for (std::size_t at = 0; at < runs.size(); ++at) {
        const Milliseconds start = now();
        runs[at]();
        repeats[at] =
            std::clamp(static_cast<int>(least_ms / std::max(1e-6, (now() - start).count())), 1, 1000);
    }
    const Milliseconds begin = now();
    for (int round = 0; round < most_rounds && (round < least_rounds || (now() - begin).count() < enough_ms);
         ++round)
        for (std::size_t at = 0; at < runs.size(); ++at) {
            const Milliseconds start = now();
            for (int repeat = 0; repeat < repeats[at]; ++repeat)
                runs[at]();
            shortest[at] = std::min(shortest[at], (now() - start).count() / repeats[at]);
        }
    return shortest;
}

class Comparison {
public:
    Comparison(KernelInputs& inputs, KernelCompiler& compiler, Team& team)
        : inputs_(inputs)
        , compiler_(compiler)
        , team_(team) {}

    /// An object without "ours_ms" where the schedule can't be measured; "skipped" says why.
    Json compare(const SuperSchedule& schedule) {
        Json row{{"schedule", to_text(schedule)}};
        PackingOptions options;
        options.keep_entry_positions = schedule.op == Operator::SDDMM;
        const StorageFormat format = storage_format(schedule, inputs_.extents());
        const auto packed = inputs_.tensor().order() > 0 ? pack(inputs_.tensor(), format, options)
                                                         : pack(inputs_.pattern(), format, options);
        if (!packed)
            return skipped(row, packed.error().text());
        const auto dense = dense_index(schedule.op);
        const auto products = static_cast<double>(std::ssize(packed->values)) *
                              static_cast<double>(dense ? inputs_.extents()[*dense] : 1);
        constexpr double most_products = 1e9;
        if (products > most_products)
            return skipped(row, "too much work");

        const LoopNest nest = lower(schedule, inputs_.extents(), compiler_.target(), mean_fill(*packed));
        const LoopNest plain = lower(schedule, inputs_.extents(), {1, 0});
        const auto kernel = compiler_.compile(nest);
        const GccLibrary library({nest, plain});
        const auto operands = inputs_.operands(*packed);
        if (!kernel || !operands || library.find(0) == nullptr)
            return skipped(row, "not compiled");
        KernelRunner runner(*kernel, *operands, schedule.chunk, team_);
        const std::vector<std::function<void()>> runs{
            [&] { runner.run(); },
            [&] { call(library.find(0), schedule.op, *operands); },
            [&] { call(library.find(1), schedule.op, *operands); },
        };
        for (std::size_t at = 0; at < runs.size(); ++at) {
            std::ranges::fill(operands->c, std::numeric_limits<float>::quiet_NaN());
            runs[at]();
            if (const auto right = inputs_.verify(*packed); !right)
                return skipped(row, fmt::format("run {} is wrong: {}", at, right.error().text()));
        }
        const std::vector<double> times = shortest_in_turns(runs, team_.size());
        row["ours_ms"] = times[0];
        row["c_ms"] = times[1];
        row["plain_c_ms"] = times[2];
        row["over_c"] = times[0] / times[1];
        row["over_plain_c"] = times[0] / times[2];
        row["shape"] = shape_of(nest);
        row["positions"] = positions_of(*packed);
        return row;
    }

private:
    static Json skipped(Json row, const std::string& why) {
        row["skipped"] = why;
        return row;
    }

    static std::vector<std::int64_t> positions_of(const PackedMatrix& packed) {
        std::vector<std::int64_t> positions;
        for (const PackedLevel& level : packed.levels)
            positions.push_back(level.positions);
        return positions;
    }

    KernelInputs& inputs_;
    KernelCompiler& compiler_;
    Team& team_;
};

std::string key_of(const Json& row) {
    return fmt::format("{} {} {}", row["matrix"].get<std::string>(), row["operator"].get<std::string>(),
                       row["schedule"].get<std::string>());
}

std::map<std::string, Json> read_rows(const std::filesystem::path& path) {
    std::map<std::string, Json> rows;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);)
        if (Json row = Json::parse(line, nullptr, false); !row.is_discarded())
            rows.emplace(key_of(row), row);
    return rows;
}

double geometric_mean(const std::vector<Json>& rows, const char* ratio) {
    double logarithms = 0;
    for (const Json& row : rows)
        logarithms += std::log(row[ratio].get<double>());
    return std::exp(logarithms / static_cast<double>(std::max<std::size_t>(1, rows.size())));
}

void report(std::vector<Json> rows) {
    for (const char* ratio : {"over_c", "over_plain_c"}) {
        fmt::print("{}: geometric mean {:.3f} of {} schedules\n", ratio, geometric_mean(rows, ratio),
                   rows.size());
        for (const Operator op : {Operator::SpMM, Operator::SpMV, Operator::SDDMM, Operator::MTTKRP}) {
            std::vector<Json> of_operator;
            std::ranges::copy_if(rows, std::back_inserter(of_operator),
                                 [&](const Json& row) { return row["operator"] == name(op); });
            if (!of_operator.empty())
                fmt::print("  {}: {:.3f} of {}\n", name(op), geometric_mean(of_operator, ratio),
                           of_operator.size());
        }
        std::ranges::sort(rows, std::greater<>{}, [&](const Json& row) { return row[ratio].get<double>(); });
        constexpr std::size_t worst = 10;
        for (const Json& row : std::span(rows).first(std::min(worst, rows.size())))
            fmt::print("  {:.2f}  {}  ours {:.3f}, C {:.3f}, plain C {:.3f} ms; {}; positions {}\n",
                       row[ratio].get<double>(), key_of(row), row["ours_ms"].get<double>(),
                       row["c_ms"].get<double>(), row["plain_c_ms"].get<double>(),
                       row["shape"].get<std::string>(), row["positions"].dump());
    }
}

/// Of one matrix and operator: those asked for, or more than enough of them, as some can't be measured.
std::vector<SuperSchedule> choose(const BenchmarkSettings& settings, Operator op, const std::string& matrix,
                                  const Extents& extents, int wanted) {
    std::vector<SuperSchedule> schedules;
    for (const std::string& text : settings.schedules)
        if (auto schedule = parse_schedule(op, text)) {
            schedule->threads = settings.threads;
            schedules.push_back(*schedule);
        }
    if (!settings.schedules.empty())
        return schedules;
    if (op == Operator::MTTKRP)
        return {fixed_csr(op, settings.threads)};
    Random random(settings.seed * 1000003 + std::hash<std::string>{}(matrix + std::string(name(op))));
    return draw_schedules(Sampler::Waco, op, extents, 6 * wanted, settings.threads, random);
}

struct NamedInputs {
    std::string name;
    KernelInputs inputs;
};

Result<std::vector<NamedInputs>> inputs_of_matrix(const std::string& file,
                                                  const BenchmarkSettings& settings) {
    const auto matrix = read_matrix(file);
    if (!matrix)
        return std::unexpected(matrix.error());
    std::vector<NamedInputs> all;
    for (const Operator op : settings.operators) {
        auto inputs = KernelInputs::make(matrix->pattern, op, settings.dense, settings.threads);
        if (!inputs)
            return std::unexpected(inputs.error());
        all.push_back({matrix->name, *std::move(inputs)});
    }
    return all;
}

Result<std::vector<NamedInputs>> inputs_of_tensor(const std::string& file,
                                                  const BenchmarkSettings& settings) {
    const auto loaded = read_tensor(file);
    if (!loaded)
        return std::unexpected(loaded.error());
    std::vector<NamedInputs> all;
    for (std::size_t mode = 0; mode < loaded->tensor.order(); ++mode) {
        std::vector<std::size_t> modes{mode};
        for (std::size_t other = 0; other < loaded->tensor.order(); ++other)
            if (other != mode)
                modes.push_back(other);
        auto inputs = KernelInputs::make(permuted(loaded->tensor, modes), Operator::MTTKRP, settings.dense,
                                         settings.threads);
        if (!inputs)
            return std::unexpected(inputs.error());
        all.push_back({fmt::format("{} mode {}", loaded->name, mode + 1), *std::move(inputs)});
    }
    return all;
}

int run_comparisons(const BenchmarkSettings& settings, KernelCompiler& compiler, Team& team) {
    const MillisecondClock now = steady_clock();
    const Milliseconds start = now();
    const auto known = read_rows(settings.out);
    std::ofstream out;
    if (!settings.out.empty())
        out.open(settings.out, std::ios::app);
    const std::size_t cells = settings.matrices.size() * settings.operators.size();
    std::vector<Json> measured;
    std::size_t cell = 0;
    bool ended = false;
    for (const std::string& file : settings.matrices) {
        auto all_inputs = file.find(".tns") != std::string::npos ? inputs_of_tensor(file, settings)
                                                                 : inputs_of_matrix(file, settings);
        if (!all_inputs) {
            fmt::print(stderr, "{}\n", all_inputs.error().text());
            return 1;
        }
        for (auto& [of, inputs] : *all_inputs) {
            const Operator op = inputs.op();
            const auto all = static_cast<std::size_t>(settings.count);
            const auto wanted = static_cast<int>((cell + 1) * all / cells - cell * all / cells);
            ++cell;
            Comparison comparison(inputs, compiler, team);
            int found = 0;
            for (const SuperSchedule& schedule : choose(settings, op, of, inputs.extents(), wanted)) {
                if (found == wanted)
                    break;
                Json row{{"matrix", of},
                         {"operator", name(op)},
                         {"dense", settings.dense},
                         {"schedule", to_text(schedule)}};
                if (const auto same = known.find(key_of(row)); same != known.end()) {
                    row = same->second;
                } else {
                    ended = ended || (now() - start).count() > settings.minutes * 60'000;
                    if (ended)
                        continue;
                    row.update(comparison.compare(schedule));
                    if (out.is_open())
                        out << row.dump() << std::endl; // NOLINT(performance-avoid-endl): must survive a stop
                }
                if (row.contains("skipped")) {
                    if (row["skipped"].get<std::string>().starts_with("run"))
                        fmt::print(stderr, "{}\n", row.dump());
                    continue;
                }
                ++found;
                measured.push_back(std::move(row));
            }
        }
    }
    report(measured);
    fmt::print("{:.1f} minutes{}\n", (now() - start).count() / 60'000, ended ? ", not all" : "");
    return 0;
}

int run_sweep(const BenchmarkSettings& settings, KernelCompiler& compiler, Team& team) {
    for (const std::string& file : settings.matrices) {
        const auto matrix = read_matrix(file);
        if (!matrix)
            return 1;
        fmt::print("{}\n", matrix->name);
        std::vector<double> before;
        for (const std::int64_t dense :
             {32, 48, 64, 80, 96, 100, 128, 160, 192, 200, 256, 300, 384, 400, 448, 500, 512, 576, 640}) {
            auto inputs = KernelInputs::make(matrix->pattern, Operator::SpMM, dense, settings.threads);
            const SuperSchedule schedule = fixed_csr(Operator::SpMM, settings.threads);
            const CsrPattern& pattern = matrix->pattern;
            const auto packed = pack(pattern, storage_format(schedule, pattern.rows, pattern.cols), {});
            if (!inputs || !packed)
                return 1;
            const auto operands = inputs->operands(*packed);
            const LoopNest nest = lower(schedule, inputs->extents(), compiler.target(), mean_fill(*packed));
            const auto kernel = compiler.compile(nest);
            if (!operands || !kernel)
                return 1;
            // The plain loops in C step where the rows of B and C themselves do, as they are.
            const GccLibrary library({lower(schedule, inputs->extents(), {1, 0})});
            if (library.find(0) == nullptr)
                return 1;
            KernelRunner runner(*kernel, *operands, schedule.chunk, team);
            const std::vector<std::function<void()>> runs{
                [&] { runner.run(); }, [&] { call(library.find(0), Operator::SpMM, *operands); }};
            std::vector<double> of_column = shortest_in_turns(runs, settings.threads);
            for (double& time : of_column)
                time *= 1000 / static_cast<double>(dense);
            const auto step = [&](std::size_t code) {
                return before.empty() ? 1 : of_column[code] / before[code];
            };
            fmt::print("  J {:4}: {:9.3f} us a column, {:.2f} of the J before; plain C {:9.3f}, {:.2f}; {}\n",
                       dense, of_column[0], step(0), of_column[1], step(1), shape_of(nest));
            before = std::move(of_column);
        }
    }
    return 0;
}

} // namespace

int main(int count, char** words) {
    keep_freed_memory();
    const BenchmarkSettings settings = parse(count, words);
    setenv("OMP_NUM_THREADS", std::to_string(settings.threads).c_str(), 1); // before libgomp is loaded
    auto compiler = KernelCompiler::make();
    if (!compiler || settings.matrices.empty()) {
        fmt::print(stderr, "usage: compiled_against_c_benchmark [--sweep] [--out FILE] [--count N] "
                           "[--operator NAME] [--schedule TEXT]... MATRIX...\n");
        return 2;
    }
    Team team(settings.threads);
    return settings.sweep ? run_sweep(settings, *compiler, team) : run_comparisons(settings, *compiler, team);
}
