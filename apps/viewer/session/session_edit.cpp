// SPDX-License-Identifier: MIT
// This file implements live edits of Session: new values from the panels.
#include <apps/viewer/session/session.hpp>

namespace capstan::viewer {

void Session::editWorld(const WorldDef& def) {
    if (playback_) told(playback_->world().tryConfigure(def));
}

namespace {

template <class Id, class Def> Status put(World& world, Id id, const Def& def) {
    if (!world.isValid(id)) return done();
    return world.update(id, def);
}

} // namespace

void Session::told(const Status& status) {
    if (!status) say(status.error().text());
}

void Session::edit(RopeId id, const RopeDef& def) {
    if (playback_) told(put(playback_->world(), id, def));
}
void Session::edit(BodyId id, const BodyDef& def) {
    if (playback_) told(put(playback_->world(), id, def));
}
void Session::edit(JointId id, const JointDef& def) {
    if (playback_) told(put(playback_->world(), id, def));
}
void Session::edit(ClothId id, const ClothDef& def) {
    if (playback_) told(put(playback_->world(), id, def));
}
void Session::edit(HairId id, const HairDef& def) {
    if (playback_) told(put(playback_->world(), id, def));
}

void Session::untangle() {
    if (!playback_ || !playback_->leash()) return;
    if (Status begun = playback_->leash()->untangle(); !begun) say(begun.error().text());
}

void Session::walkOn() {
    if (playback_ && playback_->leash()) playback_->leash()->walkOn();
}

} // namespace capstan::viewer
