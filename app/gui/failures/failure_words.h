// Failures in the language of the window. A domain that names decisions, causes or families in its own way
// derives from FailureWords; its nouns are those of DomainWords.
#pragma once

#include "evaluation/failures/failure_groups.h"
#include "study/domain.h"

#include <QString>
#include <QStringList>
#include <string>

namespace sparsight {

class FailureWords {
public:
    explicit FailureWords(DomainWords words)
        : words_(std::move(words)) {}
    FailureWords(const FailureWords&) = delete;
    FailureWords& operator=(const FailureWords&) = delete;
    virtual ~FailureWords() = default;

    [[nodiscard]] const DomainWords& domain() const { return words_; }

    // What a domain may say in its own way.

    /// "tile_x"; in the middle of a sentence.
    [[nodiscard]] virtual QString decision(const Decision& decision) const;
    /// What it decides, as a sentence; may be empty.
    [[nodiscard]] virtual QString meaning(const Decision& decision) const;
    /// How a decision is made: "32".
    [[nodiscard]] virtual QString value(const std::string& value) const;
    /// Whether its values are orders of loops: a title names a configuration that has one instead.
    [[nodiscard]] virtual bool is_order(const Decision& decision) const;
    /// May be empty where the family is unknown.
    [[nodiscard]] virtual QString family(const WorkloadFamily& family) const;
    [[nodiscard]] virtual QString cause(const TimeCause& cause) const;

    // Texts of every domain.

    /// "slower than fixed CSR"
    [[nodiscard]] QString kind(FailureKind kind) const;
    /// A sentence.
    [[nodiscard]] QString kind_meaning(FailureKind kind) const;
    /// "fixed CSR", "the best known", "the best of its choice".
    [[nodiscard]] QString against(FailureAgainst against) const;
    /// Of a choice that counts as slow: "more than 10 % slower than the best known", and beyond the noise.
    [[nodiscard]] QString threshold() const;
    /// The sentence of a sign of this case, with the statistics where it says that the workload is unlike
    /// training.
    [[nodiscard]] QString sign_sentence(const FailureCase& failure, const FailureSign& sign) const;
    /// "Slower than fixed CSR: 4.10 ± 0.20 ms against 1.25 ± 0.05 ms of fixed CSR, +228 %, beyond noise."
    [[nodiscard]] QString sign_sentence(const FailureSign& sign) const;
    /// Title and text of a group: "Tile_x: 8", "Level order of 4-row groups".
    [[nodiscard]] QString group_title(const FailureGroup& group) const;
    [[nodiscard]] QString group_text(const FailureGroup& group) const;
    /// What its kind means, how its decision is known or why none is, and by how much it is behind without
    /// loss.
    [[nodiscard]] QString group_hint(const FailureGroup& group) const;
    /// What is known of why the model did not know, without asking it.
    [[nodiscard]] QStringList blind_spots(const FailureCase& failure) const;

private:
    [[nodiscard]] QString outside_sentence(const FailureCase& failure, std::size_t most_told) const;

    DomainWords words_;
};

/// "simulator", "correction", "both", "neither".
[[nodiscard]] QString misled_by_text(MisledBy part);
/// Which part of a gray box misled it, and which parameter its correction distrusts most: misled_sentence()
/// in the language of the window.
[[nodiscard]] QString misled_text(const MisleadingPart& part, const QString& model);
/// "measured", "simulated", "recorded", "cost of the same decisions elsewhere in the table".
[[nodiscard]] QString basis_text(DiagnosisBasis basis);
/// "4.10 ± 0.20 ms", "≥ 9.00 ms".
[[nodiscard]] QString timed_text(const TimedConfiguration& timed);
/// "2-row blocks, chunk 32 · 2 1 1 i1 …": its nickname, where it has one, before its text.
[[nodiscard]] QString named_text(const TimedConfiguration& timed);
/// "raw time of its own turns: 4.2 ms", where the time above comes from turns that did not choose the
/// configuration; empty otherwise.
[[nodiscard]] QString raw_time_text(const TimedConfiguration& timed);
/// "+228 %": of the time that it is held against.
[[nodiscard]] QString loss_text(double share);
/// In which statistics a workload is unlike its model's training, and by how far, the farthest first:
/// "longest row 4,000, in training 12 to 340, 11.8 times the most". Empty where it is like it.
[[nodiscard]] QString unfamiliar_text(const FailureCase& failure, std::size_t most);
/// "Slower", of "slower". Identifiers such as "tile_x" stay as they are.
[[nodiscard]] QString capitalised(QString text);

} // namespace sparsight
