// SPDX-License-Identifier: MIT
// See hair_mirror.cuh.
#include "cuda/hair_mirror.cuh"

#include "solver/hair/strand.hpp"

#include <cstring>

namespace capstan {
namespace {

// Uploads a list of plain data if it differs from the last uploaded list `there`.
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

bool HairMirror::canRun(const Hair& hair, const HairState& s, int level) {
    return !hair.frozen && level == 0 && s.level == 0 && s.drawn.empty();
}

Status HairMirror::upload(const Hair& hair, const HairState& s, DeviceBudget& budget, cudaStream_t stream) {
    if (here_) return done();
    Status good = x_.put(s.x, budget, stream);
    if (good) good = v_.put(s.v, budget, stream);
    if (good) good = roots_.put(hair.roots, budget, stream);
    if (good && !hair.faces.empty()) good = faces_.put(hair.faces, budget, stream);
    if (good) good = strain_.fit(s.strain.size(), budget);
    if (good) good = worst_.fit(1, budget);
    if (good) good = hostResults_.fit(1);
    if (good) good = check(cudaStreamSynchronize(stream), "uploading the hair");
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

Status HairMirror::put(const HairPlan& plan, DeviceBudget& budget, cudaStream_t stream) {
    if (Status good = send(step_, deviceStep_, {plan.d}, budget, stream); !good) return good;
    if (Status good = send(substeps_, deviceSubsteps_, plan.substep, budget, stream); !good) return good;
    if (Status good = send(colliders_, deviceColliders_, plan.collider, budget, stream); !good) return good;
    job_.vertices = plan.d.table.vertices;
    job_.curls = plan.d.table.curls;
    job_.substeps = int(plan.substep.size());
    job_.ball = plan.collider.size() == plan.substep.size() && job_.substeps <= kHairStaged;
    for (const HairSubstep& s : plan.substep) job_.ball = job_.ball && s.colliders == 1;
    for (const HairCollider& o : plan.collider) job_.ball = job_.ball && o.kind == HairSolid::Sphere;
    job_.d = deviceStep_.data();
    job_.substep = deviceSubsteps_.data();
    job_.collider = deviceColliders_.data();
    return check(cudaMemsetAsync(worst_.data(), 0, sizeof(unsigned), stream), "starting the hair");
}

Status HairMirror::start(cudaStream_t stream) {
    ahead_ = true;
    return check(launchHair(job_, stream), "starting the hair");
}

Status HairMirror::requestResults(cudaStream_t stream) {
    return capstan::requestResults(worst_, hostResults_, stream);
}

Status HairMirror::readResults(Hair& hair, HairState& s, const HairPlan& plan, cudaStream_t stream) {
    float worst = 0;
    std::memcpy(&worst, hostResults_.data(), sizeof worst);
    if (worst >= kNotFinite) { // the hair is frozen and stays on the host
        if (Status good = download(s, stream); !good) return good;
        invalidate();
    }
    endHair(hair, s, plan, worst);
    return done();
}

Status HairMirror::download(HairState& s, cudaStream_t stream) {
    if (!ahead_) return done();
    Status good = x_.get(s.x.data(), s.x.size(), stream);
    if (good) good = v_.get(s.v.data(), s.v.size(), stream);
    if (good) good = strain_.get(s.strain.data(), s.strain.size(), stream);
    if (good) good = check(cudaStreamSynchronize(stream), "downloading the hair");
    ahead_ = !good;
    return good;
}

} // namespace capstan
