#include "domains/sparse/kernel/lowering/loop_nest.h"

#include <fmt/format.h>

namespace sparsight {

namespace {

class CPrinter {
public:
    explicit CPrinter(const LoopNest& nest)
        : nest_(nest) {}

    std::vector<NestLine> print() {
        line("#include <stdint.h>");
        line("#include <string.h>");
        line("");
        line(fmt::format("void {}({}) {{", name(nest_.op), parameters()));
        ++indent_;
        print(nest_.body);
        --indent_;
        line("}");
        return std::move(out_);
    }

private:
    [[nodiscard]] std::string parameters() const {
        std::string text;
        for (std::size_t level = 0; level < nest_.storage.levels.size(); ++level)
            if (nest_.storage.levels[level].format == LevelFormat::Compressed)
                text += fmt::format("const int32_t* restrict {0}_pos, const int32_t* restrict {0}_crd, ",
                                    level_name(level));
        text += "const float* restrict A, const float* restrict B, ";
        if (description(nest_.op).factors.size() > 1)
            text += "const float* restrict D, ";
        text += "float* restrict C";
        // A's padding counts as positions too, so only the caller knows how many elements such a C has.
        return has_sparse_output(nest_.op) ? text + ", int64_t positions" : text;
    }

    [[nodiscard]] std::string level_name(std::size_t level) const {
        const StorageLevel& stored = nest_.storage.levels[level];
        std::string name(1, letter(stored.loop.index));
        if (stored.split != 1)
            name += stored.loop.part == Part::Outer ? '1' : '0';
        return name;
    }

    void line(std::string_view text, LineRole role = LineRole::Text, Variable variable = -1) {
        out_.push_back({text.empty() ? "" : fmt::format("{:{}}{}", "", 2 * indent_, text),
                        role,
                        variable,
                        visits_,
                        elements_,
                        {}});
    }

    void touching(const std::vector<Access>& factors, bool output) {
        std::vector<Operand>& touched = out_.back().touches;
        for (const Access& factor : factors)
            touched.push_back(factor.operand);
        if (output)
            touched.push_back(Operand::C);
    }

    void print(const Body& body) {
        for (const KernelStatement& statement : body)
            std::visit([this](const auto& node) { print(node); }, statement.node);
    }

    void print(const ZeroOutput&) {
        line(fmt::format("memset(C, 0, {} * sizeof(float));", output_size()), LineRole::Clear);
    }

    [[nodiscard]] std::string output_size() const {
        if (has_sparse_output(nest_.op))
            return "positions";
        std::string size;
        for (const Index index : description(nest_.op).output)
            size += size.empty() ? fmt::format("{}LL", nest_.extents[index])
                                 : fmt::format(" * {}", nest_.extents[index]);
        return size;
    }

    void print(const Loop& loop) {
        if (loop.parallel)
            line(fmt::format("#pragma omp parallel for schedule(dynamic, {})", nest_.chunk),
                 LineRole::Parallel, loop.coordinate);
        else if (loop.vectorised && loop.tile_axis)
            line("#pragma omp simd");
        if (loop.strip > 0)
            line(fmt::format("// strips of {}, whose sums fit the registers", loop.strip));
        if (loop.sunk)
            line("// moved here from outside, so that it runs along vector lanes");
        const std::string& coordinate = variable(loop.coordinate);
        if (loop.kind == LoopKind::Compressed) {
            const std::string level = level_name(loop.level);
            line(fmt::format("for (int64_t {0} = {1}_pos[{2}]; {0} < {1}_pos[{3}]; ++{0}) {{",
                             variable(loop.position), level, text(loop.parent),
                             text(loop.parent + Affine{{}, 1})),
                 LineRole::Loop, loop.coordinate);
            ++indent_;
            line(fmt::format("const int64_t {} = {}_crd[{}];", coordinate, level, variable(loop.position)),
                 LineRole::Coordinate, loop.coordinate);
        } else {
            const std::string end = loop.clip
                                        ? fmt::format("({} == {} ? {} : {})", variable(loop.clip->outer),
                                                      loop.clip->last, loop.clip->remainder, loop.extent)
                                        : fmt::format("{}", loop.extent);
            line(fmt::format("for (int64_t {0} = 0; {0} < {1}; ++{0}) {{", coordinate, end), LineRole::Loop,
                 loop.coordinate);
            ++indent_;
        }
        print(loop.body);
        --indent_;
        line("}");
    }

