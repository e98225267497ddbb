# SPDX-License-Identifier: MIT
# Toolchain: 64-bit Windows from Linux, with Debian's g++-mingw-w64-x86-64-posix. Programs run by wine.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
# The other thread model of GCC 12 has no std::thread.
set(CMAKE_CXX_COMPILER x86_64-w64-mingw32-g++-posix)
set(CMAKE_RC_COMPILER x86_64-w64-mingw32-windres)
set(CMAKE_FIND_ROOT_PATH /usr/x86_64-w64-mingw32)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
# A program then needs none of the compiler's DLLs beside it.
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)
# Windows aligns the stack to 16 bytes, and GCC takes 32-byte vectors there for aligned (its bug 54412). The assembler
# writes each aligned move of a vector as the unaligned one, which is as fast on aligned memory.
set(CMAKE_CXX_FLAGS_INIT "-Wa,-muse-unaligned-vector-move")
