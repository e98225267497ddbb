// SPDX-License-Identifier: MIT
// XPBD, one joint: solves the rows of the locked axes, then those of the free axes (spring, damping, drive,
// limits).
//
// An impulse (T, p) acts on side 1, and its opposite acts on side 0 at the same point. With the levers r of
// that point, the rotation and the shift of side 1 relative to side 0 are
//     turn = Kaa T + Q p,  shift = Q^T T + Kpp p
//     Kaa = sum J,  Q = sum J [r],  Kpp = sum 1/m - [r] J [r],  J = I^-1
// The locked rows of orientation (e) and position (gap) are solved together, orientation first. If the joint
// slides along its axis or rotates about it, G and H are inverses across the axis only:
//     G = Kpp^-1,  S = Kaa - Q G Q^T,  H = S^-1
//     T = -H (e - Q G gap),  p = -G (gap + Q^T T)
// The rows on free axes then act on the bodies with the locked rows held. The paper cited in xpbd.hpp solves
// row after row, each as if the bodies had no other row. There the position row undoes most of the
// orientation row: all but 0.4 % for a bob whose inertia is 0.004 m r^2. A motor would need 250 substeps to
// reach its speed, and a limit would yield for as many.
//
// Levers. With v = (x - x0) / h, an impulse changes x cross m v as if it acted on the body at x0. This is its
// position at the start of the substep. If the angular momentum also uses the lever at x0, a free pair of
// bodies conserves its angular momentum to the last digit. Energy then decays more slowly, too. But the
// levers at x0 and x differ by h w, where w is the angular velocity. A body of little inertia on a long arm
// becomes unstable by this difference. So where h w m r^2 / I is not small, the lever at x is used. Its cost
// is an error of about 1e-5 of the angular momentum per frame.
#pragma once

#include "solver/mechanism/elimination.hpp"
#include "solver/mechanism/xpbd.hpp"

namespace capstan {

inline constexpr double kMostTurn = 0.5; // rad, largest rotation by one correction, because rows are linear
inline constexpr double kMostDriveStep =
    0.05;                            // rad or m: largest move of a rigid drive's reference in a substep
inline constexpr double kClose = 30; // rad/s or m/s: largest speed at which an earlier error is corrected
inline constexpr double kSmallTurn = 0.05; // largest h w m r^2 / I for the lever at the start of the substep

// Returns the part of an error that remains after a correction by `most`.
inline Vec3d beyond(Vec3d error, double most) {
    const double l = length(error);
    return l > most ? (1 - most / l) * error : Vec3d{0, 0, 0};
}

// Returns the inverse of K on the plane across the unit vector x; it is zero along x.
inline Sym3<double> inverseAcross(const Sym3<double>& K, Vec3d x) {
    const Vec3d k = K * x;
    const double s = dot(x, k);
    const Sym3<double> mixed = {2 * k.x * x.x,         2 * k.y * x.y,         2 * k.z * x.z,
                                k.x * x.y + x.x * k.y, k.x * x.z + x.x * k.z, k.y * x.z + x.y * k.z};
    const Sym3<double> own = outer(x);
    return ldltInverse(K - mixed + (2 * s) * own, 1e-14 * trace(K)) - (1 / s) * own;
}
inline Sym3<double> inverseWhole(const Sym3<double>& K) { return ldltInverse(K, 1e-14 * trace(K)); }

// A spring of stiffness k with a largest force `most` pulls `off` to 0. A damper d acts on `moved`. All are
// multiplied by h^2. force() returns the change of the multiplier lambda.
struct SoftRow {
    double k = 0, d = 0, most = kNoLimit;

