function samples::quoted($value) {
  "<${value}>"
}
