class samples(String $greeting = 'hello', Integer $count = 1, Optional[String] $from_data = undef) {
  $inside = "${greeting} x ${count}"
  notice($inside)
}
