// Search serves any domain: here one whose configurations are words, with a score that is made up.
#include "search/configuration_index.h"
#include "search/configuration_search.h"
#include "search/portfolio.h"
#include "support/digit_space.h"
#include "support/test_files.h"

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <unordered_set>

namespace sparsight {
namespace {

using testing::DigitSpace;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using testing::text_of_word;
using testing::word;

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

TEST(IndexOfWords, IsBuiltWrittenAndReadInItsOwnText) {
    const ConfigurationText as_it_is{
        7, text_of_word, [](std::string_view line) -> Result<Configuration> { return word(line); }};
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
    const testing::TemporaryFolder folder;
    ASSERT_TRUE(write_configuration_index(folder / "index", index, as_it_is));
    EXPECT_TRUE(read_configuration_index(folder / "index", as_it_is).value() == index);
    EXPECT_THAT(candidates(index, {}, DigitSpace(3, 10).baseline()), ElementsAre(word("000")));
}

} // namespace
} // namespace sparsight
