// Whole searches: those of schedules that are kept to the last bit, and those of a domain of words.
#include "base/digest.h"
#include "domains/sparse/schedule/sampler.h"
#include "domains/sparse/schedule/schedule_space.h"
#include "domains/sparse/schedule/text.h"
#include "search/configuration_index.h"
#include "search/configuration_search.h"
#include "search/portfolio.h"
#include "support/test_files.h"
#include "toy/digit_space.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <gmock/gmock.h>
#include <unordered_set>
#include <zlib.h>

namespace sparsight {
namespace {

using testing::DigitSpace;
using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using testing::text_of_word;
using testing::word;

// What searches find for a seed, to the last bit, as they found it before configurations took the place of
// schedules: whoever repeats a published search must get the same.

constexpr int golden_threads = 8;

float preference(const SuperSchedule& schedule) {
    double score = 0.5 * std::abs(std::log2(static_cast<double>(schedule.chunk)) - 5);
    double weight = 1;
    for (const Index index : indices(schedule.op))
        score += (weight *= 0.7) * std::abs(std::log2(static_cast<double>(schedule.split(index))) - 3);
    for (const LevelFormat format : schedule.formats)
        score += (weight *= 0.9) * (format == LevelFormat::Uncompressed ? 1 : 0);
    for (std::size_t depth = 0; depth < loop_count(schedule.op); ++depth) {
        const LoopIndex loop = schedule.order[depth];
        const double inner = loop.part == Part::Inner ? -0.5 : 0.125;
        score += 0.25 * static_cast<double>(depth) * (loop.index == Index::K ? 1.0 : inner);
    }
    return static_cast<float>(score);
}

std::string golden_text(const Configuration& configuration) {
    return to_text(schedule_of(configuration, golden_threads));
}

/// Keeps what it is asked for, in the order in which it is asked.
class RecordingScorer final : public WorkloadScorer {
public:
    Result<std::vector<float>> score(std::span<const Configuration> configurations) const override {
        std::vector<float> scores;
        for (const Configuration& configuration : configurations) {
            scores.push_back(preference(schedule_of(configuration, golden_threads)));
            asked_.add(golden_text(configuration));
        }
        asked_.add(std::uint64_t{configurations.size()});
        return scores;
    }
    Result<std::vector<float>> score_embeddings(std::span<const float>) const override {
        return fail(Fault::Internal, "not asked for");
    }
    std::uint64_t asked() const { return asked_.value(); }

private:
    mutable Digest asked_;
};

std::vector<Configuration> drawn(Operator op, const Extents& extents, int count, std::uint64_t seed) {
    Random random(seed);
    return configurations_of(sample_uniform(op, extents, count, golden_threads, random));
}

struct GoldenSearch {
    Operator op{};
    SearchMethod method{};
    bool has_starts = false;
    std::uint64_t asked = 0; ///< digest of all that was scored, in its order
    std::uint64_t found = 0; ///< digest of the best ones, their scores, and the progress
};

constexpr std::array golden_searches{
    GoldenSearch{Operator::SpMM, SearchMethod::Annealing, false, 0x81b637eb7faafa81, 0x6e507f3ca15f530b},
    GoldenSearch{Operator::SpMM, SearchMethod::Annealing, true, 0x2ca03c971cecef28, 0x02e60a5df62bec7a},
    GoldenSearch{Operator::SpMM, SearchMethod::Evolution, false, 0x79c3eac2ce433cf4, 0x5f639bfb6e561c9a},
    GoldenSearch{Operator::SpMM, SearchMethod::Evolution, true, 0xb40e6374f1163cdb, 0x734e144063a1165f},
    GoldenSearch{Operator::SpMV, SearchMethod::Annealing, false, 0xe086c95bb7bc4bb2, 0x8b63ca822801b205},
    GoldenSearch{Operator::SpMV, SearchMethod::Annealing, true, 0xe75c0f87ddb43a00, 0x290b93599ffc929e},
    GoldenSearch{Operator::SpMV, SearchMethod::Evolution, false, 0xfbf21c7cc09653cf, 0x096906e90d5ed2c0},
    GoldenSearch{Operator::SpMV, SearchMethod::Evolution, true, 0x3bebc3d4b337b992, 0x66819db57b9117b3},
    GoldenSearch{Operator::SDDMM, SearchMethod::Annealing, false, 0x3e8d868dfd6eb41d, 0xf761de847d6ffece},
    GoldenSearch{Operator::SDDMM, SearchMethod::Annealing, true, 0xed56b57c72b3fa45, 0x5991caddbf181778},
    GoldenSearch{Operator::SDDMM, SearchMethod::Evolution, false, 0xb2f1dafc501f5f6b, 0x21aa52dab389bed9},
    GoldenSearch{Operator::SDDMM, SearchMethod::Evolution, true, 0x467bc934a9103e29, 0x386e55d821dd5661},
};

TEST(GoldenSearch, ScoresAndFindsTheSameInTheSameOrder) {
    for (const GoldenSearch& golden : golden_searches) {
        const Extents of = extents(golden.op, 5000, 3000, 256);
        SearchSettings settings{.method = golden.method, .budget = 1500, .seed = 7};
        if (golden.has_starts)
            settings.starts = drawn(golden.op, of, 40, 3);
        const RecordingScorer scorer;
        const auto search = search_configurations(ScheduleSpace(golden.op, of), scorer, settings).value();
        Digest found;
        for (const ScoredConfiguration& each : search.best) {
            found.add(golden_text(each.configuration));
            found.add(std::uint64_t{std::bit_cast<std::uint32_t>(each.score)});
        }
        for (const BestSoFar& each : search.progress)
            found.add(static_cast<std::uint64_t>(each.scored));
        const std::string which = std::string(name(golden.op)) + ", " + std::string(name(golden.method)) +
                                  (golden.has_starts ? ", from given places" : "");
        EXPECT_EQ(scorer.asked(), golden.asked) << which;
        EXPECT_EQ(found.value(), golden.found) << which;
    }
}

struct GoldenPortfolio {
    Operator op{};
    std::array<std::uint32_t, 20> places{};
    std::array<std::uint32_t, 20> hedged{}; ///< three times the place, and why it was chosen
};

constexpr std::array golden_portfolios{
    GoldenPortfolio{
        Operator::SpMM,
        {440, 92, 115, 7, 278, 215, 42, 134, 449, 125, 346, 51, 143, 375, 102, 142, 283, 60, 106, 93},
        {1320, 276, 345, 21,  834, 645, 126,  402,  1347, 375,
         1038, 153, 429, 306, 850, 356, 1226, 1493, 1280, 56}},
    GoldenPortfolio{
        Operator::SpMV,
        {440, 92, 115, 7, 278, 215, 42, 134, 449, 125, 346, 51, 143, 375, 242, 348, 283, 60, 50, 230},
        {1320, 276, 345, 21,  834, 645, 126,  402,  1347, 375,
         1038, 153, 850, 181, 151, 356, 1226, 1493, 1280, 56}},
    GoldenPortfolio{
        Operator::SDDMM,
        {440, 92, 115, 7, 278, 215, 42, 134, 449, 125, 346, 51, 143, 375, 102, 242, 348, 283, 60, 230},
        {1320, 276, 345, 21,   834, 645, 126,  402,  1347, 375,
         1038, 153, 727, 1045, 850, 356, 1226, 1493, 1280, 56}},
};

TEST(GoldenSearch, ChoosesTheSamePortfolios) {
    for (const GoldenPortfolio& golden : golden_portfolios) {
        const Extents of = extents(golden.op, 700, 900, 64);
        const ScheduleSpace schedules(golden.op, of);
        const auto configurations = drawn(golden.op, of, 500, 11);
        Random random(13);
        std::vector<float> scores;
        std::vector<float> second;
        for (std::size_t at = 0; at < configurations.size(); ++at) {
            scores.push_back(static_cast<float>(random.normal()));
            second.push_back(static_cast<float>(random.normal()));
        }
        EXPECT_THAT(choose_portfolio(schedules, configurations, scores), ElementsAreArray(golden.places))
            << name(golden.op);
        std::vector<std::uint32_t> hedged;
        for (const ChosenPlace& each : choose_hedged_portfolio(schedules, configurations, scores, second))
            hedged.push_back(3 * each.place + static_cast<std::uint32_t>(each.by));
        EXPECT_THAT(hedged, ElementsAreArray(golden.hedged)) << name(golden.op);
    }
}

template <typename Number>
void append(std::string& bytes, Number number) {
    bytes.append(reinterpret_cast<const char*>(&number), sizeof(Number));
}
template <typename List>
void append_list(std::string& bytes, const List& list) {
    append(bytes, static_cast<std::uint64_t>(list.size()));
    bytes.append(reinterpret_cast<const char*>(list.data()), list.size() * sizeof(*list.data()));
}

/// All of an index, in the form of the files that indices had when these numbers were written down.
std::string bytes_of(const ConfigurationIndex& index, Operator op) {
    std::string lines;
    for (const Configuration& configuration : index.configurations)
        lines += golden_text(configuration) + '\n';
    std::string bytes;
    append_list(bytes, index.model);
    append(bytes, static_cast<std::uint8_t>(op));
    append_list(bytes, lines);
    append_list(bytes, index.nodes.starts);
    append_list(bytes, index.nodes.configurations);
    append(bytes, static_cast<std::uint64_t>(index.width));
    append_list(bytes, index.embeddings);
    append(bytes, index.graph.node_count);
    append(bytes, index.graph.entry);
    append(bytes, static_cast<std::uint64_t>(index.graph.layers.size()));
    for (const LinkLists& layer : index.graph.layers) {
        append_list(bytes, layer.starts);
        append_list(bytes, layer.links);
    }
    std::string file = "SPSINDEX";
    append(file, std::uint32_t{1});
    append(file, static_cast<std::uint32_t>(
                     crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size())));
    return file + bytes;
}

/// With the nodes and links that were built.
TEST(GoldenSearch, BuildsTheSameIndex) {
    using GoldenIndex = std::pair<Operator, std::uint64_t>;
    for (const auto& [op, golden] :
         {GoldenIndex{Operator::SpMM, 0x2502d073e843a3dd}, GoldenIndex{Operator::SpMV, 0xbf0a26fc26ba8b33},
          GoldenIndex{Operator::SDDMM, 0x9d1125661b32d6be}}) {
        auto configurations = drawn(op, extents(op, 700, 900, 64), 600, 17);
        SuperSchedule csr = fixed_csr(op, golden_threads);
        std::swap(csr.order[1], csr.order[3]); // the inner loops of unsplit indices elsewhere
        configurations.push_back(configuration_of(csr));
        configurations.push_back(configuration_of(fixed_csr(op, golden_threads)));
        Random random(19);
        std::vector<float> embeddings;
        for (std::size_t at = 0; at < 8 * configurations.size();
             ++at) // whole numbers: their sums have no order
            embeddings.push_back(static_cast<float>(random.between(0, at % 80 < 8 ? 1 : 15)));
        const auto index = build_configuration_index("golden", configurations, embeddings).value();
        EXPECT_EQ(index.configurations.size(), 601U);
        EXPECT_EQ(index.nodes.count(), 594U);
        EXPECT_EQ(digest_of(bytes_of(index, op)), golden) << name(op);
    }
}

// Search serves any domain: here one whose configurations are words, with a score that is made up.

/// Lowest where every digit is as large as its place from the left, cut at 3.
class WordScorer final : public WorkloadScorer {
public:
    Result<std::vector<float>> score(std::span<const Configuration> words) const override {
        std::vector<float> scores;
        for (const Configuration& each : words) {
            EXPECT_TRUE(seen_.insert(each).second) << text_of_word(each) << " is asked for twice";
            const std::string text = text_of_word(each);
            float score = 0;
            for (std::size_t at = 0; at < text.size(); ++at)
                score += std::abs(static_cast<float>(text[at] - '0') -
                                  static_cast<float>(std::min<std::size_t>(at, 3)));
            scores.push_back(score);
        }
        return scores;
    }
    Result<std::vector<float>> score_embeddings(std::span<const float>) const override {
        return fail(Fault::Internal, "not asked for");
    }

private:
    mutable std::unordered_set<Configuration> seen_;
};

class SearchOfWordsBy : public ::testing::TestWithParam<SearchMethod> {
protected:
    SearchSettings settings(std::int64_t budget) const {
        return {.method = GetParam(), .budget = budget, .k = 5, .seed = 3, .starts = {}};
    }
};
INSTANTIATE_TEST_SUITE_P(EachMethod, SearchOfWordsBy,
                         ::testing::Values(SearchMethod::Annealing, SearchMethod::Evolution),
                         [](const auto& of) { return std::string(name(of.param)); });

TEST_P(SearchOfWordsBy, FindsTheBestOfMillionsOfWords) {
    const WordScorer scorer;
    const auto search = search_configurations(DigitSpace(7, 10), scorer, settings(3000)).value();
    EXPECT_EQ(search.best.front().configuration, word("0123333"));
    EXPECT_EQ(search.best.front().score, 0);
    EXPECT_EQ(search.best.back().configuration, word("0000000")) << "the baseline, behind the 5 best";
    EXPECT_THAT(search.best, SizeIs(6));
}

TEST_P(SearchOfWordsBy, FindsLongWordsThatAreKeptElsewhere) {
    const DigitSpace space(80, 4);
    const WordScorer scorer;
    const auto search = search_configurations(space, scorer, settings(4000)).value();
    EXPECT_EQ(search.scored, 4000);
    EXPECT_LT(search.best.front().score, 90) << "random ones have about 115";
}

TEST_P(SearchOfWordsBy, NeedsNoBaseline) {
    for (const std::int64_t budget : {1, 3, 300}) {
        const WordScorer scorer;
        const auto search = search_configurations(DigitSpace(5, 10, false), scorer, settings(budget)).value();
        EXPECT_EQ(search.scored, budget);
        EXPECT_THAT(search.best, SizeIs(std::min<std::int64_t>(budget, 5)));
    }
}

TEST_P(SearchOfWordsBy, EndsInSpacesOfOneWordAndOfNone) {
    const WordScorer scorer;
    const auto one = search_configurations(DigitSpace(3, 1), scorer, settings(100)).value();
    EXPECT_EQ(one.scored, 1);
    EXPECT_THAT(one.best, SizeIs(1));
    const WordScorer unused;
    const auto none = search_configurations(DigitSpace(3, 0, false), unused, settings(100)).value();
    EXPECT_EQ(none.scored, 0);
    EXPECT_THAT(none.best, IsEmpty());
}

TEST_P(SearchOfWordsBy, RefusesToBeginOutsideOfTheSpace) {
    SearchSettings of = settings(100);
    of.starts = {word("12345")};
    const WordScorer scorer;
    const auto search = search_configurations(DigitSpace(4, 10), scorer, of);
    ASSERT_FALSE(search);
    EXPECT_THAT(search.error().message, HasSubstr("'12345' is no word"));
}

TEST_P(SearchOfWordsBy, TellsItsProgressInTheWordsOfTheDomain) {
    SearchSettings of = settings(50);
    of.progress_label = "searching words";
    const WordScorer scorer;
    (void)search_configurations(DigitSpace(4, 10), scorer, of, {}, [](const Progress& progress) {
        EXPECT_EQ(progress.stage, "searching words");
    });
}

TEST(PortfolioOfWords, TakesAStrangerBeforeTheThirdOfACrowd) {
    const std::vector<Configuration> words{word("00000000"), word("00000001"), word("00000002"),
                                           word("00000003"), word("77777777")};
    const std::vector<float> scores{1.0F, 1.01F, 1.02F, 1.03F, 1.2F};
    EXPECT_THAT(choose_portfolio(DigitSpace(8, 10), words, scores, {.k = 2}), ElementsAre(0, 4));
}

TEST(IndexOfWords, IsBuiltOfThem) {
    std::vector<Configuration> words;
    std::vector<float> embeddings;
    Random random(5);
    for (const Configuration& each : DigitSpace(3, 10).sample(200, random)) {
        words.push_back(each);
        for (const std::byte digit : each.bytes())
            embeddings.push_back(static_cast<float>(digit));
    }
    words.push_back(words.front()); // twice
    embeddings.insert(embeddings.end(), embeddings.begin(), embeddings.begin() + 3);
    const auto index = build_configuration_index("toy", words, embeddings).value();
    EXPECT_THAT(index.configurations, SizeIs(200));
    EXPECT_THAT(candidates(index, {}, DigitSpace(3, 10).baseline()), ElementsAre(word("000")));
}

} // namespace
} // namespace sparsight
