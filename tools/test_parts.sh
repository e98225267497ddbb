# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2154 # root and build are set by ./run, which reads this file
# For `./run test`: the parts that exist, the targets that each part needs, and the arguments of ctest.

# Parts of ./run test that are no folder: the part, the ctest filter, and the targets that it needs.
named="
    apps       -L apps       capstan_cli
    consumer   -L consumer   all
    docs       -L docs       capstan_cli
    examples   -L example    all
    fuzz       -L fuzz       capstan_cli
    golden     -L golden     capstan_golden
    house      -L house      capstan capstan_cli
    scenes     -R ^scenes    capstan_cli
    viewer     -R ^viewer    capstan_cli
"
trees="release asan tsan"

testFiles() { (cd "$root/tests" && find . -name '*_test.cpp' | sort); }

# Each word of the path of a test file, except "test", names a part. wordsOf FILTER keeps a part of each path.
wordsOf() { testFiles | sed "$1" | tr './_' '\n' | grep -vxE '|test|cpp' | sort -u; }

# partNames: prints the list of parts.
partNames() {
    { wordsOf 's,/[^/]*$,,' && awk 'NF { print $1 }' <<<"$named" && echo platforms; } | sort -u | xargs
}

# refuseUnknownParts: stops at a word that is no part, before anything is installed or built.
refuseUnknownParts() {
    local word all
    all=$(wordsOf '' && awk 'NF { print $1 }' <<<"$named" && xargs -n1 <<<"platforms $platforms $trees")
    for word; do
        if grep -qxF -e "$word" -e "${word%s}" -e "${word}s" <<<"$all"; then continue; fi
        say "\"$word\" is no part of the tests; did you mean \"$(nearest "$word" <<<"$all")\"? Parts: $(partNames); platforms: $platforms; trees: $trees"
        exit 2
    done
}

# testIn: runs ctest. GCC 12's TSan cannot map its shadow memory on kernels with strong address randomisation.
testIn() {
    local as=() folder=$1
    shift
    if setarch -R true 2>/dev/null; then as=(setarch -R); fi
    "${as[@]}" ctest --test-dir "$folder" --output-on-failure --no-tests=error --timeout 600 --parallel "$(jobs)" "$@"
}

verdict() { # FAILED STARTED TREE-OR-PLATFORM…
    local words="all passed"
    if [ "$1" != 0 ]; then words=FAILED; fi
    say "test: $words, trees: ${*:3}, $((SECONDS - $2)) s"
    return "$1"
}

# runTests: one ctest for the three trees, so that there is one list and one summary. Of the platforms only aarch64 is
# run: it finds what depends on the processor, in two minutes on two cores. The others take longer than the time allows.
runTests() {
    local built=() failed=0 started=$SECONDS tree target
    for tree in $trees; do
        target=capstan_tests
        if [ "$tree" = release ]; then target=all; fi
        if buildTree "$tree" $target; then built+=("$tree"); else failed=1; fi
    done
    unlock
    echo "subdirs(${built[*]})" >"$build/CTestTestfile.cmake"
    say "testing ${built[*]}"
    testIn "$build" || failed=1
    testPlatform aarch64 || failed=1
    verdict $failed "$started" "${built[@]}" aarch64
}

# filesOf PART…: prints the test files whose path contains one of the words.
filesOf() {
    local word words=()
    for word; do words+=(-e "$word" -e "${word%s}" -e "${word}s"); done
    testFiles | while IFS= read -r file; do
        if tr './_' '\n' <<<"$file" | grep -qxF "${words[@]}"; then echo "${file#./}"; fi
    done
}

# runPart TREE PART…: builds what the parts need in the tree and runs them. Without a part it runs all tests of the tree.
runPart() {
    local tree=$1 word files targets="" programs="" suites="" selections=() name how regex needs
    shift
    if [ $# = 0 ]; then
        targets=capstan_tests
        if [ "$tree" = release ]; then targets=all; fi
    fi
    configureTree "$tree" || return 1
    if [ $# != 0 ]; then
        files=$(filesOf "$@")
        # programs.txt, which CMake writes, lists each test program with its files.
        programs=$(awk 'NR == FNR { wanted[$1]; next } $2 in wanted { print $1 }' - "$build/$tree/tests/programs.txt" <<<"$files" |
            sort -u | xargs)
        # shellcheck disable=SC2086
        suites=$(cd "$root/tests" && cat $files </dev/null | sed -nE 's/^(TYPED_)?TEST(_F|_P)?\((\w+).*/\3/p' | sort -u | paste -sd'|')
        targets=$programs
    fi
    if [ -n "$programs" ]; then
        case $tree in
        asan) selections+=("-R ^asan\.(${programs// /|})\.") ;; # in that tree a test is a share of a program
        *) selections+=("-R ^(tsan\.)?([^/]*/)?($suites)[./]") ;;
        esac
    fi
    if [ "$tree" = release ]; then
        while read -r name how regex needs; do
            if [ -z "$name" ]; then continue; fi
            for word; do
                if [ "${word%s}" = "${name%s}" ]; then
                    selections+=("$how $regex")
                    targets+=" $needs"
                fi
            done
        done <<<"$named"
    fi
    if [ $# != 0 ] && [ ${#selections[@]} = 0 ]; then
        say "the tree $tree has no test of: $*"
        return 1
    fi
    # shellcheck disable=SC2086 # a word per target
    buildTree "$tree" $targets || return 1
    unlock
    say "testing $tree: ${*:-all}"
    if [ ${#selections[@]} = 0 ]; then
        testIn "$build/$tree"
        return
    fi
    local failed=0 selection
    for selection in "${selections[@]}"; do
        testIn "$build/$tree" "${selection%% *}" "${selection#* }" || failed=1
    done
    return $failed
}

runParts() {
    local chosen=() words=() elsewhere=() word tree failed=0 started=$SECONDS
    for word; do
        if [[ " $trees " = *" $word "* ]]; then
            chosen+=("$word")
        elif [[ " $platforms " = *" $word "* ]]; then
            elsewhere+=("$word")
        elif [ "${word%s}" = platform ]; then
            read -ra elsewhere <<<"$platforms"
        else
            words+=("$word")
        fi
    done
    if [ ${#chosen[@]} = 0 ] && { [ ${#words[@]} != 0 ] || [ ${#elsewhere[@]} = 0 ]; }; then chosen=(release); fi
    for tree in "${chosen[@]}"; do
        lock
        runPart "$tree" "${words[@]}" || failed=1
    done
    unlock
    for tree in "${elsewhere[@]}"; do testPlatform "$tree" || failed=1; done
    verdict $failed "$started" "${chosen[@]}" "${elsewhere[@]}"
}
