for (int i = 0; i < 16; i++) { // loopbound 16
#pragma loopbound min 0 max 12
  while (x) /* loopbound 3 */
    _Pragma("loopbound min 1 max 4")
