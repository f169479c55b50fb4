class samples::with_default($looked_up = 10) {
  notice($looked_up)
}
