# Restarts the web servers one after the other.
#
# @param targets The machines.
# @param pause How long to wait between two of them.
plan profile::restart_web(
  TargetSpec $targets,
  Integer[0] $pause = 30,
) {
  get_targets($targets).each |$target| {
    $result = run_task('service', $target, action => 'restart', name => 'httpd', '_catch_errors' => true)
    unless $result.ok {
      fail_plan("${target.name} did not come back")
    }
    apply($target) {
      include profile::web
    }
    ctrl::sleep($pause)
  }
}
