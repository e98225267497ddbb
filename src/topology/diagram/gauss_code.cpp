// SPDX-License-Identifier: MIT
//
// Gauss codes; see gauss_code.hpp.
#include <capstan/topology/gauss_code.hpp>

#include <algorithm>
#include <cstddef>
#include <tuple>
#include <utility>

namespace capstan {
namespace {

using Visits = std::vector<GaussCode::Visit>;

// Position of a visit in the code.
struct Position {
    std::size_t rope = 0, index = 0;
};

// Positions of both visits of each crossing, by crossing.
struct Positions {
    std::vector<Position> over, under;

    explicit Positions(const GaussCode& code) : over(code.signs.size()), under(code.signs.size()) {
        for (std::size_t r = 0; r < code.ropes.size(); ++r)
            for (std::size_t k = 0; k < code.ropes[r].size(); ++k) {
                const GaussCode::Visit v = code.ropes[r][k];
                (v.over ? over : under)[static_cast<std::size_t>(v.crossing)] = {r, k};
            }
    }
};

// Removes the crossings a and b, which may be equal.
void drop(GaussCode& code, int a, int b) {
    if (a > b) std::swap(a, b);
    for (Visits& visits : code.ropes) {
        visits.erase(std::remove_if(visits.begin(), visits.end(),
                                    [&](GaussCode::Visit v) { return v.crossing == a || v.crossing == b; }),
                     visits.end());
        for (GaussCode::Visit& v : visits) v.crossing -= (v.crossing > a) + (a != b && v.crossing > b);
    }
    code.signs.erase(code.signs.begin() + b);
    if (a != b) code.signs.erase(code.signs.begin() + a);
}

// Returns true if two visits are neighbours on one rope.
bool adjacent(const GaussCode& code, Position p, Position q) {
    if (p.rope != q.rope) return false;
    const std::size_t n = code.ropes[p.rope].size(),
                      gap = p.index > q.index ? p.index - q.index : q.index - p.index;
    return gap == 1 || gap + 1 == n;
}

// Makes one Reidemeister move of the first or second kind. Returns false if there is none.
bool undoOne(GaussCode& code) {
    const Positions positions(code);
    for (std::size_t r = 0; r < code.ropes.size(); ++r) {
        const Visits& visits = code.ropes[r];
        for (std::size_t k = 0; visits.size() > 1 && k < visits.size(); ++k) {
            const GaussCode::Visit a = visits[k], b = visits[(k + 1) % visits.size()];
            if (a.crossing == b.crossing) {
                drop(code, a.crossing, a.crossing);
                return true;
            }
            const auto i = static_cast<std::size_t>(a.crossing), j = static_cast<std::size_t>(b.crossing);
            if (a.over && b.over && code.signs[i] != code.signs[j] &&
                adjacent(code, positions.under[i], positions.under[j])) {
                drop(code, a.crossing, b.crossing);
                return true;
            }
        }
    }
    return false;
}

} // namespace

int GaussCode::writhe() const {
    int sum = 0;
    for (const int sign : signs) sum += sign;
    return sum;
}

Result<GaussCode> gaussCode(const Polylines& ropes, std::span<const Crossing> crossings) {
    struct Stop {
        int rope, segment;
        double t;
        GaussCode::Visit visit;
    };
    for (std::size_t r = 0; r < ropes.ropes.size(); ++r)
        if (!ropes.ropes[r].closed) return Error{"a knot needs a closed rope", "rope " + std::to_string(r)};
    GaussCode code;
    std::vector<Stop> stops;
    for (std::size_t k = 0; k < crossings.size(); ++k) {
        const Crossing& c = crossings[k];
        stops.push_back({c.over.rope, c.over.segment, c.over.t, {static_cast<int>(k), true}});
        stops.push_back({c.under.rope, c.under.segment, c.under.t, {static_cast<int>(k), false}});
        code.signs.push_back(c.sign);
    }
    std::sort(stops.begin(), stops.end(), [](const Stop& p, const Stop& q) {
        return std::tie(p.rope, p.segment, p.t, p.visit.crossing) <
               std::tie(q.rope, q.segment, q.t, q.visit.crossing);
    });
    code.ropes.resize(ropes.ropes.size());
    for (std::size_t k = 0; k < stops.size(); ++k) {
        if (k > 0 && stops[k - 1].rope == stops[k].rope && stops[k - 1].segment == stops[k].segment &&
            stops[k].t - stops[k - 1].t < 1e-9)
            return Error{"two crossings are in one place of this view",
                         "rope " + std::to_string(stops[k].rope) + ", segment " +
                             std::to_string(stops[k].segment)};
        code.ropes[static_cast<std::size_t>(stops[k].rope)].push_back(stops[k].visit);
    }
    return code;
}

Result<GaussCode> gaussCode(const BraidWord& word, int n) {
    if (Status ok = checkBraid(word, n); !ok) return ok.error();
    GaussCode code;
    for (const int letter : word) code.signs.push_back(letter > 0 ? 1 : -1);
    std::vector<bool> seen(static_cast<std::size_t>(n), false);
    for (int start = 0; start < n; ++start) {
        if (seen[static_cast<std::size_t>(start)]) continue;
        Visits visits;
        int at = start;
        do {
            seen[static_cast<std::size_t>(at)] = true;
            for (std::size_t k = 0; k < word.size(); ++k) {
                const int left = (word[k] > 0 ? word[k] : -word[k]) - 1;
                if (at != left && at != left + 1) continue;
                const bool fromRight = at == left + 1;
                visits.push_back({static_cast<int>(k), fromRight == (word[k] > 0)});
                at = fromRight ? left : left + 1;
            }
        } while (at != start);
        code.ropes.push_back(std::move(visits));
    }
    return code;
}

void simplify(GaussCode& code) {
    while (undoOne(code)) {
    }
}

} // namespace capstan
