// Models over words of digits, whose rule is known by construction: the anchor has to name just that rule.
#include "evaluation/model_reasons/choice_reasons.h"
#include "evaluation/model_reasons/decision_anchors.h"
#include "support/results.h"
#include "toy/digit_space.h"

#include <gmock/gmock.h>
#include <map>

namespace sparsight {
namespace {

using testing::DigitSpace;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::must;
using testing::text_of_word;
using ::testing::UnorderedElementsAre;
using testing::word;

class WordCodec final : public ConfigurationCodec {
public:
    Result<ParsedConfiguration> parse(std::string_view text) const override {
        return ParsedConfiguration{word(text)};
    }
    std::string text(const Configuration& configuration, int) const override {
        return text_of_word(configuration);
    }
    std::vector<DecisionValue> decisions(const Configuration& configuration) const override {
        std::vector<DecisionValue> made;
        for (const char digit : text_of_word(configuration)) {
            const Decision decision = testing::digit_decision(made.size());
            made.push_back({decision.key, decision.name, std::string(1, digit)});
        }
        return made;
    }
};

using Score = double (*)(const std::string& word);

class DecisionAnchors : public ::testing::Test {
protected:
    DecisionComparison comparison(Score score, const std::string& configuration, const std::string& against) {
        Random random(1);
        return {.configuration = word(configuration),
                .against = word(against),
                .others = space_.sample(256, random),
                .codec = codec_,
                .space = space_,
                .scores = [this, score](std::span<const Configuration> all) -> Result<std::vector<double>> {
                    ++batches_;
                    std::vector<double> scores;
                    for (const Configuration& each : all)
                        scores.push_back(score(text_of_word(each)));
                    return scores;
                }};
    }
    DecisionComparison of_long_words(const std::string& configuration, const std::string& against) {
        const auto scores =
            comparison([](const std::string& word) { return word[0] == '2' ? 0.0 : 1.0; }, "0000", "0001")
                .scores;
        return {.configuration = word(configuration),
                .against = word(against),
                .others = {},
                .codec = codec_,
                .space = long_words_,
                .scores = scores};
    }
    AnchorReason explained(DecisionComparison comparison, std::uint64_t seed = 1) {
        const auto space = must(DecisionAnchorSpace::make(std::move(comparison)));
        AnchorOptions options;
        options.seed = seed;
        return must(
            find_anchor_reason(*space, options, [&](std::size_t place) { return space->predicate(place); }));
    }
    static std::vector<std::string> texts(const std::optional<Anchor>& anchor) {
        std::vector<std::string> texts;
        if (anchor)
            for (const ReasonPredicate& predicate : anchor->predicates)
                texts.push_back(to_text(predicate, {}));
        return texts;
    }

