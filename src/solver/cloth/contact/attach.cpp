// SPDX-License-Identifier: MIT
// See attach.hpp.
#include "solver/cloth/contact/attach.hpp"

#include "math/six.hpp"
#include "solver/cloth/contact/pairs.hpp"

namespace capstan {
namespace {

Vec3d positionOf(const std::vector<Point>& x, int i) { return widen(Vec3(x[i])); }
Point pointOf(Vec3d at, float w) {
    const Vec3 p = narrow(at);
    return {p.x, p.y, p.z, w};
}

Vec3d moveOf(const ClothHost& c, Vec3d arm) {
    return Vec3d{c.u[0], c.u[1], c.u[2]} + cross(Vec3d{c.u[3], c.u[4], c.u[5]}, arm);
}

// Returns n . J A^-1 J^T n: the displacement of the point [m] along n for a unit impulse times h (1 kg m) along n.
double weightAlong(const ClothHost& c, Vec3d arm, Vec3d n) {
    const Vec3d t = cross(arm, n);
    const double j[6] = {n.x, n.y, n.z, t.x, t.y, t.z};
    double sum = 0;
    for (int i = 0; i < 6; ++i)
        for (int k = 0; k < 6; ++k) sum += j[i] * c.weight[i][k] * j[k];
    return sum;
}

// Adds the displacement by f and a torque, both times h^2, to c.u.
void load(ClothHost& c, Vec3d f, Vec3d torque) {
    const double b[6] = {f.x, f.y, f.z, torque.x, torque.y, torque.z};
    for (int i = 0; i < 6; ++i)
        for (int k = 0; k < 6; ++k) c.u[i] += c.weight[i][k] * b[k];
}

// Applies p [kg m], an impulse times h, to the host at an attachment.
void push(ClothAttachments& w, ClothAttachment& hold, Vec3d p) {
    hold.push = hold.push + p;
    load(w.hosts[hold.host], p, cross(hold.arm, p));
}

// Returns the index of the pin's host in hosts, and adds the host if it is new.
int hostOf(ClothContactWorkspace& w, const ClothPin& pin) {
    ClothAttachments& h = w.attachments;
    ClothHost c;
    int* known = nullptr;
    if (pin.body >= 0) {
        c.slot = pin.body;
        c.body = w.coupling.ofSlot[pin.body];
        c.keepsItsWay = h.keepsItsWay[pin.body] != 0;
        known = &h.hostOfBody[c.body];
    } else {
        std::size_t k = 0;
        while (w.things[w.ropes[k].thing].rope != pin.rope) ++k;
        c.node = w.things[w.ropes[k].thing].begin - w.firstNode + pin.node;
        c.keepsItsWay = true;
        known = &h.hostOfNode[c.node];
    }
    if (*known < 0) {
        *known = int(h.hosts.size());
        h.hosts.push_back(c);
    }
    return *known;
}

// Returns the position of an attached vertex on the present path of its host at time t (0 to 1) of the step.
Vec3d positionNow(const ClothContactWorkspace& w, const Model& m, const State& s, const ClothAttachment& hold,
                  double t) {
    const ClothHost& c = w.attachments.hosts[hold.host];
    if (c.body >= 0)
        return poseOf(w.coupling, m, s, c.slot, t, 0).point(m.cloths[hold.cloth].pins[hold.pin].local);
    const ClothNode& n = w.nodes[c.node];
    return n.from + t * (n.to - n.from) + n.off;
}

} // namespace

bool givesWay(const Model& m, const ClothPin& pin) {
    if (pin.body >= 0) return m.bodies[pin.body].dynamic();
    if (pin.rope < 0) return false;
    const Rope& r = m.ropes[pin.rope];
    return r.alive && !r.frozen && pin.node < r.count;
}

bool anyAttachments(const Model& m) {
    for (const Cloth& c : m.cloths)
        for (const ClothPin& pin : c.pins)
            if (c.alive && !c.frozen && givesWay(m, pin)) return true;
    return false;
}

namespace {

double massOfCloth(const Cloth& c, const ClothState& at) {
    double mass = 0;
    for (int i = 0; i < c.count; ++i) mass += double(at.v[i].w);
    return mass;
}

// Share of a pin in the weight of a sheet: mass, and force of air and of the program [N].
struct Share {
    double mass = 0; // kg
    Vec3d air = {0, 0, 0};
};

// Returns the share of each pin that supports the sheet. A free body that hangs on the sheet supports nothing; its
// mass is added. `jointed`: for each body, 1 if it has a joint.
Share shareOf(const Model& m, const Cloth& c, const ClothState& at, const std::vector<char>& jointed) {
    Share all;
    all.mass = massOfCloth(c, at);
    if (c.def.drag > 0)
        for (const Point& f : at.air) all.air = all.air + 3.0 * widen(Vec3(f));
    for (const Point& f : at.force) all.air = all.air + widen(Vec3(f));
    int holders = 0, before = -1;
    for (const ClothPin& pin : c.pins) {
        const bool flies = pin.body >= 0 && givesWay(m, pin) && !jointed[pin.body];
        holders += !flies;
        if (flies && pin.body != before) all.mass += m.bodies[pin.body].mass;
        if (flies) before = pin.body;
    }
    if (holders == 0) return {};
    return {all.mass / holders, (1.0 / holders) * all.air};
}

// Returns the added mass of a host, and makes one if there is none.
ClothAddedMass& addedMassOf(ClothAttachments& w, int point, int body) {
    for (ClothAddedMass& b : w.addedMasses)
        if (b.point == point && b.body == body) return b;
    ClothAddedMass b;
    b.point = point;
    b.body = body;
    w.addedMasses.push_back(b);
    return w.addedMasses.back();
}

// Adds the mass and force to the host in State and Model.
void bear(ClothAddedMass& b, Model& m, State& s) {
    if (b.point >= 0) {
        Point &x = s.x[b.point], &v = s.v[b.point];
        b.mass = double(v.w);
        b.inverse = x.w;
        v.w = narrow(b.mass + b.added);
        if (x.w > 0) x.w = 1 / v.w;
        s.force.resize(s.x.size());
        Point& f = s.force[b.point];
        f = pointOf(widen(Vec3(f)) + b.force, 0);
        return;
    }
    Body& body = m.bodies[b.body];
    BodyState& at = s.bodies[b.body];
    b.mass = body.mass;
    b.inertia = body.inertia;
    // Factor of mass and momentum; the angular velocity does not change.
    const double more = (b.mass + b.added) / b.mass;
    body.mass = more * body.mass;
    body.inertia = more * body.inertia;
    at.L = more * at.L;
    at.LBefore = more * at.LBefore;
    at.force += b.force;
}

} // namespace

void addClothMass(ClothAttachments& w, Model& m, State& s) {
    w.addedMasses.clear();
    w.keepsItsWay.assign(m.bodies.size(), 0);
    if (!anyAttachments(m)) return;
    for (const Joint& j : m.joints)
        for (int body : j.body)
            if (j.on() && body >= 0) w.keepsItsWay[body] = 1;
    for (std::size_t i = 0; i < m.cloths.size(); ++i) {
        const Cloth& c = m.cloths[i];
        if (!c.alive || c.frozen) continue;
        const Share share = shareOf(m, c, s.cloths[i], w.keepsItsWay);
        for (const ClothPin& pin : c.pins) {
            if (!givesWay(m, pin) || (pin.body >= 0 && !w.keepsItsWay[pin.body])) continue;
            const int point = pin.rope >= 0 ? m.ropes[pin.rope].begin + pin.node : -1;
            ClothAddedMass& b = addedMassOf(w, point, pin.body);
            b.added += share.mass;
            b.force = b.force + share.air;
            if (pin.rope >= 0) m.ropes[pin.rope].forced = true;
        }
    }
    // A jointed body that is heavier than its share of the cloth is solved in the substeps of cloth instead.
    std::erase_if(w.addedMasses,
                  [&](const ClothAddedMass& b) { return b.body >= 0 && b.added <= m.bodies[b.body].mass; });
    w.keepsItsWay.assign(m.bodies.size(), 0);
    for (ClothAddedMass& b : w.addedMasses) {
        bear(b, m, s);
        if (b.body >= 0) w.keepsItsWay[b.body] = 1;
    }
}

void removeClothMass(ClothAttachments& w, Model& m, State& s) {
    for (const ClothAddedMass& b : w.addedMasses) {
        if (b.point >= 0) {
            s.v[b.point].w = narrow(b.mass);
            s.x[b.point].w = b.inverse;
            continue;
        }
        Body& body = m.bodies[b.body];
        BodyState& at = s.bodies[b.body];
        const double less = b.mass / (b.mass + b.added);
        body.mass = b.mass;
        body.inertia = b.inertia;
        at.L = less * at.L;
        at.LBefore = less * at.LBefore;
    }
    w.addedMasses.clear();
}

bool findAttachments(ClothContactWorkspace& w, const Model& m, const State& s) {
    ClothAttachments& h = w.attachments;
    h.hosts.clear();
    h.all.clear();
    h.firstPin.clear();
    h.ofPin.clear();
    h.hostOfBody.assign(w.coupling.bodies.size(), -1);
    h.hostOfNode.assign(w.nodes.size(), -1);
    for (std::size_t i = 0; i < m.cloths.size(); ++i) {
        const Cloth& c = m.cloths[i];
        h.firstPin.push_back(int(h.ofPin.size()));
        if (!c.alive || c.frozen) continue;
        for (std::size_t k = 0; k < c.pins.size(); ++k) {
            h.ofPin.push_back(c.pins[k].gives ? int(h.all.size()) : -1);
            if (!c.pins[k].gives) continue;
            const Point& v = s.cloths[i].v[c.pins[k].vertex];
            ClothAttachment hold;
            hold.cloth = int(i);
            hold.pin = int(k);
            hold.vertex = c.pins[k].vertex;
            hold.host = hostOf(w, c.pins[k]);
            hold.mass = double(v.w);
            hold.velocity = widen(Vec3(v));
            hold.from = positionNow(w, m, s, hold, 0);
            h.all.push_back(hold);
        }
    }
    return !h.all.empty();
}

void predictAttachments(ClothContactWorkspace& w, const Model& m, State& s, const StepDef& d, int k) {
    const double end = double(k + 1) / d.substeps, h = double(d.h());
    for (ClothHost& c : w.attachments.hosts) {
        if (c.body >= 0)
            c.pose = poseOf(w.coupling, m, s, c.slot, end, h);
        else
            c.pose.x = w.nodes[c.node].aim;
    }
    for (ClothAttachment& hold : w.attachments.all) {
        const ClothHost& c = w.attachments.hosts[hold.host];
        const ClothPin& pin = m.cloths[hold.cloth].pins[hold.pin];
        hold.aim = c.body >= 0 ? c.pose.point(pin.local) : c.pose.x;
        hold.arm = hold.aim - c.pose.x;
        ClothState& at = s.cloths[hold.cloth];
        Point& v = at.v[hold.vertex];
        v = pointOf((1 / h) * (hold.aim - positionOf(at.x, hold.vertex)), v.w);
    }
}

namespace {

// Force of the air and of the program on a vertex, N.
Vec3d forceOn(const Cloth& c, const ClothState& at, int vertex) {
    Vec3d f = at.force.empty() ? Vec3d{0, 0, 0} : positionOf(at.force, vertex);
    if (!(c.def.drag > 0)) return f;
    const int slice = vertex / kClothSlice, end = c.trianglesOf.begin[std::size_t(slice) + 1];
    for (int k = c.trianglesOf.begin[slice] + vertex % kClothSlice; k < end; k += kClothSlice)
        f = f + positionOf(at.air, c.trianglesOf.other[k]);
    return f;
}

// Applies the bending force of the sheet at its attached vertex to the host. It is the force at the end of the
// substep. The factor 1 / (1 + soft) reduces it if the host is light compared with the bending stiffness, as an
// implicit bending solve with the host would.
void pushByBending(ClothAttachments& w, const Cloth& c, const ClothState& at, ClothAttachment& hold,
                   double h) {
    if (c.bendWeight.empty()) return;
    Vec3d f = {0, 0, 0};
    const int slice = hold.vertex / kClothSlice, end = c.bendOf.begin[std::size_t(slice) + 1];
    for (int k = c.bendOf.begin[slice] + hold.vertex % kClothSlice; k < end; k += kClothSlice)
        f = f -
            double(c.bendWeight[k]) * (positionOf(at.x, c.bendOf.other[k]) - positionOf(at.x, hold.vertex));
    const double size = length(f);
    if (!(size > 0)) return;
    const double soft =
        h * h * double(c.bendBound[hold.vertex]) * weightAlong(w.hosts[hold.host], hold.arm, (1 / size) * f);
    push(w, hold, (h * h / (1 + soft)) * f);
}

// Computes the inverse 6x6 mass matrix of each host with its attached vertices.
void weighHosts(ClothContactWorkspace& w, const Model& m) {
    ClothAttachments& h = w.attachments;
    std::vector<Six>& six = w.holdMatrix;
    six.assign(h.hosts.size(), Six{});
    for (std::size_t i = 0; i < six.size(); ++i) {
        const ClothHost& c = h.hosts[i];
        if (!c.keepsItsWay) six[i] = massOf(w.coupling.bodies[c.body], m.bodies[c.slot], c.pose.q);
    }
    for (const ClothAttachment& hold : h.all) six[hold.host].add(hold.mass, hold.arm, {0, 1, 0}, 1);
    for (std::size_t i = 0; i < six.size(); ++i) {
        ClothHost& c = h.hosts[i];
        for (double& u : c.u) u = 0;
        if (c.keepsItsWay) continue; // the inverse matrix stays 0, so cloth does not displace this host
        six[i].factor();
        for (int k = 0; k < 6; ++k) {
            double column[6];
            for (int j = 0; j < 6; ++j) six[i].b[j] = j == k ? 1 : 0;
            six[i].solve(column);
            for (int j = 0; j < 6; ++j) c.weight[j][k] = column[j];
        }
    }
}

// Solves, one by one, the length constraints of a sheet that have an attached vertex at an end.
void pullRows(ClothAttachments& w, const Cloth& c, ClothState& at, int firstPin, double h) {
    for (const ClothAttachmentRow& row : c.attachmentRows) {
        ClothAttachment& a = w.all[w.ofPin[firstPin + row.pin]];
        ClothAttachment* other = row.otherPin < 0 ? nullptr : &w.all[w.ofPin[firstPin + row.otherPin]];
        const auto host = [&](const ClothAttachment& hold) -> const ClothHost& { return w.hosts[hold.host]; };
        const auto placed = [&](const ClothAttachment& hold) {
            return hold.aim + moveOf(host(hold), hold.arm);
        };
        Point& x = at.x[row.vertex];
        const Vec3d far = other ? placed(*other) : widen(Vec3(x)), way = far - placed(a);
        const double ll = lengthSquared(way);
        if (!(ll > 0) || (row.pulls && ll <= row.rest * row.rest)) continue;
        const double l = sqrt(ll), weight = other ? 0 : double(x.w);
        const Vec3d n = (1 / l) * way;
        const double both = weightAlong(host(a), a.arm, n) + weight +
                            (other ? weightAlong(host(*other), other->arm, n) : 0) + row.compliance / (h * h);
        if (!(both > 0)) continue;
        Vec3d p = ((l - row.rest) / both) * n;
        if (weight > 0) {
            x = pointOf(far - weight * p, x.w);
            p = (1 / weight) * (far - widen(Vec3(x)));
        }
        push(w, a, p);
        if (other) push(w, *other, -p);
    }
}

} // namespace

void solveAttachments(ClothContactWorkspace& w, const Model& m, State& s, const StepDef& d) {
    const double h = double(d.h());
    ClothAttachments& attachments = w.attachments;
    weighHosts(w, m);
    for (ClothHost& c : attachments.hosts) {
        if (c.keepsItsWay) continue;
        const Body& body = m.bodies[c.slot];
        load(c, -(h * h) * body.couplingForce, -(h * h) * body.twist);
    }
    for (ClothAttachment& hold : attachments.all) {
        const Cloth& c = m.cloths[hold.cloth];
        const ClothState& at = s.cloths[hold.cloth];
        const Vec3d free = hold.from + h * hold.velocity + (h * h) * widen(d.gravity);
        hold.push = {0, 0, 0};
        push(attachments, hold, hold.mass * (free - hold.aim) + (h * h) * forceOn(c, at, hold.vertex));
    }
    for (ClothAttachment& hold : attachments.all)
        pushByBending(attachments, m.cloths[hold.cloth], s.cloths[hold.cloth], hold, h);
    for (std::size_t i = 0; i < m.cloths.size(); ++i)
        if (m.cloths[i].alive && !m.cloths[i].frozen)
            pullRows(attachments, m.cloths[i], s.cloths[i], attachments.firstPin[i], h);
    for (const ClothAttachment& hold : attachments.all) {
        const ClothHost& c = attachments.hosts[hold.host];
        if (!c.keepsItsWay) w.coupling.bodies[c.body].loads.push_back({hold.arm, hold.mass, hold.push});
    }
}

void moveAttachments(ClothContactWorkspace& w, Model& m, State& s, const StepDef& d, int k) {
    const double end = double(k + 1) / d.substeps, h = double(d.h());
    for (ClothAttachment& hold : w.attachments.all) {
        Cloth& c = m.cloths[hold.cloth];
        ClothState& at = s.cloths[hold.cloth];
        const Vec3d position = positionNow(w, m, s, hold, end);
        // For a coupled body, the velocity follows from the impulses of this substep. If the body rotates fast, the
        // position on its curved path gives another velocity.
        const ClothHost& host = w.attachments.hosts[hold.host];
        const Vec3d to = host.keepsItsWay ? position : hold.aim + moveOf(host, hold.arm);
        hold.velocity = (double(w.views[hold.cloth].dampingFactor) / h) * (to - hold.from);
        hold.from = position;
        Point &x = at.x[hold.vertex], &v = at.v[hold.vertex];
        x = pointOf(position, 0);
        v = pointOf(hold.velocity, v.w);
        c.pins[hold.pin].target = x;
    }
}

} // namespace capstan
