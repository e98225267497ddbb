# SPDX-License-Identifier: MIT
# Toolchain: 64-bit ARM Linux from any Linux, with Debian's g++-aarch64-linux-gnu. Programs run by qemu-user-static.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_FIND_ROOT_PATH /usr/aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
# The emulator finds no shared libraries of the other machine.
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)
