function samples::double(Numeric $number) >> Numeric {
  $number * 2
}
