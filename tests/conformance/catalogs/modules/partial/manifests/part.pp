class partial::part(Optional[Array[Nowhere::Size]] $sizes = undef) {
  notify { 'part': }
}
