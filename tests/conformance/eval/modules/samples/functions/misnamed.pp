function samples::another_name() {
  1
}