    const DigitSpace space_{4, 4}; ///< 256 words
    const DigitSpace long_words_{70, 4};
    const WordCodec codec_;
    int batches_ = 0;
};

/// Fast is what begins with 2; nothing else matters.
double first_is_2(const std::string& word) {
    return word[0] == '2' ? 0 : 1;
}
/// Fast is what begins with 2 and ends with 3.
double ends_are_2_and_3(const std::string& word) {
    return word[0] == '2' && word[3] == '3' ? 0 : 1;
}
double second_digit(const std::string& word) {
    return word[1];
}

TEST_F(DecisionAnchors, NameTheDecisionsThatTheScoreDependsOn) {
    for (const std::uint64_t seed : {1U, 2U, 3U})
        EXPECT_THAT(texts(explained(comparison(&ends_are_2_and_3, "2113", "0110"), seed).anchor),
                    UnorderedElementsAre("configuration: digit 0 is 2", "configuration: digit 3 is 3"))
            << seed;
}

TEST_F(DecisionAnchors, NameBoundsOfNumbers) {
    const auto rule = texts(explained(comparison(&second_digit, "3131", "0202")).anchor);
    EXPECT_THAT(rule,
                UnorderedElementsAre("configuration: digit 1 at most 1", "against: digit 1 at least 2"));
}

TEST_F(DecisionAnchors, SayNothingOfDecisionsThatNoVariantMakesDifferently) {
    DecisionComparison asked = comparison(&first_is_2, "2000", "0000");
    std::erase_if(asked.others, [](const Configuration& each) { return text_of_word(each)[1] != '0'; });
    const auto space = must(DecisionAnchorSpace::make(std::move(asked)));
    for (std::size_t place = 0; place < space->predicates(); ++place)
        EXPECT_NE(space->predicate(place).key, "digit_1");
}

/// What the drawing does, with every outcome counted as often as it occurs.
double exact_precision(const DigitSpace& space, const DecisionComparison& asked, Score score,
                       const std::map<std::size_t, char>& kept_of_chosen,
                       const std::map<std::size_t, char>& kept_of_against) {
    const auto outcomes = [&](const Configuration& from, const std::map<std::size_t, char>& kept) {
        std::map<double, double> shares; // of each score
        std::vector<Configuration> others = asked.others;
        std::erase(others, from);
        for (const Configuration& other : others) {
            const auto hybrids = must(space.between(from, other));
            for (DecisionSet taken = 0; taken < hybrids->size(); ++taken) {
                std::string drawn = text_of_word(hybrids->at(taken).configuration);
                for (const auto& [place, digit] : kept)
                    drawn[place] = digit;
                shares[score(drawn)] +=
                    1.0 / static_cast<double>(others.size()) / static_cast<double>(hybrids->size());
            }
        }
        return shares;
    };
    double same = 0;
    for (const auto& [chosen, share] : outcomes(asked.configuration, kept_of_chosen))
        for (const auto& [against, other_share] : outcomes(asked.against, kept_of_against))
            same += chosen < against ? share * other_share : 0;
    return same;
}

TEST_F(DecisionAnchors, BoundThePrecisionThatAllCasesTogetherHave) {
    const DecisionComparison asked = comparison(&ends_are_2_and_3, "2113", "0110");
    const AnchorReason reason = explained(asked);
    ASSERT_TRUE(reason.anchor);
    std::map<std::size_t, char> of_chosen;
    std::map<std::size_t, char> of_against;
    for (const ReasonPredicate& each : reason.anchor->predicates) {
        ASSERT_EQ(each.relation, PredicateRelation::Is);
        (each.subject == ReasonSubject::Configuration ? of_chosen : of_against)[each.key.back() - '0'] =
            each.value.front();
    }
    const double exact = exact_precision(space_, asked, &ends_are_2_and_3, of_chosen, of_against);
    EXPECT_GE(exact, 0.95);
    EXPECT_LE(reason.anchor->precision.lowest, exact);
    EXPECT_GE(reason.anchor->precision.highest, exact);
    const double whatever = exact_precision(space_, asked, &ends_are_2_and_3, {}, {});
    EXPECT_LE(reason.unconditional.lowest, whatever);
    EXPECT_GE(reason.unconditional.highest, whatever);
}

TEST_F(DecisionAnchors, AskTheModelInBatches) {
    const AnchorReason reason = explained(comparison(&ends_are_2_and_3, "2113", "0110"));
    EXPECT_LT(batches_, reason.calls / 10);
}

TEST_F(DecisionAnchors, NeedAPreference) {
    const auto alike = must(DecisionAnchorSpace::make(comparison(&first_is_2, "1000", "0111")));
    EXPECT_THAT(alike->missing(), HasSubstr("scores both alike"));
    const auto parted = must(DecisionAnchorSpace::make(comparison(&first_is_2, "2000", "0111")));
    EXPECT_EQ(parted->missing(), "");
    EXPECT_EQ(parted->unchanged(), "");
}

TEST_F(DecisionAnchors, NeedAnotherConfigurationThatDiffersInFewEnoughDecisions) {
    const std::string far(70, '1');
    const std::string near = "2" + std::string(69, '0');
    DecisionComparison asked = of_long_words(near, far);
    asked.others = {word(near), word(far)};
    const auto space = must(DecisionAnchorSpace::make(std::move(asked)));
    EXPECT_EQ(space->missing(), "no other configuration differs in 63 decisions or fewer");
    EXPECT_EQ(space->others(), 0U);
}

TEST_F(DecisionAnchors, SayThatOneOfBothIsNeverChanged) {
    const std::string far(70, '1');
    const std::string near = "2" + std::string(69, '0');
    DecisionComparison asked = of_long_words(near, far);
    asked.others = {word(near), word(far), word("2" + std::string(68, '0') + "1")};
    const auto space = must(DecisionAnchorSpace::make(std::move(asked)));
    EXPECT_EQ(space->missing(), "");
    EXPECT_THAT(space->unchanged(), HasSubstr("no variant changes " + far));
    EXPECT_EQ(space->others(), 1U) << "the other two were too far away";
}

TEST_F(DecisionAnchors, TellOtherErrorsOfTheSpace) {
    DecisionComparison asked = comparison(&first_is_2, "2000", "0111");
    asked.others.push_back(word("9999"));
    EXPECT_THAT(testing::error_text(DecisionAnchorSpace::make(std::move(asked))),
                HasSubstr("'9999' is no word of this space"));
}

/// A rule with a predicate of both, and one of one of them.
ChoiceReasons known_choice() {
    const auto predicate = [](ReasonSubject subject, const char* title, PredicateRelation relation,
                              const char* value, double number) {
        return ReasonPredicate{subject, title, title, relation, value, number, ""};
    };
    return {.model = "base",
            .workload = "conv",
            .machine = "gpu",
            .configuration = "tile=32",
            .against = "tile=8",
            .configuration_score = -1,
            .against_score = 1,
            .configuration_ms = 2,
            .against_ms = 1,
            .others = 40,
            .anchors = AnchorReason{
                .anchor = Anchor{
                    {predicate(ReasonSubject::Configuration, "tile", PredicateRelation::AtLeast, "8", 8),
                     predicate(ReasonSubject::Configuration, "pad", PredicateRelation::Is, "1", 1),
                     predicate(ReasonSubject::Against, "pad", PredicateRelation::Is, "1", 1)},
                    {.value = 0.98, .lowest = 0.95, .highest = 1, .draws = 300},
                    {.value = 0.25, .lowest = 0.2, .highest = 0.3, .draws = 2000}}}};
}

TEST(ChoiceReasonsSentence, NamesAPredicateOfBothOnce) {
    EXPECT_EQ(preference_sentence(known_choice(), "its choice", "the best known"),
              "base prefers its choice to the best known as long as tile stays at least 8 in its choice, and "
              "pad stays 1 in both. This is true in 98 % of the variants tested (95 to 100 %), and the rule "
              "covers 25 % of all variants (20 to 30 %).");
    ChoiceReasons turned = known_choice();
    std::swap(turned.configuration_score, turned.against_score);
    turned.anchors.reset();
    turned.missing = "the time was over";
    EXPECT_EQ(preference_sentence(turned, "its choice", "the best known"),
              "base prefers the best known to its choice: the time was over.");
}

TEST(RulePhrase, IsMadeInTheWordsOfTheOneWhoSaysIt) {
    Anchor rule = *known_choice().anchors->anchor;
    rule.predicates.push_back({.subject = ReasonSubject::Workload,
                               .key = "longest",
                               .title = "%2 row",
                               .relation = PredicateRelation::Above,
                               .value = "40",
                               .unit = "entries"});
    EXPECT_EQ(
        rule_phrase(rule, {.configuration = "sa décision", .both = "les deux", .is = "%1 reste à %2"}),
        "tile stays at least 8 in sa décision, and %2 row stays above 40 entries in the workload, and pad "
        "reste à 1 in les deux");
    EXPECT_EQ(rule_phrase({}, {}), "");
}

TEST(ChoiceReasonsSentence, DoesNotTellATieAsAPreference) {
    ChoiceReasons tie = known_choice();
    tie.against_score = tie.configuration_score;
    tie.anchors.reset();
    tie.missing = "there is no preference to explain";
    EXPECT_EQ(preference_sentence(tie, "its choice", "the best known"), "base scores both alike.");
}

TEST(ChoiceReasonsSentence, SaysWhereOnlyOneSideWasChanged) {
    ChoiceReasons one_sided = known_choice();
    one_sided.unchanged = "no variant changes tile=8";
    EXPECT_THAT(preference_sentence(one_sided, "its choice", "the best known"),
                ::testing::EndsWith(" One-sided: no variant changes tile=8."));
    EXPECT_THAT(choice_reasons_text(one_sided, {}), HasSubstr("One-sided: no variant changes tile=8."));
}

TEST(ChoiceReasonsJson, ReadsWhatWasWrittenInTheWordsOfTheDomain) {
    const DomainWords words{
        .workload = {"lock", "locks"}, .configuration = {"combination", "combinations"}, .baseline = {}};
    const auto json = choice_reasons_json(known_choice(), words);
    EXPECT_EQ(json["lock"], "conv");
    EXPECT_EQ(json["combination_score"], -1.0);
    EXPECT_EQ(json["right"], false) << "it prefers the slower one";
    EXPECT_EQ(json["anchors"]["anchor"]["predicates"][0]["text"], "combination: tile at least 8");
    EXPECT_EQ(must(parse_choice_reasons(json, words)), known_choice());
    EXPECT_FALSE(parse_choice_reasons(json, {})) << "of another domain";
}

TEST(ChoiceReasonsText, SaysWhatIsPreferredAndByWhichRule) {
    const std::string text = choice_reasons_text(known_choice(), {});
    EXPECT_THAT(text, HasSubstr("base on conv, gpu: the model prefers the configuration\n"));
    EXPECT_THAT(text, HasSubstr("It prefers the slower of the two."));
    EXPECT_THAT(text, HasSubstr("against: pad is 1"));
    EXPECT_THAT(text, HasSubstr("Their changed decisions come from 40 configurations."));
}

} // namespace
} // namespace sparsight
