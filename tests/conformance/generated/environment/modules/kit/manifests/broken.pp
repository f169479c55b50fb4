class kit::broken {
  notify { 'one': }
  notify { 'two'
}
