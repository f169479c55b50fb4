define samples::thing($size = 1) {
  notice("${title} ${name} ${size}")
}
