// Lessons of the Help menu: steps that say something about the window, point at a widget of it, set what they
// speak of, and wait for what they ask. A lesson is a Markdown file in resources/help/lessons; which domain
// it is for stands in it. The guided tour is one, too.
#pragma once

#include "base/error.h"

#include <QString>
#include <QStringList>
#include <functional>
#include <map>
#include <vector>

namespace sparsight {

class Workspace;

/// What lessons add to the workspace on request, by name, off the window's thread.
using LessonData = std::map<QString, std::function<Result<void>(Workspace&)>>;

/// What the window does: when a step begins, or for the user who asks for it.
struct LessonCommand {
    enum class Verb {
        Workload,       ///< selects it
        Model,          ///< selects it
        Set,            ///< gives the widget a value
        Choose,         ///< chooses the first entry of the box with the text, as soon as there is one
        Press,          ///< presses the button
        Configuration,  ///< selects it
        Configurations, ///< the page compares these, with "|" between them
        Data,           ///< adds data of this name, which the domain brings
        Run             ///< starts a job: a command line without the workspace
    };
    Verb verb = Verb::Set;
    QString object; ///< name of the widget
    QString value;
};

/// What a step waits for.
struct LessonCondition {
    enum class Kind {
        Page,          ///< the page is shown
        Workload,      ///< it is selected
        Configuration, ///< likewise
        Value,         ///< the widget's value, compared
        Shows,         ///< the label, or the chosen entry of the box, has the text
        Rows,          ///< the number of rows of the widget's table, compared
        Model,         ///< the workspace has the model of this name
        Split,         ///< the workspace has the split of this name
        Measurements,  ///< how many the workspace has, compared
        Here,          ///< this computer is the selected machine
        Idle           ///< no job of the workspace waits or runs
    };
    enum class Relation { Equal, AtMost, AtLeast };
    Kind kind = Kind::Idle;
    QString object; ///< name of the widget
    Relation relation = Relation::Equal;
    QString value;
};

struct LessonStep {
    QString title;
    QString text;  ///< Markdown
    QString page;  ///< its id
    QString point; ///< name of the widget that it explains; empty: none
    std::vector<LessonCommand> commands;
    QString request; ///< in words, what it waits for; empty: for nothing
    std::vector<LessonCondition> conditions;
    std::vector<LessonCommand> help; ///< what fulfils them, for users who let it be done
    QStringList claims;              ///< what the text says in numbers, for tests
};

struct Lesson {
    QString id; ///< name of its file
    QString title;
    QString summary;
    QString domain;
    int minutes = 0; ///< that it takes
    int place = 0;   ///< in the menu; 0: the guided tour
    std::vector<LessonStep> steps;

    [[nodiscard]] bool is_tour() const { return place == 0; }
};

/// Errors name the line of the file.
[[nodiscard]] Result<Lesson> parse_lesson(const QString& id, const QString& markdown);

/// The names of the files of all lessons.
[[nodiscard]] QStringList lesson_ids();
/// The text of a lesson's file.
[[nodiscard]] QString lesson_markdown(const QString& id);
/// Those of a domain in the order of the menu, the tour first.
[[nodiscard]] std::vector<Lesson> lessons_of(const QString& domain);

} // namespace sparsight
