function depot::plain($a, $b = 3) {
}
