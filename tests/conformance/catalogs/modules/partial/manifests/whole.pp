class partial::whole(Partial::Item::Size $size = 1) {
  notify { 'whole': }
}
