// SPDX-License-Identifier: MIT
// capstan view opens the viewer if it was built in.
#include <apps/capstan/commands/commands.hpp>

#ifdef CAPSTAN_HAVE_VIEWER
#include <apps/viewer/view.hpp>
#else
#include <cstdio>
#endif

namespace capstan::cli {

#ifdef CAPSTAN_HAVE_VIEWER
int view(const ViewOptions& options) { return viewer::view(options); }
#else
int view(const ViewOptions&) {
    std::fputs(
        "capstan: this program was built without the viewer. Install libglfw3-dev, libimgui-dev, libegl-dev, "
        "libgles-dev and libstb-dev (Debian's names) and build again\n",
        stderr);
    return badUse;
}
#endif

} // namespace capstan::cli