    double force(double off, double moved, double lambda, double w) const {
        const double more = -(k * off + d * moved + lambda) / (1 + w * (k + d));
        const double spring = k * (off + w * more);
        if (abs(spring) <= most) return more;
        return -(signOf(spring) * most + d * moved + lambda) / (1 + w * d);
    }
    Vec3d force(Vec3d off, Vec3d moved, Vec3d lambda, const Sym3<double>& K) const {
        const Vec3d more = solved(k + d, K, k * off + d * moved + lambda);
        const Vec3d spring = k * (off + K * more);
        if (length(spring) <= most) return more;
        return solved(d, K, most * normalize(spring) + d * moved + lambda);
    }

private:
    static Vec3d solved(double stiffness, const Sym3<double>& K,
                        Vec3d gradient) { // solves (1 + stiffness K) x = -gradient
        return ldltSolve(Sym3<double>::scaledIdentity(1) + stiffness * K, -gradient, 0.5);
    }
};

// Returns the reference of a rigid drive at the end of a substep. It moves a fifth of the way to the target,
// within kMostDriveStep. After the whole way at once, the bodies would keep the velocity of the correction.
inline double driveStep(double target, double start) {
    return start + clamp(0.2 * (target - start), -kMostDriveStep, kMostDriveStep);
}

// Solves the rows on a free axis of mobility w. Its coordinate is c now, and was `start` at the start of the
// substep. Returns the sum of the changes of their multipliers.
inline double axisForce(const JointAxis& a, double target, double c, double start, double w, double h,
                        XpbdAxis& rows) {
    if (a.limited() && a.max - a.min < kLockedRange) return (driveStep(0.5 * (a.min + a.max), start) - c) / w;
    double sum = 0;
    auto become = [&](double& lambda, double next) {
        sum += next - lambda;
        c += w * (next - lambda);
        lambda = next;
    };
    const double most = h * h * a.strength;
    const bool sprung = a.drive == JointAxis::Drive::Position && a.compliance > 0;
    if (sprung || a.damping > 0) {
        const SoftRow row = {sprung ? h * h / a.compliance : 0, h * a.damping, most};
        become(rows.soft, rows.soft + row.force(c - target, c - start, rows.soft, w));
    }
    const double low = backTo(a.min, start, h, kClose), high = -backTo(-a.max, -start, h, kClose);
    if (a.drive != JointAxis::Drive::None && !sprung) {
        const bool timed = a.drive == JointAxis::Drive::Velocity;
        const double reference = clamp(timed ? start + h * target : driveStep(target, start), low, high);
        become(rows.drive, clamp(rows.drive + (reference - c) / w, -most, most));
    }
    if (a.min > -kNoLimit) become(rows.low, max(rows.low + (low - c) / w, 0.0));
    if (a.max < kNoLimit) become(rows.high, min(rows.high + (high - c) / w, 0.0));
    return sum;
}

struct XpbdImpulse {
    Vec3d T, p;
};

// The response of the two sides of a joint to an impulse.
struct XpbdMobility {
    Sym3<double> J[2], Kaa, Kpp, S, G, H;
    Mat3<double> Qt; // Q^T
    Vec3d arm[2];    // from each centre of mass to the anchor of side 1
    Vec3d axis;      // x axis of side 0
};

class XpbdRows {
public:
    XpbdRows(TreeBody<double>* bodies, XpbdJoint& j, double h) : j_(j), h_(h), invH_(1 / h) {
        for (int k : {0, 1}) body_[k] = j.unit[k] >= 0 ? bodies + j.unit[k] : nullptr;
    }

    // Computes coordinates from the present positions. Ball joints without rows need them only `forReading`.
    void begin(bool forReading) {
        measure();
        const Joint& j = *j_.joint;
        const bool ball = j.kind == Joint::Kind::Ball;
        for (int k : {0, 1}) j_.armStart[k] = position_[1] - centerOf(k);
        if (j.kind == Joint::Kind::Drag) j_.before = position_[1];
        j_.old = beyond(gap_, kClose * h_);
        if (j.kind == Joint::Kind::Rod) j_.slid = length(gap_);
        if (j.kind != Joint::Kind::Axial && !(ball && (forReading || j_.turns))) return;
        measureAxes();
        if (!ball) j_.oldTurn = beyond(misaligned(), kClose * h_);
        j_.angle = ball ? twistAngle(axes_, j_.angle) : hingeAngle(axes_, j_.angle);
        j_.swing = ball ? swingAngle(axes_) : 0;
        j_.slid = dot(gap_, axes_.x0);
        if (j.slide.free) j_.old = beyond(gap_ - j_.slid * axes_.x0, kClose * h_);
    }

