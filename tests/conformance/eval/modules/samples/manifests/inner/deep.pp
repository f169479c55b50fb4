class samples::inner::deep inherits samples {
  $outer = $inside
}
