#include "gui/domains/sparse/failures/failure_words.h"

#include "domains/sparse/sparse_domain.h"
#include "gui/domains/sparse/comparison/time_terms.h"
#include "gui/domains/sparse/schedules/schedule_words.h"

#include <QCoreApplication>

namespace sparsight {

namespace {

struct FamilyTexts {
    Q_DECLARE_TR_FUNCTIONS(sparsight::Failures)
};

class SparseFailureWords final : public FailureWords {
public:
    SparseFailureWords()
        : FailureWords(sparse_words()) {}

    [[nodiscard]] QString decision(const Decision& decision) const override {
        return decision_name(QString::fromStdString(decision.key));
    }
    [[nodiscard]] QString meaning(const Decision& decision) const override {
        return decision_meaning(QString::fromStdString(decision.key));
    }
    [[nodiscard]] QString value(const std::string& value) const override {
        return decision_value(QString::fromStdString(value));
    }
    [[nodiscard]] bool is_order(const Decision& decision) const override {
        return decision.key == "level_order" || decision.key == "dense_loops";
    }
    [[nodiscard]] QString family(const WorkloadFamily& family) const override {
        return family_text(pattern_family(family));
    }
    [[nodiscard]] QString cause(const TimeCause& cause) const override {
        return time_term_words(static_cast<TimeTerm>(cause.index)).name;
    }
};

} // namespace

const FailureWords& failure_words() {
    static const SparseFailureWords words;
    return words;
}

QString family_text(PatternFamily family) {
    switch (family) {
    case PatternFamily::Unknown:
        return FamilyTexts::tr("unknown pattern");
    case PatternFamily::HyperSparse:
        return FamilyTexts::tr("mostly empty rows");
    case PatternFamily::Blocked:
        return FamilyTexts::tr("dense blocks");
    case PatternFamily::Banded:
        return FamilyTexts::tr("banded");
    case PatternFamily::PowerLaw:
        return FamilyTexts::tr("power law");
    case PatternFamily::NearDiagonal:
        return FamilyTexts::tr("mostly near the diagonal");
    case PatternFamily::SkewedRows:
        return FamilyTexts::tr("some long rows");
    case PatternFamily::UniformRows:
        return FamilyTexts::tr("rows of about one length");
    case PatternFamily::DenseBySizes:
        return FamilyTexts::tr("dense (by sizes alone)");
    case PatternFamily::TallBySizes:
        return FamilyTexts::tr("tall (by sizes alone)");
    case PatternFamily::WideBySizes:
        return FamilyTexts::tr("wide (by sizes alone)");
    case PatternFamily::FewBySizes:
        return FamilyTexts::tr("few entries a row (by sizes alone)");
    case PatternFamily::ManyBySizes:
        return FamilyTexts::tr("many entries a row (by sizes alone)");
    case PatternFamily::ModerateBySizes:
        return FamilyTexts::tr("4 to 32 entries a row (by sizes alone)");
    }
    return {};
}

QString statistic_text(const std::string& name) {
    return QString::fromStdString(name).replace(u'_', u' ');
}

} // namespace sparsight