    // Clears the multipliers at the start of a substep.
    void forget() {
        j_.F = j_.T = j_.damper = {0, 0, 0};
        j_.turn = j_.slide = {};
        j_.cone = j_.rod = 0;
    }

    // Solves the rows of the joint. With `back` the order of the rows is reversed.
    void visit(bool back) {
        measure();
        prepare();
        switch (j_.joint->kind) {
        case Joint::Kind::Rod:
            return rod();
        case Joint::Kind::Drag:
            return pull();
        case Joint::Kind::Axial:
            return axial(back);
        default:
            return ball(back);
        }
    }

    // Writes forces and coordinates in the form that a user reads.
    void writeReading(JointState& reading) {
        const double invH2 = invH_ * invH_;
        const Joint& j = *j_.joint;
        reading.force = invH2 * j_.F;
        reading.torque = invH2 * j_.T;
        reading.gap = 0;
        if (j.kind == Joint::Kind::Drag) return;
        begin(true);
        reading.angle = j_.angle;
        reading.distance = j_.slid;
        const bool slides = j.kind == Joint::Kind::Axial && j.slide.free;
        reading.gap = length(slides ? gap_ - j_.slid * axes_.x0 : gap_);
        if (j.kind != Joint::Kind::Rod) return;
        reading.gap = j.compliance > 0 ? 0 : abs(j_.slid - j.rest);
        reading.tension = -invH2 * j_.rod;
    }

private:
    const Mat3<double>& axesOf(int k) const { return body_[k] ? body_[k]->R : j_.groundR[k]; }
    Quatd turnOf(int k) const { return body_[k] ? body_[k]->q : j_.ground[k].q; }
    Vec3d centerOf(int k) const { return body_[k] ? body_[k]->x : j_.ground[k].x; }

    void measure() {
        for (int k : {0, 1}) position_[k] = centerOf(k) + axesOf(k) * j_.anchor[k];
        gap_ = position_[1] - position_[0];
    }
    void measureAxes() {
        const Mat3<double>&R0 = axesOf(0), &R1 = axesOf(1);
        axes_ = {R0 * j_.x[0], R0 * j_.y[0], R1 * j_.x[1], R1 * j_.y[1]};
    }

    // Computes the mobility for this visit. Forces act at the anchor of side 1. The two anchors of a slide
    // are apart, and a common point conserves the angular momentum of the pair.
    void prepare() {
        const Joint& j = *j_.joint;
        findMobility();
        if (j.kind == Joint::Kind::Rod || j.kind == Joint::Kind::Drag) return;
        const bool axial = j.kind == Joint::Kind::Axial;
        m_.axis = axesOf(0) * j_.x[0];
        m_.G = axial && j.slide.free ? inverseAcross(m_.Kpp, m_.axis) : inverseWhole(m_.Kpp);
        if (!axial && !j_.turns) return;
        m_.S = m_.Kaa - congruence(transpose(m_.Qt), m_.G);
        if (axial) m_.H = j.turn.free ? inverseAcross(m_.S, m_.axis) : inverseWhole(m_.S);
    }
    void findMobility() {
        m_.Kaa = m_.Kpp = Sym3<double>::scaledIdentity(0);
        m_.Qt = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
        j_.smallTurn = j_.joint->kind == Joint::Kind::Ball || j_.joint->kind == Joint::Kind::Axial;
        for (int k : {0, 1}) {
            if (!body_[k]) continue;
            m_.J[k] = alongAxes(body_[k]->R, body_[k]->invInertia);
            m_.arm[k] = position_[1] - centerOf(k);
            const Mat3<double> P = crossTimes(m_.arm[k], m_.J[k]);
            const Sym3<double> byTurning = symmetricCross(m_.arm[k], 0.5 * P);
            m_.Kaa = m_.Kaa + m_.J[k];
            m_.Qt -= P;
            m_.Kpp = m_.Kpp + Sym3<double>::scaledIdentity(j_.invMass[k]) + byTurning;
            j_.smallTurn =
                j_.smallTurn && length(body_[k]->dl) * trace(byTurning) < kSmallTurn * j_.invMass[k];
        }
    }

