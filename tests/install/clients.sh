# Other build systems on what tests/install/run has installed at $place: CMake with warpbound_check, Meson by
# pkg-config and by the wrap file; at last all is uninstalled. Sourced by tests/install/run.

# skip NAME COMMAND: true, with a line of TAP, where the command is not there.
skip()
{
  command -v "$2" >/dev/null 2>&1 && return 1
  number=$((number + 1))
  echo "ok $number - $1 # SKIP no $2 here"
}

configure_cmake()
{
  cmake -S "$root/tests/install/cmake" -B "$scratch/cmake" -DEXAMPLES="$place/share/doc/warpbound/examples" \
    -DCMAKE_PREFIX_PATH="$place" -DSANITIZERS="$(echo "$sanitizers" | tr ' ' ';')" "$@"
}

# refuse_cmake MISTAKE WORDS: CMake stops and says so.
refuse_cmake()
{
  ! configure_cmake -DBAD="$1" >"$scratch/output" 2>&1 && tr -s ' \n' ' ' <"$scratch/output" | grep -qF "$2"
}

cmake_clients()
{
  configure_cmake >"$scratch/output" 2>&1 && cmake --build "$scratch/cmake" >>"$scratch/output" 2>&1
  judge 'CMake finds what was installed, and compiles against it' $?
  (cd "$scratch/cmake" && ctest --output-on-failure -E late) >"$scratch/output" 2>&1
  judge 'warpbound_check: launches that are in time are passed tests' $?
  grep -q '100% tests passed.* out of 3' "$scratch/output" && [ -s "$scratch/cmake/kernels.sarif" ]
  judge 'warpbound_check: three tests ran, one wrote SARIF' $?
  ! (cd "$scratch/cmake" && ctest -R late) >"$scratch/output" 2>&1
  judge 'warpbound_check: a launch that is late is a failed test' $?
  cmake --build "$scratch/cmake" --target warpbound-kernels-matrix_tiled >"$scratch/output" 2>&1 &&
    grep -q 'deadline of 1.000 ms met' "$scratch/output"
  judge 'warpbound_check: the custom target prints the bound' $?
  ! cmake --build "$scratch/cmake" --target warpbound-late >"$scratch/output" 2>&1
  judge 'warpbound_check: the custom target of a late launch fails' $?
  refuse_cmake device 'DEVICE is missing' && refuse_cmake launch 'expected GRID and BLOCK, or LAUNCHES' &&
    refuse_cmake target "'nobody' is no target" && refuse_cmake word 'not understood: DEADLIN;1ms'
  judge 'warpbound_check: mistakes are named' $?
  ! cmake -S "$root/tests/install/cmake" -B "$scratch/other" -Dwarpbound_DIR="$scratch" >"$scratch/output" 2>&1
  judge 'CMake says where there is no Warpbound' $?
}

meson_clients()
{
  cp -r "$root/tests/install/meson" "$scratch/client"
  PATH=$place/bin:$PATH meson setup "$scratch/client/installed" "$scratch/client" \
    -Dexamples="$root/examples" ${sanitizers:+-Db_sanitize=address,undefined -Db_lundef=false} >"$scratch/output" 2>&1 &&
    ninja -C "$scratch/client/installed" >>"$scratch/output" 2>&1 &&
    grep -q 'warpbound is a subproject *: False' "$scratch/output" &&
    "$scratch/client/installed/bounds" >>"$scratch/output" 2>&1
  judge 'Meson finds what was installed, by pkg-config' $?
  mkdir "$scratch/client/subprojects"
  cp "$root/packaging/warpbound.wrap" "$scratch/client/subprojects"
  ln -s "$root" "$scratch/client/subprojects/warpbound"
  # Configured and planned, not built: that is the whole library again.
  PKG_CONFIG_PATH= PKG_CONFIG_LIBDIR="$(pkg-config --variable pc_path pkg-config)" meson setup \
    "$scratch/client/wrapped" "$scratch/client" --force-fallback-for=warpbound -Dexamples="$root/examples" >"$scratch/output" 2>&1 &&
    grep -q 'warpbound is a subproject *: True' "$scratch/output" &&
    ninja -C "$scratch/client/wrapped" -n bounds >"$scratch/output" 2>&1 && grep -q 'Linking target bounds' "$scratch/output"
  judge 'Meson builds the subproject of the wrap file' $?
}

uninstall()
{
  ninja -C "$build" uninstall >"$scratch/output" 2>&1 && ! find "$scratch/tree" ! -type d 2>/dev/null | grep . >>"$scratch/output"
  judge 'nothing that was installed is left after it is uninstalled' $?
}

if ! skip 'clients of CMake' cmake; then
  cmake_clients
fi
if ! skip 'clients of Meson' meson; then
  meson_clients
fi
uninstall
