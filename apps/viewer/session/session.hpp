// SPDX-License-Identifier: MIT
// A Session is a running scene and all user actions on it, without window or thread. The user can open, play, pause,
// step, slow down and reset a scene. The user can also pull, pin, cut, add a rope, and steer. simulation.hpp runs a
// Session in a thread of its own.
//
// Time has a fixed step of 1 / rate. Real seconds times speed are accumulated as debt, and every whole step of the
// debt is due. When steps take too long, debt above kMostDebt is dropped: the scene then runs slower instead of the
// window freezing.
#pragma once

#include <apps/viewer/session/frame.hpp>
#include <apps/viewer/session/grip.hpp>
#include <apps/viewer/session/pick.hpp>
#include <capstan/scene/playback.hpp>
#include <render/view/collect.hpp>

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace capstan::viewer {

// Wishes are options of the command line that apply to every scene that is opened.
struct Wishes {
    ImportOptions import;
    std::function<void(WorldDef&)> world; // may be empty
};

struct NewRope {
    Spot from, to;
    float slack = 1.1f; // length of the new rope over the distance of its ends
    float radius = 0.008f;
};

class Session {
public:
    explicit Session(Wishes wishes = {});

    // ---- files
    // open loads a scene. On an error the present scene continues, and problem() gives the message with its position.
    bool open(const std::filesystem::path& file);
    bool reloadIfChanged();
    void reset(); // restarts the same scene
    const std::string& problem() const { return problem_; }
    bool loaded() const { return playback_.has_value(); }
    Playback* playback() { return playback_ ? &*playback_ : nullptr; }
    const Playback* playback() const { return playback_ ? &*playback_ : nullptr; }

    // ---- time
    void play(bool on) { playing_ = on; }
    bool playing() const { return playing_; }
    void setSpeed(float speed);
    float speed() const { return speed_; }
    // Number of steps that are due after `seconds` more of real time; drops debt above kMostDebt.
    int due(double seconds);
    double untilNext() const;     // real seconds until the next step is due; large while paused
    void step();                  // does one step, playing or not
    void advance(double seconds); // does all steps that are due
    // While a film is recorded, real time has no effect, and filmAdvance moves the scene by the time of one picture.
    void film(bool on) { filming_ = on; }
    void filmAdvance(double seconds);
    long long steps() const { return steps_; }

    // ---- mouse
    void hover(const render::Ray& ray, float spread);
    void select(const Picked& picked);
    void select(JointId joint);
    // grab selects and pulls the object under the ray, and returns false if none can be pulled. Frame::grabs returns
    // the ticket, so that the window knows which grab was processed.
    bool grab(const render::Ray& ray, float spread, Vec3 facing, std::uint64_t ticket = 0);
    void lead(const render::Ray& ray) { grip_.lead(ray); }
    void shift(float metres) { grip_.shift(metres); }
    void release();
    void setStrength(float strength) { strength_ = strength; }
    void togglePin(); // pins or unpins the held object, or else the selection
    // Selects the object under the ray, then toggles its pin.
    void pinAt(const render::Ray& ray, float spread);
    void clickRope(const Spot& spot, float radius); // the first call sets the first end, the second the last
    void forgetRopeEnd() { ropeEnd_.reset(); }
    int cut(const Stroke& stroke); // returns the number of segments that were cut
    bool addRope(const NewRope& rope);
    void removeSelected();

    // Live edits. An edit with an error is reported and changes nothing.
    void editWorld(const WorldDef& def);
    void edit(RopeId rope, const RopeDef& def);
    void edit(BodyId body, const BodyDef& def);
    void edit(ClothId cloth, const ClothDef& def);
    void edit(HairId hair, const HairDef& def);
    void edit(JointId joint, const JointDef& def);
    void steer(float x, float y); // sets the target of the control vector, which moves there at kSteerRate
    void untangle();
    void walkOn();

    void look(const render::CollectOptions& options) { look_ = options; }
    void tellWhereabouts(bool on) { whereabouts_ = on; }
    const Grip& grip() const { return grip_; }
    const Picked& selected() const { return selected_; }
    const std::string& notice() const { return notice_; }
    void say(std::string text);

    // show fills in all data that the window shows. `frame` may hold an older Frame, whose memory is reused.
    void show(Frame& frame);

private:
    void start(Scene scene);
    void forgetPicks();
    void told(const Status& status); // shows the error of an edit, if there is one
    Picked pickAt(const render::Ray& ray, float spread) const;
    void control(float dt);
    void withoutHand(Energy& energy) const;
    void showThings(Frame& frame);
    void showSelected(Frame& frame);
    void showWhereabouts(Frame& frame) const;
    void showLeash(Frame& frame) const;
    void listContents();
    std::string nameOf(const Picked& picked) const;
    bool pinned(const Picked& picked) const;
    JointId holdOf(BodyId body) const; // the joint that pins the body

    Wishes wishes_;
    std::filesystem::path file_;
    std::filesystem::file_time_type stamp_ = {};
    std::uintmax_t size_ = 0;
    std::string problem_, notice_;
    int notices_ = 0;
    std::uint64_t scenes_ = 0;

    std::optional<Playback> playback_;
    bool playing_ = true, filming_ = false, whereabouts_ = false;
    float speed_ = 1;
    double debt_ = 0; // s, simulated time that is due
    long long steps_ = 0;

    Grip grip_;
    float strength_ = 1;
    std::uint64_t grabs_ = 0;
    Picked hovered_, selected_;
    JointId selectedJoint_;
    float controlX_ = 0, controlY_ = 0, wantX_ = 0, wantY_ = 0;
    bool steering_ = false;
    std::optional<Spot> ropeEnd_; // first end of a rope that is being added

    render::Collector collector_;
    render::CollectOptions look_;
    std::vector<Sample> samples_;
    float showSeconds_ = 0;
    std::vector<RopeId> ropeIds_;
    std::vector<BodyId> bodyIds_;
    std::vector<JointId> jointIds_;
    std::vector<ClothId> clothIds_;
    std::vector<HairId> hairIds_;
    std::shared_ptr<const Contents> contents_;
};

} // namespace capstan::viewer
