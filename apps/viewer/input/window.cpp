// SPDX-License-Identifier: MIT
// This file implements window.hpp.
#include <apps/viewer/input/window.hpp>

#include <imgui.h>

#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>

#define GLFW_INCLUDE_NONE
#include <GLES3/gl3.h>
#include <GLFW/glfw3.h>

#include <cstdlib>
#include <filesystem>
#include <utility>

namespace capstan::viewer {

struct Window::Inside {
    GLFWwindow* window = nullptr;
    bool imgui = false;
    std::vector<UserEvent> events;
    float x = 0, y = 0; // cursor position of the last event; glfwGetCursorPos would give a later one
    float scale = 1;    // GLFW's coordinates per unit of the viewer

    ~Inside() {
        if (imgui) {
            ImGui_ImplOpenGL3_Shutdown();
            ImGui_ImplGlfw_Shutdown();
            ImGui::DestroyContext();
        }
        if (window) glfwDestroyWindow(window);
        glfwTerminate();
    }
    UserEvent& add(UserEvent::Kind kind) {
        UserEvent& e = events.emplace_back();
        e.kind = kind;
        e.x = x;
        e.y = y;
        return e;
    }
};

namespace {

std::vector<std::string> complaints;

void complain(int, const char* text) { complaints.push_back(text); }

void listen(GLFWwindow* window);

// loadFont loads a system font if there is one. ImGui's built-in font is made for 13 pixels and Latin letters only.
void loadFont(float scale) {
    ImGuiIO& io = ImGui::GetIO();
    io.FontGlobalScale = 1 / scale; // drawn at the screen's full resolution
    static constexpr const char* files[] = {"/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
                                            "/usr/share/fonts/TTF/DejaVuSans.ttf",
                                            "/usr/share/fonts/dejavu/DejaVuSans.ttf"};
    for (const char* file : files) {
        std::error_code ignored;
        if (!std::filesystem::exists(file, ignored)) continue;
        if (io.Fonts->AddFontFromFileTTF(file, 14 * scale)) return;
    }
    io.FontGlobalScale = 1;
    io.Fonts->AddFontDefault();
}

void setStyle() {
    ImGui::StyleColorsDark();
    ImGuiStyle& s = ImGui::GetStyle();
    s.WindowRounding = 0;
    s.FrameRounding = s.GrabRounding = s.PopupRounding = s.ScrollbarRounding = 4;
    s.WindowBorderSize = 0;
    s.WindowPadding = {10, 8};
    s.ItemSpacing = {6, 5};
    s.FramePadding = {7, 3};
    s.ScrollbarSize = 12;
    auto set = [&](int which, float r, float g, float b, float a = 1) { s.Colors[which] = {r, g, b, a}; };
    set(ImGuiCol_WindowBg, 0.105f, 0.115f, 0.13f);
    set(ImGuiCol_PopupBg, 0.13f, 0.14f, 0.16f, 0.98f);
    set(ImGuiCol_FrameBg, 0.18f, 0.195f, 0.22f);
    set(ImGuiCol_FrameBgHovered, 0.24f, 0.26f, 0.30f);
    set(ImGuiCol_FrameBgActive, 0.28f, 0.31f, 0.36f);
    set(ImGuiCol_Button, 0.20f, 0.22f, 0.25f);
    set(ImGuiCol_ButtonHovered, 0.29f, 0.33f, 0.38f);
    set(ImGuiCol_ButtonActive, 0.87f, 0.55f, 0.20f);
    set(ImGuiCol_Header, 0.24f, 0.27f, 0.31f);
    set(ImGuiCol_HeaderHovered, 0.30f, 0.34f, 0.39f);
    set(ImGuiCol_HeaderActive, 0.36f, 0.40f, 0.46f);
    set(ImGuiCol_CheckMark, 0.95f, 0.64f, 0.28f);
    set(ImGuiCol_SliderGrab, 0.87f, 0.55f, 0.20f);
    set(ImGuiCol_SliderGrabActive, 0.95f, 0.64f, 0.28f);
    set(ImGuiCol_Tab, 0.16f, 0.175f, 0.20f);
    set(ImGuiCol_TabHovered, 0.29f, 0.33f, 0.38f);
    set(ImGuiCol_TabActive, 0.26f, 0.29f, 0.33f);
    set(ImGuiCol_TabUnfocused, 0.16f, 0.175f, 0.20f);
    set(ImGuiCol_TabUnfocusedActive, 0.26f, 0.29f, 0.33f);
    set(ImGuiCol_TextSelectedBg, 0.72f, 0.44f, 0.14f, 0.6f);
    set(ImGuiCol_NavHighlight, 0.72f, 0.44f, 0.14f);
    set(ImGuiCol_Text, 0.91f, 0.92f, 0.93f);
    set(ImGuiCol_TextDisabled, 0.58f, 0.61f, 0.65f);
    set(ImGuiCol_Separator, 0.24f, 0.26f, 0.29f);
}

float pixelsPerUnit(GLFWwindow* window) {
    int pixels = 0, units = 0, unused = 0;
    glfwGetFramebufferSize(window, &pixels, &unused);
    glfwGetWindowSize(window, &units, &unused);
    return units > 0 ? static_cast<float>(pixels) / static_cast<float>(units) : 1;
}

// askScale returns the scale of the display. Where GLFW's units are already larger than pixels, as on Wayland, only
// the remaining factor counts.
float askScale(GLFWwindow* window) {
    float x = 1, y = 1;
    glfwGetWindowContentScale(window, &x, &y);
    const float more = x / pixelsPerUnit(window);
    return more > 1.1f && more < 8 ? more : 1.0f;
}

Error missing(const std::string& what) {
    std::string why;
    for (const std::string& c : complaints) why += (why.empty() ? "" : "; ") + c;
    return {what + (why.empty() ? "" : " (" + why + ")"), ""};
}

} // namespace

Window::Window(std::unique_ptr<Inside> in) : in_(std::move(in)) {}
Window::~Window() = default;
Window::Window(Window&&) noexcept = default;

Result<Window> Window::open(const std::string& title, int width, int height, float scale) {
    complaints.clear();
    glfwSetErrorCallback(complain);
    if (!glfwInit())
        return missing("a window needs a display, and there is none; set DISPLAY, or use `capstan run SCENE "
                       "--out picture.png`");
    auto in = std::make_unique<Inside>();
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
    in->window = glfwCreateWindow(width, height, title.c_str(), nullptr, nullptr);
    if (!in->window)
        return missing("a window needs OpenGL 3.3, which this display does not offer; install "
                       "libgl1-mesa-dri (Debian), which draws without a graphics card");
    in->scale = scale > 0 ? scale : askScale(in->window);
    glfwMakeContextCurrent(in->window);
    glfwSwapInterval(1);
    glfwSetWindowSizeLimits(in->window, 480, 320, GLFW_DONT_CARE, GLFW_DONT_CARE);
    glfwSetWindowUserPointer(in->window, in.get());
    listen(in->window);
    ImGui::CreateContext();
    ImGui::GetIO().IniFilename = nullptr; // the viewer has a fixed layout
    loadFont(in->scale * pixelsPerUnit(in->window));
    setStyle();
    ImGui_ImplGlfw_InitForOpenGL(in->window, true); // installs callbacks that also call the ones set above
    ImGui_ImplOpenGL3_Init("#version 330 core");
    in->imgui = true;
    Window made(std::move(in));
    const auto* name = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
    const std::string renderer = name ? name : "";
    made.software_ =
        renderer.find("llvmpipe") != std::string::npos || renderer.find("softpipe") != std::string::npos;
    return made;
}

std::vector<UserEvent> Window::events(double waitSeconds) {
    if (waitSeconds > 0) {
        glfwWaitEventsTimeout(waitSeconds);
    } else {
        glfwPollEvents();
    }
    return std::exchange(in_->events, {});
}

bool Window::closing() const { return glfwWindowShouldClose(in_->window) != 0; }
void Window::close() { glfwSetWindowShouldClose(in_->window, GLFW_TRUE); }
bool Window::down(int key) const { return glfwGetKey(in_->window, key) == GLFW_PRESS; }
void Window::title(const std::string& text) { glfwSetWindowTitle(in_->window, text.c_str()); }
void Window::size(int& width, int& height) const { glfwGetFramebufferSize(in_->window, &width, &height); }

void Window::begin() {
    ImGui_ImplOpenGL3_NewFrame();
    ImGui_ImplGlfw_NewFrame();
    if (const float s = in_->scale; s != 1) { // ImGui's GLFW backend does not know the scale
        ImGuiIO& io = ImGui::GetIO();
        io.DisplaySize.x /= s;
        io.DisplaySize.y /= s;
        io.DisplayFramebufferScale.x *= s;
        io.DisplayFramebufferScale.y *= s;
#if IMGUI_VERSION_NUM >= 18700
        io.AddMousePosEvent(in_->x, in_->y);
#else
        if (ImGui::IsMousePosValid(&io.MousePos)) {
            io.MousePos.x /= s;
            io.MousePos.y /= s;
        }
#endif
    }
    ImGui::NewFrame();
}

void Window::end() {
    ImGui::Render();
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

void Window::swap() { glfwSwapBuffers(in_->window); }

namespace {

Window::Inside& insideOf(GLFWwindow* window) {
    return *static_cast<Window::Inside*>(glfwGetWindowUserPointer(window));
}

void listen(GLFWwindow* window) {
    using Kind = UserEvent::Kind;
    glfwSetMouseButtonCallback(window, [](GLFWwindow* w, int button, int action, int mods) {
        UserEvent& e = insideOf(w).add(action == GLFW_PRESS ? Kind::Press : Kind::Release);
        e.button = button;
        e.shift = mods & GLFW_MOD_SHIFT;
        e.control = mods & GLFW_MOD_CONTROL;
    });
    glfwSetCursorPosCallback(window, [](GLFWwindow* w, double x, double y) {
        Window::Inside& in = insideOf(w);
        in.x = static_cast<float>(x) / in.scale;
        in.y = static_cast<float>(y) / in.scale;
        in.add(Kind::Move);
    });
    glfwSetScrollCallback(window, [](GLFWwindow* w, double, double y) {
        insideOf(w).add(Kind::Scroll).y = static_cast<float>(y);
    });
    glfwSetKeyCallback(window, [](GLFWwindow* w, int key, int, int action, int mods) {
        if (action == GLFW_RELEASE) return;
        UserEvent& e = insideOf(w).add(Kind::Key);
        e.key = key;
        e.shift = mods & GLFW_MOD_SHIFT;
        e.control = mods & GLFW_MOD_CONTROL;
    });
    glfwSetCharCallback(
        window, [](GLFWwindow* w, unsigned letter) { insideOf(w).add(Kind::Letter).letter = letter; });
    glfwSetDropCallback(window, [](GLFWwindow* w, int count, const char** files) {
        for (int i = 0; i < count; ++i) insideOf(w).add(Kind::Drop).file = files[i];
    });
}

} // namespace
} // namespace capstan::viewer