    // Applies an impulse to both sides. All impulses of a visit use the levers at its start, like the
    // mobility. Otherwise rounding would matter: T + r x p is a small difference of large numbers if a body
    // of little inertia is held on a long arm.
    void apply(Vec3d T, Vec3d p) {
        Vec3d angularVelocity[2], turn[2];
        double largest = 0;
        for (int k : {0, 1}) {
            if (!body_[k]) continue;
            const double sign = k == 1 ? 1 : -1;
            angularVelocity[k] = sign * (T + cross(j_.smallTurn ? j_.armStart[k] : m_.arm[k], p));
            turn[k] = m_.J[k] * (sign * (T + cross(m_.arm[k], p)));
            largest = max(largest, dot(turn[k], turn[k]));
        }
        const double scale = largest > kMostTurn * kMostTurn ? kMostTurn / sqrt(largest) : 1;
        for (int k : {0, 1}) {
            if (!body_[k]) continue;
            TreeBody<double>& b = *body_[k];
            const Vec3d dx = ((k == 1 ? scale : -scale) * j_.invMass[k]) * p;
            b.x = b.x + dx;
            b.vNow = b.vNow + invH_ * dx;
            b.LNow = b.LNow + (scale * invH_) * angularVelocity[k];
            b.q = turned(scale * turn[k], b.q);
            b.R = toMat3(b.q);
            b.ct = b.ct + scale * turn[k];
        }
        j_.F = j_.F + scale * p;
        j_.T = j_.T + scale * T;
    }

    // Returns the impulse (T, p) together with the impulses of the locked rows that respond to it.
    XpbdImpulse held(Vec3d T, Vec3d p) const {
        p = p - m_.G * (m_.Kpp * p + m_.Qt * T);
        const Vec3d more = -(m_.H * (m_.Kaa * T + transposeTimes(m_.Qt, p)));
        return {T + more, p - m_.G * (m_.Qt * more)};
    }

    void axial(bool back) {
        const Joint& j = *j_.joint;
        measureAxes();
        const Vec3d x = axes_.x0, gap = (j.slide.free ? gap_ - dot(gap_, x) * x : gap_) - j_.old;
        Vec3d e = misaligned() - j_.oldTurn;
        // Near half a turn, the shorter way round may be another one than in the last substep.
        if (dot(j_.oldTurn, j_.oldTurn) > 0) e = e - beyond(e, 2 * kClose * h_);
        const Vec3d T = -(m_.H * (e - transposeTimes(m_.Qt, m_.G * gap)));
        apply(T, -(m_.G * (gap + m_.Qt * T)));
        if (back && j_.slides) slide();
        if (j_.turns) turn();
        if (!back && j_.slides) slide();
    }
    // Returns the rotation of side 1 relative to side 0 about the locked axes, as a vector of length 2
    // sin(angle / 2). The sine of the whole angle would decrease beyond a right angle, and would no longer
    // close the joint.
    Vec3d misaligned() const {
        if (!j_.joint->turn.free) {
            const Quatd q = turnOf(1) * j_.frames * conjugate(turnOf(0));
            return (q.w < 0 ? -2.0 : 2.0) * q.vector();
        }
        return sqrt(2 / max(1 + dot(axes_.x0, axes_.x1), 1e-6)) * cross(axes_.x0, axes_.x1);
    }
    void turn() {
        measure();
        measureAxes();
        const Vec3d x = m_.axis;
        const XpbdImpulse u = held(x, {0, 0, 0});
        const double c = hingeAngle(axes_, j_.angle), w = dot(x, m_.Kaa * u.T + transposeTimes(m_.Qt, u.p));
        const double lambda = axisForce(j_.joint->turn, j_.turnTarget, c, j_.angle, w, h_, j_.turn);
        apply(lambda * u.T, lambda * u.p);
    }
    void slide() {
        measure();
        measureAxes();
        const Vec3d x = m_.axis;
        const XpbdImpulse u = held({0, 0, 0}, x);
        const double c = dot(gap_, axes_.x0), w = dot(x, m_.Kpp * u.p + m_.Qt * u.T);
        const double lambda = axisForce(j_.joint->slide, j_.slideTarget, c, j_.slid, w, h_, j_.slide);
        apply(lambda * u.T, lambda * u.p);
    }

