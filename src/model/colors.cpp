// SPDX-License-Identifier: MIT
// Colouring: no two constraints of one colour share a point.
//
// Colouring is greedy in the order of the constraints: each constraint takes the first colour that none of its points
// has. A rope of distance constraints gets two colours, for even and odd segments. The order is that in which the
// program added objects, so the result is the same on every machine.
#include "model/model.hpp"

#include <algorithm>

namespace capstan {
namespace {

// Returns the colour of a constraint and marks it in the bit sets of its points. There are 64 colours. If
// all of them are taken at its points, it returns the last one without a check. An object with more constraints at a
// point must use Solver::Jacobi.
template <class C> int colorOf(const Batch<C>& b, int row, std::vector<std::uint64_t>& seen) {
    std::uint64_t taken = 0;
    for (const auto& column : b.index)
        if (column[row] != 0) taken |= seen[column[row]];
    int color = 0;
    while (color < 63 && (taken >> color & 1)) ++color;
    for (const auto& column : b.index) seen[column[row]] |= std::uint64_t(1) << color;
    return color;
}

// Sorts a column by `order`; -1 in `order` gives the filler value.
template <class T> void permute(std::vector<T>& column, const std::vector<int>& order, T filler) {
    std::vector<T> sorted(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) sorted[i] = order[i] < 0 ? filler : column[order[i]];
    column = std::move(sorted);
}

} // namespace

template <class C> void colorBatch(Batch<C>& b, int pointCount, bool oneColor) {
    std::vector<std::vector<int>> colors;
    std::vector<std::uint64_t> seen(std::size_t(pointCount), 0);
    for (int row = 0; row < b.size(); ++row) {
        int color = oneColor ? 0 : colorOf(b, row, seen);
        if (color >= int(colors.size())) colors.resize(std::size_t(color) + 1);
        colors[color].push_back(row);
    }
    std::vector<int> order;
    b.colorEnd.clear();
    for (const auto& rows : colors) {
        order.insert(order.end(), rows.begin(), rows.end());
        while (order.size() % kColorPadding) order.push_back(-1);
        b.colorEnd.push_back(int(order.size()));
    }
    for (auto& column : b.index) permute(column, order, std::int32_t(0));
    for (auto& column : b.param) permute(column, order, 1.0f);
    permute(b.iterations, order, 0.0f);
    permute(b.lambda, order, 0.0f);
    for (auto& column : b.ask) column.assign(oneColor ? order.size() : 0, Point{});
}

// Lists the rows of all Jacobi batches by point, in the order of the list Constraints.
static Incidence incidence(Batches& batches, int pointCount) {
    Incidence in;
    in.begin.assign(std::size_t(pointCount) + 1, 0);
    auto eachUse = [&](auto&& use) {
        int type = 0;
        forEach(Constraints{}, [&]<class C>() {
            Batch<C>& b = batch<C>(batches);
            for (int row = 0; row < b.size(); ++row)
                for (int p = 0; p < C::points; ++p)
                    if (b.index[p][row] != 0) use(b.index[p][row], row, 4 * type + p);
            ++type;
        });
    };
    eachUse([&](int point, int, int) { ++in.begin[std::size_t(point) + 1]; });
    for (std::size_t i = 1; i < in.begin.size(); ++i) in.begin[i] += in.begin[i - 1];
    in.row.resize(std::size_t(in.begin.back()));
    in.slot.resize(in.row.size());
    std::vector<std::int32_t> next(in.begin.begin(), in.begin.end() - 1);
    eachUse([&](int point, int row, int slot) {
        int at = next[point]++;
        in.row[at] = row;
        in.slot[at] = slot;
    });
    return in;
}

void colorModel(Model& m, int pointCount) {
    forEach(Constraints{}, [&]<class C>() {
        colorBatch(batch<C>(m.gaussSeidel), pointCount, false);
        colorBatch(batch<C>(m.jacobi), pointCount, true);
    });
    bool rows = false;
    forEach(Constraints{}, [&]<class C>() { rows = rows || batch<C>(m.jacobi).size() > 0; });
    m.incidence = rows ? incidence(m.jacobi, pointCount) : Incidence{};
}

} // namespace capstan
