// SPDX-License-Identifier: MIT
// Device in a build without CUDA: open() returns an Error that says so.
#ifndef CAPSTAN_HAVE_CUDA

#include "cuda/device.hpp"

namespace capstan {

struct Device::Impl {
    std::string name;
};

Device::Device(std::unique_ptr<Impl> in) : in_(std::move(in)) {}
Device::~Device() = default;
Result<std::unique_ptr<Device>> Device::open() {
    return Error{"this build of Capstan has no CUDA: build it where nvcc is found, with CAPSTAN_CUDA=ON",
                 "/backend"};
}
const std::string& Device::name() const { return in_->name; }
void Device::limit(std::size_t) {}
std::size_t Device::bytes() const { return 0; }
std::size_t Device::occupied() { return 0; }
Status Device::upload(Model&, State&, const StepDef&, bool) { return done(); }
void Device::download(Model&, State&) {}
void Device::invalidate() {}
bool Device::hasRopes() const { return false; }
void Device::stepRopes(Model&, State&, const StepDef&, ChainScratch&, Report&) {}
bool Device::hasCloths() const { return false; }
void Device::stepCloths(Model&, State&, Report&) {}
bool Device::hasHairs() const { return false; }
void Device::stepHairs(Model&, State&, const StepDef&, Report&) {}

} // namespace capstan

#endif
