# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2034,SC2154 # ./run reads this file: it sets root and build, and uses the lists
# ./run test platforms: the same worlds on other machines and by another compiler (docs/manual/platforms.md).

platforms="aarch64 windows clang"

# Packages of each platform, and the program that shows that one is there. Nothing else needs them.
crossing_aarch64="
    g++-aarch64-linux-gnu       aarch64-linux-gnu-g++
    qemu-user-static            qemu-aarch64-static
"
# The package wine alone has no program for 64 bits.
crossing_windows="
    g++-mingw-w64-x86-64-posix  x86_64-w64-mingw32-g++-posix
    wine                        wine
    wine64                      /usr/lib/wine/wine64
"
crossing_clang="
    clang                       clang++
"

skipped() { say "platform $1: SKIPPED, $2"; }

# Wine keeps its files beside the programs, needs no screen and says only what fails.
wineBegins() {
    export WINEPREFIX=$build/windows/wine WINEDEBUG=-all WINEDLLOVERRIDES="mscoree,mshtml="
    unset DISPLAY WAYLAND_DISPLAY
    timeout 300 wineboot --init >"$build/wine.log" 2>&1 && timeout 60 wine cmd /c exit >>"$build/wine.log" 2>&1
}

# sameBits NAME SUFFIX BACKENDS [UNDER…]: twenty worlds as the record has them, and examples/hello as here.
sameBits() {
    local name=$1 suffix=$2 backends=$3 tree=$build/$1 here there failed=0
    shift 3
    # shellcheck disable=SC2086 # a word per backend
    (cd "$root" && tools/same_bits compare --golden "$tree/tests/capstan_golden$suffix" --under "$*" \
        --worlds tests/golden/platforms.txt --frames 60 --jobs "$(jobs)" --on $backends) || failed=1
    here=$("$build/release/examples/hello") || failed=1
    there=$("$@" "$tree/examples/hello$suffix" | tr -d '\r') || failed=1
    if [ "$here" != "$there" ]; then
        say "platform $name: examples/hello prints other numbers than here:"
        diff <(echo "$here") <(echo "$there") >&2 || true
        failed=1
    fi
    return $failed
}

# testPlatform NAME: builds and compares. It is no failure that something cannot be had here, and it is said.
testPlatform() {
    local name=$1 list=crossing_$1 packages started=$SECONDS failed=0 targets="capstan_golden example_hello"
    installOptional "$list" "${!list}" "the platform $name is skipped"
    packages=$(missing "${!list}")
    if [ -n "$packages" ]; then
        skipped "$name" "these packages are missing: $packages"
        return
    fi
    if [ "$name" = windows ] && [ "$(uname -m)" != x86_64 ]; then
        skipped windows "wine needs an x86-64 machine"
        return
    fi
    if [ "$name" = clang ]; then targets=all; fi
    lock
    # shellcheck disable=SC2086 # a word per target
    buildTree release example_hello && buildTree "$name" $targets || return 1
    unlock
    case $name in
    aarch64)
        "$root/tools/check_fusing.py" --objdump aarch64-linux-gnu-objdump "$build/aarch64/libcapstan.a" || failed=1
        sameBits aarch64 "" "scalar:1 simd:2" qemu-aarch64-static || failed=1
        ;;
    clang) sameBits clang "" "scalar:1 simd:2" env || failed=1 ;;
    windows)
        if ! wineBegins; then
            skipped windows "it was built, but wine does not run here (see build/wine.log)"
            return
        fi
        sameBits windows .exe "scalar:1 simd:2" wine || failed=1
        wineserver -k || true
        ;;
    esac
    if [ $failed = 0 ]; then say "platform $name: the same bits, $((SECONDS - started)) s"; fi
    return $failed
}
