// SPDX-License-Identifier: MIT
// Implements hair_mirror.cuh.
#include "cuda/hair_mirror.cuh"

#include "solver/hair/strand.hpp"

#include <cstring>

namespace capstan {
namespace {

// Uploads a list of plain data if it differs from the list on the GPU.
template <class T>
Status send(std::vector<T>& there, DeviceArray<T>& device, const std::vector<T>& now, DeviceBudget& budget,
            cudaStream_t stream) {
    if (now.empty() ||
        (there.size() == now.size() && std::memcmp(there.data(), now.data(), now.size() * sizeof(T)) == 0))
        return done();
    there = now;
    return device.put(there, budget, stream);
}

} // namespace

bool HairHome::canRun(const Hair& hair, const HairState& s, int level) {
    return !hair.frozen && level == 0 && s.level == 0 && s.drawn.empty();
}

Status HairHome::take(const Hair& hair, const HairState& s, DeviceBudget& budget, cudaStream_t stream) {
    if (here_) return done();
    Status good = x_.put(s.x, budget, stream);
    if (good) good = v_.put(s.v, budget, stream);
    if (good) good = roots_.put(hair.roots, budget, stream);
    if (good && !hair.faces.empty()) good = faces_.put(hair.faces, budget, stream);
    if (good) good = strain_.fit(s.strain.size(), budget);
    if (good) good = worst_.fit(1, budget);
    if (good) good = told_.fit(1);
    if (good) good = told(cudaStreamSynchronize(stream), "taking the hair");
    if (!good) return good;
    job_.x = x_.data();
    job_.v = v_.data();
    job_.root = roots_.data();
    job_.faces = faces_.data();
    job_.strain = strain_.data();
    job_.worst = worst_.data();
    job_.strands = hair.strands();
    here_ = true;
    return good;
}

Status HairHome::put(const HairPlan& plan, DeviceBudget& budget, cudaStream_t stream) {
    if (Status good = send(step_, stepThere_, {plan.d}, budget, stream); !good) return good;
    if (Status good = send(substeps_, substepsThere_, plan.substep, budget, stream); !good) return good;
    if (Status good = send(colliders_, collidersThere_, plan.collider, budget, stream); !good) return good;
    job_.vertices = plan.d.table.vertices;
    job_.curls = plan.d.table.curls;
    job_.substeps = int(plan.substep.size());
    job_.ball = plan.collider.size() == plan.substep.size() && job_.substeps <= kHairStaged;
    for (const HairSubstep& s : plan.substep) job_.ball = job_.ball && s.colliders == 1;
    for (const HairCollider& o : plan.collider) job_.ball = job_.ball && o.kind == HairSolid::Sphere;
    job_.d = stepThere_.data();
    job_.substep = substepsThere_.data();
    job_.collider = collidersThere_.data();
    return told(cudaMemsetAsync(worst_.data(), 0, sizeof(unsigned), stream), "starting the hair");
}

Status HairHome::start(cudaStream_t stream) {
    ahead_ = true;
    return told(launchHair(job_, stream), "starting the hair");
}

Status HairHome::ask(cudaStream_t stream) { return capstan::ask(worst_, told_, stream); }

Status HairHome::tell(Hair& hair, HairState& s, const HairPlan& plan, cudaStream_t stream) {
    float worst = 0;
    std::memcpy(&worst, told_.data(), sizeof worst);
    if (worst >= kNotFinite) { // the hair stays frozen on the host
        if (Status good = settle(s, stream); !good) return good;
        leave();
    }
    endHair(hair, s, plan, worst);
    return done();
}

Status HairHome::settle(HairState& s, cudaStream_t stream) {
    if (!ahead_) return done();
    Status good = x_.get(s.x.data(), s.x.size(), stream);
    if (good) good = v_.get(s.v.data(), s.v.size(), stream);
    if (good) good = strain_.get(s.strain.data(), s.strain.size(), stream);
    if (good) good = told(cudaStreamSynchronize(stream), "bringing the hair home");
    ahead_ = !good;
    return good;
}

} // namespace capstan