    void ball(bool back) {
        apply({0, 0, 0}, -(m_.G * (gap_ - j_.old)));
        if (!j_.turns) return;
        if (back) {
            cone();
            twist();
            damp();
        }
        if (!back) {
            damp();
            twist();
            cone();
        }
    }
    // Applies the angular impulse T while the position rows are held.
    void turnHeld(Vec3d T) { apply(T, -(m_.G * (m_.Qt * T))); }
    void damp() {
        const double damping = j_.joint->turn.damping;
        if (!(damping > 0)) return;
        const SoftRow row = {0, h_ * damping, kNoLimit};
        const Vec3d more = row.force({0, 0, 0}, turnSince(), j_.damper, m_.S);
        j_.damper = j_.damper + more;
        turnHeld(more);
    }
    // Returns the rotation vector of side 1 relative to side 0 in this substep.
    Vec3d turnSince() const {
        Vec3d turn = j_.groundTurn;
        for (int k : {0, 1})
            if (body_[k]) turn = turn + (k == 1 ? 1.0 : -1.0) * (body_[k]->dl + body_[k]->ct);
        return turn;
    }
    // The twist acts about the bisector of the two x axes. A rotation by `scale` about it changes the twist
    // by one. Near a swing of half a turn the bisector vanishes. There the lower bound of `scale` keeps the
    // correction small.
    void twist() {
        if (!j_.joint->turn.limited()) return;
        JointAxis limits = j_.joint->turn;
        limits.damping = 0;
        measure();
        measureAxes();
        const Vec3d bisector = axes_.x0 + axes_.x1, n = normalize(bisector, axes_.x0);
        const double scale = max(0.5 * length(bisector), 0.05), w = dot(n, m_.S * n) / (scale * scale);
        const double lambda = axisForce(limits, 0, twistAngle(axes_, j_.angle), j_.angle, w, h_, j_.turn);
        turnHeld((lambda / scale) * n);
    }
    void cone() {
        if (!(j_.joint->cone < kNoLimit)) return;
        measure();
        measureAxes();
        const double high = -backTo(-j_.joint->cone, -j_.swing, h_, kClose);
        const Vec3d n = normalize(cross(axes_.x0, axes_.x1), perpendicular(axes_.x0));
        const double next = min(j_.cone + (high - swingAngle(axes_)) / dot(n, m_.S * n), 0.0);
        const double more = next - j_.cone;
        j_.cone = next;
        turnHeld(more * n);
    }

    void rod() {
        const Joint& j = *j_.joint;
        const Vec3d n = normalize(gap_, Vec3d{0, 1, 0});
        const double l = length(gap_), w = dot(n, m_.Kpp * n);
        const SoftRow row = {j.compliance > 0 ? h_ * h_ / j.compliance : 0, h_ * j.damping,
                             h_ * h_ * j.strength};
        const double off = j_.slid - j.rest, most = kClose * h_, old = off - clamp(off, -most, most);
        const double more =
            row.k > 0 ? row.force(l - j.rest, l - j_.slid, j_.rod, w) : (j.rest + old - l) / w;
        j_.rod += more;
        apply({0, 0, 0}, more * n);
    }

    void pull() {
        const Joint& j = *j_.joint;
        const SoftRow row = {h_ * h_ / j.compliance, h_ * j.damping, h_ * h_ * j.strength};
        apply({0, 0, 0}, row.force(gap_, position_[1] - j_.before, j_.F, m_.Kpp));
    }

    XpbdJoint& j_;
    XpbdMobility m_;
    double h_, invH_;
    TreeBody<double>* body_[2];
    Vec3d position_[2], gap_;
    JointAxes<double> axes_;
};

} // namespace capstan