    void print(const Accumulate& update) {
        const std::string target = update.into_tile ? tile_element() : text(update.target);
        line(fmt::format("{} += {};", target, product(update.factors)), LineRole::Update);
        touching(update.factors, !update.into_tile);
    }

    void print(const Tile& tile) {
        axes_ = &tile.axes;
        line("{");
        ++indent_;
        std::string shape;
        elements_ = 1;
        for (const Tile::Axis& axis : tile.axes) {
            shape += fmt::format("[{}]", axis.extent);
            elements_ *= axis.extent;
        }
        if (tile.begins_with_output) {
            line(fmt::format("float sum{};", shape));
            print_for_each_element(tile, fmt::format("{} = {};", tile_element(), text(tile.target)));
        } else {
            line(fmt::format("float sum{} = {};", shape, shape.empty() ? "0" : "{0}"));
        }
        print(tile.body);
        const std::string scale = tile.scale.empty() ? "" : product(tile.scale) + " * ";
        const char* assign = tile.overwrites || tile.begins_with_output ? "=" : "+=";
        print_for_each_element(tile,
                               fmt::format("{} {} {}{};", text(tile.target), assign, scale, tile_element()));
        elements_ = 1;
        --indent_;
        line("}");
        axes_ = nullptr;
    }

    void print_for_each_element(const Tile& tile, const std::string& statement) {
        for (const Tile::Axis& axis : tile.axes) {
            line(
                fmt::format("for (int64_t {0} = 0; {0} < {1}; ++{0})", variable(axis.variable), axis.extent));
            ++indent_;
        }
        line(statement, LineRole::Store);
        touching(tile.scale, true);
        indent_ -= tile.axes.size();
    }

    void print(const IfStored& stored) {
        const std::string level = level_name(stored.level);
        line(fmt::format("if ({0}_pos[{1}] < {0}_pos[{2}]) {{", level, text(stored.parent),
                         text(stored.parent + Affine{{}, 1})));
        ++indent_;
        print(stored.body);
        --indent_;
        line("}");
    }

    void print(const Branch& branch) {
        line(fmt::format("if ({} != {}) {{", variable(branch.variable), branch.last));
        ++indent_;
        const double visits = visits_;
        const auto times = static_cast<double>(branch.last + 1);
        visits_ = visits * (1 - 1 / times);
        print(branch.full);
        --indent_;
        line("} else {");
        ++indent_;
        visits_ = visits / times;
        print(branch.remainder);
        visits_ = visits;
        --indent_;
        line("}");
    }

    [[nodiscard]] const std::string& variable(Variable name) const {
        return nest_.variables[static_cast<std::size_t>(name)];
    }

    [[nodiscard]] std::string text(const Affine& affine) const {
        std::string sum;
        for (const Affine::Term& term : affine.terms) {
            sum += sum.empty() ? "" : " + ";
            sum += variable(term.variable);
            if (term.factor != 1)
                sum += fmt::format(" * {}", term.factor);
        }
        if (sum.empty() || affine.constant != 0)
            sum += fmt::format("{}{}", sum.empty() ? "" : " + ", affine.constant);
        return sum;
    }

    [[nodiscard]] std::string text(const Access& access) const {
        return fmt::format("{}[{}]", "ABDC"[static_cast<std::size_t>(access.operand)], text(access.offset));
    }

    [[nodiscard]] std::string product(const std::vector<Access>& factors) const {
        std::string result;
        for (const Access& access : factors)
            result += (result.empty() ? "" : " * ") + text(access);
        return result.empty() ? "1.0f" : result;
    }

    [[nodiscard]] std::string tile_element() const {
        std::string element = "sum";
        for (const Tile::Axis& axis : *axes_)
            element += fmt::format("[{}]", variable(axis.variable));
        return element;
    }

    const LoopNest& nest_;
    const std::vector<Tile::Axis>* axes_ = nullptr;
    std::vector<NestLine> out_;
    std::size_t indent_ = 0;
    double visits_ = 1;
    std::int64_t elements_ = 1;
};

} // namespace

std::vector<NestLine> print_lines(const LoopNest& nest) {
    return CPrinter(nest).print();
}

std::string print_c(const LoopNest& nest) {
    std::string code;
    for (const NestLine& line : print_lines(nest))
        code += line.text + '\n';
    return code;
}

} // namespace sparsight
