class samples::without_default($looked_up) {
  notice($looked_up)
}
