class samples::with_undef($looked_up = undef) {
  notice($looked_up)
}
